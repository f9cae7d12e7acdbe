package dev.clientgo.simulation.bugs;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.simulation.workload.Step;
import java.util.Map;

/** The shop of a user, and the objects that a controller makes for it. */
final class Shop {

  static final String NAMESPACE = "default";
  static final ObjectName OBJECT_NAME = new ObjectName(NAMESPACE, "shop");
  static final ObjectName SECRET_NAME = new ObjectName(NAMESPACE, "shop-password");

  private Shop() {}

  // ---- the steps of a user

  /** Creates the shop, in a size. */
  static Step create(String size) {
    return client ->
        shops(client)
            .create(ConfigMap.of(NAMESPACE, "shop", map -> map.data(Map.of("size", size))));
  }

  /** Asks for another size. */
  static Step resize(String size) {
    return client ->
        shops(client)
            .edit("shop", shop -> shop.with(map -> map.editData(data -> data.put("size", size))));
  }

  /** Writes something that is no business of the controller. */
  static Step paint(String colour) {
    return client -> shops(client).patch("shop", note("colour", colour));
  }

  /** Deletes the shop. */
  static Step delete() {
    return client -> shops(client).delete("shop");
  }

  private static ResourceClient<ConfigMap> shops(RESTClient client) {
    return client.resource(ConfigMap.TYPE).inNamespace(NAMESPACE);
  }

  // ---- what it has

  static String size(ConfigMap shop) {
    return shop.data().get("size");
  }

  /** Returns a secret of the shop, which has a label with the size of the shop. */
  static Secret secret(ConfigMap shop, String name) {
    return secret(shop, ObjectMeta.builder().name(name));
  }

  /** Returns a secret of the shop whose name the server makes. */
  static Secret secretWithGeneratedName(ConfigMap shop) {
    return secret(shop, ObjectMeta.builder().generateName("shop-password-"));
  }

  private static Secret secret(ConfigMap shop, ObjectMeta.Builder metadata) {
    Map<String, String> labels = Map.of("size", size(shop));
    return OwnerReferences.setController(
        Secret.of(s -> s.metadata(metadata.namespace(NAMESPACE).labels(labels).build())), shop);
  }

  static String size(Secret secret) {
    return secret.metadata().labels().get("size");
  }

  /** Returns a patch that writes a note, whatever the version of the shop. */
  static Patch note(String key, String note) {
    return Patch.merge(Map.of("data", Map.of(key, note)));
  }

  /** Returns the shop with a note that the controller writes. */
  static ConfigMap withNote(ConfigMap shop, String key, String note) {
    return shop.with(map -> map.editData(data -> data.put(key, note)));
  }
}
