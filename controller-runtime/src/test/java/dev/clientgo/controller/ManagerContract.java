package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promises of controllers and managers, on a server. */
abstract class ManagerContract {

  static final Duration LIMIT = Duration.ofSeconds(60);

  static final ResourceType<Unstructured> FOO =
      Unstructured.type(
          new GroupVersionKind("samplecontroller.k8s.io", "v1alpha1", "Foo"), "foos", true);

  private static final GroupVersionResource DEFINITIONS =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  private RESTClient client;
  private String namespace;
  private ResourceClient<ConfigMap> maps;

  @BeforeEach
  void remember(RESTClient client, @TestNamespace String namespace) {
    this.client = client;
    this.namespace = namespace;
    maps = client.resource(ConfigMap.TYPE).inNamespace(namespace);
  }

  private ManagerBuilder manager() {
    return Manager.builder(client).informers(factory -> factory.namespace(namespace));
  }

  private Request request(String name) {
    return new Request(namespace, name);
  }

  private ConfigMap map(String name) {
    return ConfigMap.of(namespace, name, c -> c.data(Map.of("a", "1")));
  }

  @Test
  void createIfAbsent_byManyWorkers_createsEachOnce() throws Exception {
    AtomicInteger created = new AtomicInteger();
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              CachedResource<Secret> secrets =
                  context.client().resource(Secret.TYPE).inNamespace(namespace);
              if (secrets.find(request).isEmpty()) {
                secrets.create(Secret.of(namespace, request.name(), s -> {}));
                created.incrementAndGet();
              }
              assertThat(secrets.find(request)).isPresent();
              return Result.done();
            });
    try (Manager manager = manager().build()) {
      Controller controller =
          Controller.builder(reconciler).forKind(ConfigMap.TYPE).workers(8).build();
      manager.add(controller);
      manager.start();
      for (int i = 0; i < 20; i++) {
        maps.create(map("m" + i));
        controller.enqueue(request("m" + i));
      }
      for (int i = 0; i < 20; i++) {
        String name = "m" + i;
        client.resource(Secret.TYPE).inNamespace(namespace).await(name, Optional::isPresent, LIMIT);
      }
    }
    // A second create would have failed, and a failure is tried again.
    assertThat(created.get()).isEqualTo(20);
    assertThat(reconciler.drain()).allMatch(call -> call.failures() == 0);
  }

  @Test
  void ownedObject_changedAndDeleted_reconcilesItsOwner() throws Exception {
    ConfigMap owner = maps.create(map("owner"));
    ResourceClient<Secret> secrets = client.resource(Secret.TYPE).inNamespace(namespace);
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = manager().build()) {
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      reconciler.awaitCall(request("owner"));
      reconciler.drain();

      secrets.create(OwnerReferences.setController(Secret.of(namespace, "owned", s -> {}), owner));
      reconciler.awaitCall(request("owner"));
      secrets.delete("owned");
      reconciler.awaitCall(request("owner"));
    }
  }

  @Test
  void leader_closed_aWarmStandbyTakesOver() throws Exception {
    RecordingReconciler first = new RecordingReconciler();
    RecordingReconciler second = new RecordingReconciler();
    maps.create(map("x"));
    try (Manager standby = elected()) {
      Controller waiting = Controller.builder(second).forKind(ConfigMap.TYPE).warmUp(true).build();
      standby.add(waiting);
      try (Manager leader = elected()) {
        leader.add(Controller.builder(first).forKind(ConfigMap.TYPE).build());
        leader.start();
        first.awaitCall(request("x"));
        standby.start();
        Eventually.await(
            "a warm standby",
            () ->
                waiting.state() == ControllerState.STANDBY
                    && standby.informerHealth().values().stream()
                        .anyMatch(InformerHealth::hasSynced));
        assertThat(second.drain()).isEmpty();
      }

      second.awaitCall(request("x"));
      assertThat(standby.isLeader()).isTrue();
    }
  }

  private Manager elected() {
    return manager()
        .leaderElection(
            LeaseLock.of(namespace, "operator"),
            options ->
                options
                    .leaseDuration(Duration.ofSeconds(15))
                    .renewDeadline(Duration.ofSeconds(10))
                    .retryPeriod(Duration.ofMillis(100)))
        .build();
  }

  @Test
  void definition_comesAndGoesAndComes_itsObjectsAreReconciled(ApiServer server) throws Exception {
    client.dynamic(DEFINITIONS).deleteIfExists("foos.samplecontroller.k8s.io");
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = manager().build()) {
      Controller controller = Controller.builder(reconciler).forKind(FOO).build();
      manager.add(controller);
      manager.start();
      Eventually.await("an error", () -> !errors(manager).isEmpty());
      assertThat(controller.state()).isEqualTo(ControllerState.SYNCING);

      server.installCrds(Path.of("src/test/crds"));
      createFoo("first");
      reconciler.awaitCall(request("first"));
      assertThat(manager.awaitReady(LIMIT)).isTrue();

      client.dynamic(DEFINITIONS).delete("foos.samplecontroller.k8s.io");
      client.dynamic(DEFINITIONS).await("foos.samplecontroller.k8s.io", Optional::isEmpty, LIMIT);
      server.installCrds(Path.of("src/test/crds"));
      createFoo("second");
      reconciler.awaitCall(request("second"));
    }
  }

  private static List<String> errors(Manager manager) {
    return manager.informerHealth().values().stream()
        .flatMap(health -> health.lastError().stream())
        .map(Object::toString)
        .toList();
  }

  private void createFoo(String name) throws InterruptedException {
    client
        .resource(FOO)
        .inNamespace(namespace)
        .create(
            Unstructured.of(Map.of("metadata", Map.of("name", name)))
                .withType("samplecontroller.k8s.io/v1alpha1", "Foo"));
  }
}
