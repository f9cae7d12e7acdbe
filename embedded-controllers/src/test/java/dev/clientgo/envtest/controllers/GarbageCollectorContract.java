package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the garbage collector. */
abstract class GarbageCollectorContract extends ControllerContract {

  private static final String HOLD = "example.com/hold";
  private static final GroupVersionResource GADGETS =
      new GroupVersionResource("gc.example.com", "v1", "gadgets");

  private String namespace;
  private ResourceClient<ConfigMap> maps;
  private ResourceClient<Secret> secrets;

  @BeforeEach
  void createNamespace() throws Exception {
    namespace = namespace();
    maps = client().resource(ConfigMap.TYPE).inNamespace(namespace);
    secrets = client().resource(Secret.TYPE).inNamespace(namespace);
  }

  private ConfigMap owner(String name) throws Exception {
    return maps.create(ConfigMap.of(namespace, name, map -> {}));
  }

  private Secret dependent(String name, KubernetesObject... owners) throws Exception {
    Secret secret = Secret.of(namespace, name, s -> {});
    for (KubernetesObject owner : owners) {
      secret = OwnerReferences.setOwner(secret, owner);
    }
    return secrets.create(secret);
  }

  private static DeleteOptions propagate(DeletionPropagation policy) {
    return DeleteOptions.builder().propagationPolicy(policy).build();
  }

  /* --------------- Background --------------- */

  @Test
  void ownerIsDeleted_dependentsOfDependentsGo() throws Exception {
    ConfigMap owner = owner("owner");
    Secret child = dependent("child", owner);
    dependent("grandchild", child);

    maps.delete("owner");

    awaitGone(secrets, "child");
    awaitGone(secrets, "grandchild");
  }

  @Test
  void oneOfTwoOwnersIsDeleted_dependentLosesThatReferenceOnly() throws Exception {
    ConfigMap first = owner("first");
    ConfigMap second = owner("second");
    dependent("child", first, second);

    maps.delete("first");

    Secret child =
        await(
                secrets,
                "child",
                found -> found.isEmpty() || found.get().metadata().ownerReferences().size() == 1)
            .orElseThrow();
    assertThat(OwnerReferences.hasOwner(child, second)).isTrue();
  }

  @Test
  void ownerWasNeverThere_dependentGoes() throws Exception {
    ConfigMap owner = owner("owner");
    maps.delete("owner");

    dependent("child", owner);

    awaitGone(secrets, "child");
  }

  @Test
  void uidIsOfAnotherObject_dependentGoes() throws Exception {
    ConfigMap first = owner("owner");
    maps.delete("owner");
    owner("owner");

    dependent("child", first);

    awaitGone(secrets, "child");
  }

  @Test
  void ownerIsReplacedByAnotherOfItsName_dependentGoes() throws Exception {
    ConfigMap first = owner("owner");
    dependent("child", first);

    maps.delete("owner");
    owner("owner");

    awaitGone(secrets, "child");
  }

  @Test
  void ownerIsInAnotherNamespace_dependentGoes() throws Exception {
    ResourceClient<ConfigMap> elsewhere =
        client().resource(ConfigMap.TYPE).inNamespace(namespace());
    ConfigMap owner = elsewhere.create(ConfigMap.of(elsewhere.namespace(), "owner", map -> {}));

    secrets.create(
        Secret.of(
            namespace,
            "child",
            s ->
                s.editMetadata(
                    m ->
                        m.editOwnerReferences(
                            all -> all.add(OwnerReferences.newOwnerRef(owner))))));

    awaitGone(secrets, "child");
    assertThat(elsewhere.find("owner")).isPresent();
  }

  @Test
  void ownerIsClusterScoped_dependentGoesWithIt() throws Exception {
    ResourceClient<ClusterRole> roles = client().resource(ClusterRole.TYPE);
    ClusterRole owner = roles.create(ClusterRole.of(namespace, role -> {}));
    dependent("child", owner);

    roles.delete(namespace);

    awaitGone(secrets, "child");
  }

  @Test
  void dependentIsClusterScopedAndOwnerIsNot_dependentStays() throws Exception {
    ResourceClient<ClusterRole> roles = client().resource(ClusterRole.TYPE);
    ConfigMap owner = owner("owner");
    roles.create(
        ClusterRole.of(
            namespace,
            role ->
                role.editMetadata(
                    m ->
                        m.editOwnerReferences(
                            all -> all.add(OwnerReferences.newOwnerRef(owner))))));
    dependent("child", owner);

    maps.delete("owner");

    awaitGone(secrets, "child");
    assertThat(roles.find(namespace)).isPresent();
    roles.delete(namespace);
  }

  @Test
  void dependentHasAFinalizer_itIsMarkedOnly() throws Exception {
    ConfigMap owner = owner("owner");
    dependent("child", owner);
    secrets.edit("child", child -> Finalizers.add(child, HOLD));

    maps.delete("owner");

    await(secrets, "child", found -> found.orElseThrow().metadata().isBeingDeleted());
    secrets.edit("child", child -> Finalizers.remove(child, HOLD));
    awaitGone(secrets, "child");
  }

  /* --------------- Foreground --------------- */

