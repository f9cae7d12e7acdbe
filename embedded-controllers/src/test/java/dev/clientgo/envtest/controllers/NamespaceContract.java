package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.NamespaceCondition;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of the life of namespaces. */
abstract class NamespaceContract extends ControllerContract {

  private static final String HOLD = "example.com/hold";
  private static final String OTHER = "example.com/other";

  private String namespace;
  private ResourceClient<Namespace> namespaces;
  private ResourceClient<ConfigMap> maps;
  private ResourceClient<Secret> secrets;

  @BeforeEach
  void createNamespace() throws Exception {
    namespace = namespace();
    namespaces = client().resource(Namespace.TYPE);
    maps = client().resource(ConfigMap.TYPE).inNamespace(namespace);
    secrets = client().resource(Secret.TYPE).inNamespace(namespace);
  }

  private Namespace awaitCondition(String type, String status, String text) throws Exception {
    return await(
            namespaces,
            namespace,
            found ->
                found.orElseThrow().status().conditions().stream()
                    .anyMatch(
                        c ->
                            type.equals(c.type())
                                && status.equals(c.status())
                                && String.valueOf(c.message()).contains(text)))
        .orElseThrow();
  }

  @Test
  void namespace_goesWithAllThatIsInIt() throws Exception {
    maps.create(ConfigMap.of(namespace, "map", map -> {}));
    secrets.create(Secret.of(namespace, "secret", secret -> {}));

    namespaces.delete(namespace);

    awaitGone(namespaces, namespace);
    assertThat(maps.list().items()).isEmpty();
    assertThat(secrets.list().items()).isEmpty();
  }

  @Test
  void namespaceOfTheSameName_beginsEmpty() throws Exception {
    maps.create(ConfigMap.of(namespace, "map", map -> {}));
    namespaces.delete(namespace);
    awaitGone(namespaces, namespace);

    namespaces.create(Namespace.of(namespace, n -> {}));

    awaitPresent(client().resource(ServiceAccount.TYPE).inNamespace(namespace), "default");
    assertThat(maps.find("map")).isEmpty();
  }

  @Test
  void objectWithAFinalizer_keepsTheNamespace_whichTellsWhy() throws Exception {
    secrets.create(Finalizers.add(Secret.of(namespace, "held", s -> {}), HOLD));
    maps.create(ConfigMap.of(namespace, "map", map -> {}));

    namespaces.delete(namespace);

    Namespace waiting = awaitCondition("NamespaceFinalizersRemaining", "True", HOLD);
    assertThat(waiting.status().phase()).hasToString("Terminating");
    assertThat(waiting.spec().finalizers()).containsExactly("kubernetes");
    assertThat(waiting.status().conditions())
        .extracting(
            NamespaceCondition::type,
            NamespaceCondition::status,
            NamespaceCondition::reason,
            NamespaceCondition::message)
        .containsExactly(
            tuple(
                "NamespaceDeletionDiscoveryFailure",
                "False",
                "ResourcesDiscovered",
                "All resources successfully discovered"),
            tuple(
                "NamespaceDeletionGroupVersionParsingFailure",
                "False",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed"),
            tuple(
                "NamespaceDeletionContentFailure",
                "False",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization"),
            tuple(
                "NamespaceContentRemaining",
                "True",
                "SomeResourcesRemain",
                "Some resources are remaining: secrets. has 1 resource instances"),
            tuple(
                "NamespaceFinalizersRemaining",
                "True",
                "SomeFinalizersRemain",
                "Some content in the namespace has finalizers remaining: example.com/hold in 1"
                    + " resource instances"));
    assertThat(maps.find("map")).isEmpty();
    assertThatThrownBy(() -> maps.create(ConfigMap.of(namespace, "late", map -> {})))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isForbidden()).isTrue());

    secrets.edit("held", secret -> Finalizers.remove(secret, HOLD));
    awaitGone(namespaces, namespace);
  }

  @Test
  void pods_goBeforeAllElse() throws Exception {
    awaitPresent(client().resource(ServiceAccount.TYPE).inNamespace(namespace), "default");
    ResourceClient<Pod> pods = client().resource(Pod.TYPE).inNamespace(namespace);
    Pod pod =
        Pod.of(
            namespace,
            "held",
            p ->
                p.editSpec(
                    s ->
                        s.schedulerName("none")
                            .addContainers(c -> c.name("c").image("example.com/app"))));
    pods.create(Finalizers.add(pod, HOLD));
    maps.create(ConfigMap.of(namespace, "map", map -> {}));

    namespaces.delete(namespace);

    await(pods, "held", found -> found.orElseThrow().metadata().isBeingDeleted());
    awaitCondition("NamespaceContentRemaining", "False", "All content successfully removed");
    assertThat(maps.get("map").metadata().isBeingDeleted()).isFalse();
    pods.edit("held", held -> Finalizers.remove(held, HOLD));
    awaitGone(namespaces, namespace);
  }

  @Test
  void finalizersOfTheNamespaceItself_keepItEmpty() throws Exception {
    namespaces.edit(namespace, n -> Finalizers.add(n, HOLD));
    maps.create(ConfigMap.of(namespace, "map", map -> {}));

    namespaces.delete(namespace);

    await(namespaces, namespace, found -> found.orElseThrow().spec().finalizers().isEmpty());
    assertThat(maps.list().items()).isEmpty();
    namespaces.edit(namespace, n -> Finalizers.remove(n, HOLD));
    awaitGone(namespaces, namespace);
  }

  @Test
  void anotherFinalizerInTheSpec_isLeftToItsOwner() throws Exception {
    String name = namespace + "-other";
    namespaces.create(Namespace.of(name, n -> n.editSpec(s -> s.finalizers(List.of(OTHER)))));

    namespaces.delete(name);

    Namespace waiting =
        await(
                namespaces,
                name,
                found -> !found.orElseThrow().spec().finalizers().contains("kubernetes"))
            .orElseThrow();
    assertThat(waiting.spec().finalizers()).containsExactly(OTHER);
    namespaces
        .subresource("finalize")
        .update(name, waiting.with(n -> n.editSpec(s -> s.editFinalizers(all -> all.clear()))));
    awaitGone(namespaces, name);
  }
}
