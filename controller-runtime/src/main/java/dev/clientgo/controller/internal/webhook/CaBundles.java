package dev.clientgo.controller.internal.webhook;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields {@code caBundle} of the objects that tell an API server of webhooks. Used by one
 * thread at a time.
 */
public final class CaBundles {

  private static final Logger LOG = System.getLogger(CaBundles.class.getName());

  private static final String CONVERSION = "/spec/conversion/webhook/clientConfig/caBundle";

  /**
   * An object that configures webhooks.
   *
   * @param webhooks the names of the webhooks in it; none in the definition of a custom resource
   */
  public record Registration(GroupVersionResource resource, String name, Set<String> webhooks) {
    @Override
    public String toString() {
      return resource.resource() + "/" + name;
    }
  }

  /** The fields of an object: the value of each by its path, empty if it has none. */
  record Found(
      Registration registration, @Nullable String resourceVersion, Map<String, Bytes> bundles) {}

  private final RESTClient client;
  private final List<Registration> registrations;
  private Set<String> missing = Set.of();

  public CaBundles(RESTClient client, List<Registration> registrations) {
    this.client = client;
    this.registrations = registrations;
  }

  /** Reads the fields. The log has a line if some are missing, because nothing was installed. */
  List<Found> read() throws InterruptedException {
    List<Found> all = new ArrayList<>();
    Set<String> absent = new TreeSet<>();
    for (Registration each : registrations) {
      Optional<Unstructured> object = client.dynamic(each.resource()).find(each.name());
      Map<String, Bytes> bundles = object.map(o -> bundles(each, o)).orElse(Map.of());
      if (bundles.size() < Math.max(1, each.webhooks().size())) {
        absent.add(each.toString());
      }
      object.ifPresent(o -> all.add(new Found(each, o.metadata().resourceVersion(), bundles)));
    }
    if (!absent.isEmpty() && !absent.equals(missing)) {
      LOG.log(
          Level.WARNING,
          "Cannot write the caBundle of webhooks that are not registered yet: objects={0}",
          absent);
    }
    missing = absent;
    return all;
  }

  private static Map<String, Bytes> bundles(Registration registration, Unstructured object) {
    Map<String, Bytes> all = new LinkedHashMap<>();
    if (registration.webhooks().isEmpty()) {
      object
          .nestedMap("spec", "conversion", "webhook", "clientConfig")
          .ifPresent(config -> all.put(CONVERSION, bundle(config)));
    }
    List<?> webhooks = object.nestedList("webhooks").orElse(List.of());
    for (int i = 0; i < webhooks.size(); i++) {
      if (webhooks.get(i) instanceof Map<?, ?> webhook
          && webhook.get("name") instanceof String name
          && registration.webhooks().contains(name)
          && webhook.get("clientConfig") instanceof Map<?, ?> config) {
        all.put("/webhooks/" + i + "/clientConfig/caBundle", bundle(config));
      }
    }
    return all;
  }

  private static Bytes bundle(Map<?, ?> clientConfig) {
    return new Bytes(clientConfig.get("caBundle") instanceof String base64 ? base64 : "");
  }

  /**
   * Writes authorities to the fields that lack one. Others stay in a field that has them all: while
   * replicas with another Secret run beside these, neither takes away what the others have written.
   *
   * @param found the fields; if an object has changed since they were read, this fails with a
   *     conflict
   * @param authorities in PEM form
   * @return the objects that lacked one; empty if all fields had them before
   */
  List<String> write(List<Found> found, List<String> authorities) throws InterruptedException {
    List<String> written = new ArrayList<>();
    for (Found each : found) {
      JsonPatch.Builder patch =
          JsonPatch.builder().add("/metadata/resourceVersion", each.resourceVersion());
      boolean changes = false;
      for (Map.Entry<String, Bytes> field : each.bundles().entrySet()) {
        if (!authorities.stream().allMatch(field.getValue().utf8()::contains)) {
          patch.add(field.getKey(), Bytes.ofUtf8(String.join("", authorities)).base64());
          changes = true;
        }
      }
      if (changes) {
        Registration registration = each.registration();
        client
            .dynamic(registration.resource())
            .patch(registration.name(), Patch.json(patch.build()));
        written.add(registration.toString());
      }
    }
    return written;
  }
}