  @Test
  void foreground_ownerGoesAfterItsBlockingDependents() throws Exception {
    ConfigMap owner = owner("owner");
    secrets.create(
        Finalizers.add(
            OwnerReferences.setController(Secret.of(namespace, "child", s -> {}), owner), HOLD));
    dependent("other", owner);

    maps.delete("owner", propagate(DeletionPropagation.FOREGROUND));

    awaitGone(secrets, "other");
    await(secrets, "child", found -> found.orElseThrow().metadata().isBeingDeleted());
    ConfigMap waiting = maps.get("owner");
    assertThat(waiting.metadata().isBeingDeleted()).isTrue();
    assertThat(waiting.metadata().finalizers()).containsExactly("foregroundDeletion");

    secrets.edit("child", child -> Finalizers.remove(child, HOLD));
    awaitGone(secrets, "child");
    awaitGone(maps, "owner");
  }

  @Test
  void foreground_dependentThatDoesNotBlock_doesNotKeepTheOwner() throws Exception {
    ConfigMap owner = owner("owner");
    dependent("child", owner);
    secrets.edit("child", child -> Finalizers.add(child, HOLD));

    maps.delete("owner", propagate(DeletionPropagation.FOREGROUND));

    awaitGone(maps, "owner");
    await(secrets, "child", found -> found.orElseThrow().metadata().isBeingDeleted());
    secrets.edit("child", child -> Finalizers.remove(child, HOLD));
    awaitGone(secrets, "child");
  }

  @Test
  void foreground_reachesDependentsOfDependents() throws Exception {
    ConfigMap owner = owner("owner");
    ConfigMap child =
        maps.create(
            OwnerReferences.setController(ConfigMap.of(namespace, "child", m -> {}), owner));
    secrets.create(
        Finalizers.add(
            OwnerReferences.setController(Secret.of(namespace, "grandchild", s -> {}), child),
            HOLD));

    maps.delete("owner", propagate(DeletionPropagation.FOREGROUND));

    await(secrets, "grandchild", found -> found.orElseThrow().metadata().isBeingDeleted());
    assertThat(maps.get("child").metadata().finalizers()).containsExactly("foregroundDeletion");
    assertThat(maps.get("owner").metadata().finalizers()).containsExactly("foregroundDeletion");
    secrets.edit("grandchild", grandchild -> Finalizers.remove(grandchild, HOLD));
    awaitGone(maps, "child");
    awaitGone(maps, "owner");
  }

  @Test
  void foreground_ownersThatOwnEachOther_bothGo() throws Exception {
    ConfigMap first = owner("first");
    ConfigMap second =
        maps.create(
            OwnerReferences.setController(ConfigMap.of(namespace, "second", m -> {}), first));
    maps.edit("first", map -> OwnerReferences.setController(map, second));

    maps.delete("first", propagate(DeletionPropagation.FOREGROUND));

    awaitGone(maps, "second");
    awaitGone(maps, "first");
  }

  @Test
  void foreground_withoutDependents_ownerGoes() throws Exception {
    owner("owner");

    maps.delete("owner", propagate(DeletionPropagation.FOREGROUND));

    awaitGone(maps, "owner");
  }

  @Test
  void foreground_otherOwnerStays_dependentIsKept() throws Exception {
    ConfigMap first = owner("first");
    ConfigMap second = owner("second");
    secrets.create(
        OwnerReferences.setOwner(
            OwnerReferences.setController(Secret.of(namespace, "child", s -> {}), first), second));

    maps.delete("first", propagate(DeletionPropagation.FOREGROUND));

    awaitGone(maps, "first");
    assertThat(secrets.get("child").metadata().ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("second");
  }

  /* --------------- Orphan --------------- */

  @Test
  void orphan_dependentsStayWithoutTheOwner() throws Exception {
    ConfigMap owner = owner("owner");
    ConfigMap other = owner("other");
    dependent("child", owner);
    dependent("shared", owner, other);

    maps.delete("owner", propagate(DeletionPropagation.ORPHAN));

    awaitGone(maps, "owner");
    assertThat(secrets.get("child").metadata().ownerReferences()).isEmpty();
    assertThat(secrets.get("shared").metadata().ownerReferences())
        .extracting(OwnerReference::name)
        .containsExactly("other");
  }

  @Test
  void orphan_keepsTheFinalizersOfOthers() throws Exception {
    ConfigMap owner = owner("owner");
    dependent("child", owner);
    maps.edit("owner", map -> Finalizers.add(map, HOLD));

    maps.delete("owner", propagate(DeletionPropagation.ORPHAN));

    await(
        maps, "owner", found -> found.orElseThrow().metadata().finalizers().equals(List.of(HOLD)));
    assertThat(secrets.get("child").metadata().ownerReferences()).isEmpty();
    maps.edit("owner", map -> Finalizers.remove(map, HOLD));
    awaitGone(maps, "owner");
  }

  /* --------------- Custom resources --------------- */

  @Test
  void customResource_ownsAndIsOwned_andItsDefinitionMayComeLater() throws Exception {
    ConfigMap root = owner("root");
    server().installCrds(Path.of("src/test/crds/gadgets.yaml"));
    ResourceClient<Unstructured> gadgets = client().dynamic(GADGETS).inNamespace(namespace);
    Unstructured gadget =
        Unstructured.of(
            Map.of(
                "apiVersion", "gc.example.com/v1",
                "kind", "Gadget",
                "metadata", Map.of("name", "gadget", "namespace", namespace)));
    dependent("child", gadgets.create(OwnerReferences.setOwner(gadget, root)));

    maps.delete("root");

    awaitGone(gadgets, "gadget");
    awaitGone(secrets, "child");
  }
}
