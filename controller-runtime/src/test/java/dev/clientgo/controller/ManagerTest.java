package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.RecordingReconciler.Call;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import dev.clientgo.workqueue.PriorityQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Controllers and their manager on the embedded server. */
final class ManagerTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final ResourceType<Unstructured> FOO =
      Unstructured.type(
          new GroupVersionKind("samplecontroller.k8s.io", "v1alpha1", "Foo"), "foos", true);

  private EmbeddedApiServer server;
  private RESTClient client;
  private Manager manager;
  private ResourceClient<ConfigMap> configMaps;
  private ResourceClient<Secret> secrets;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    manager = Manager.create(client);
    configMaps = client.resource(ConfigMap.TYPE).inNamespace("default");
    secrets = client.resource(Secret.TYPE).inNamespace("default");
  }

  @AfterEach
  void stop() {
    manager.close();
    client.close();
    server.close();
  }

  private static ConfigMap configMap(String name) {
    return ConfigMap.of("default", name, c -> c.data(Map.of("a", "1")));
  }

  private static Request request(String name) {
    return new Request("default", name);
  }

  private void run(Controller controller) throws InterruptedException {
    manager.add(controller);
    manager.start();
    assertThat(manager.awaitReady(LIMIT)).isTrue();
  }

  @Test
  void kind_isReconciledForItsFirstListAndEachChange() throws Exception {
    configMaps.create(configMap("old"));
    RecordingReconciler reconciler = new RecordingReconciler();
    run(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());

    assertThat(reconciler.next())
        .isEqualTo(new Call(request("old"), PriorityQueue.LOW_PRIORITY, 0));
    configMaps.create(configMap("new"));
    assertThat(reconciler.next()).isEqualTo(new Call(request("new"), 0, 0));
    configMaps.edit("new", c -> c.with(b -> b.data(Map.of("a", "2"))));
    assertThat(reconciler.next()).isEqualTo(new Call(request("new"), 0, 0));
    configMaps.delete("old");
    assertThat(reconciler.next()).isEqualTo(new Call(request("old"), 0, 0));
  }

  @Test
  void owned_objectsLeadToTheirOwner_beforeAndAfterAnUpdate() throws Exception {
    ConfigMap first = configMaps.create(configMap("first"));
    ConfigMap second = configMaps.create(configMap("second"));
    RecordingReconciler reconciler = new RecordingReconciler();
    run(Controller.builder(reconciler).forKind(ConfigMap.TYPE).owns(Secret.TYPE).build());
    reconciler.next();
    reconciler.next();

    secrets.create(
        OwnerReferences.setController(Secret.of("default", "s", s -> s.type("Opaque")), first));
    assertThat(reconciler.next().request()).isEqualTo(request("first"));
    secrets.edit(
        "s",
        s -> OwnerReferences.setController(OwnerReferences.removeController(s, first), second));

    assertThat(List.of(reconciler.next().request(), reconciler.next().request()))
        .containsExactlyInAnyOrder(request("first"), request("second"));
    secrets.delete("s");
    assertThat(reconciler.next().request()).isEqualTo(request("second"));
  }

  @Test
  void watched_objectsLeadToWhatTheyMapTo_asFarAsPredicatesPass() throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    run(
        Controller.builder(reconciler)
            .named("by-label")
            .watches(
                Secret.TYPE,
                secret -> List.of(request("a"), request("b")),
                Predicate.of(secret -> "yes".equals(secret.metadata().labels().get("wanted"))))
            .predicate(Predicate.of(object -> !"ignored".equals(object.metadata().name())))
            .build());

    Map<String, String> wanted = Map.of("wanted", "yes");
    secrets.create(Secret.of("default", "ignored", s -> s.editMetadata(m -> m.labels(wanted))));
    secrets.create(
        Secret.of("default", "other", s -> s.editMetadata(m -> m.labels(Map.of("wanted", "no")))));
    secrets.create(Secret.of("default", "s", s -> s.editMetadata(m -> m.labels(wanted))));

    assertThat(List.of(reconciler.next().request(), reconciler.next().request()))
        .containsExactlyInAnyOrder(request("a"), request("b"));
    assertThat(reconciler.drain()).isEmpty();
  }

  @Test
  void mappingThatThrows_isLogged_andTheControllerStartsNevertheless() throws Exception {
    secrets.create(Secret.of("default", "bad", s -> s.type("Opaque")));
    try (CapturedLog log = CapturedLog.of(Controller.class)) {
      RecordingReconciler reconciler = new RecordingReconciler();
      run(
          Controller.builder(reconciler)
              .named("careless")
              .watches(
                  Secret.TYPE,
                  secret -> {
                    if ("bad".equals(secret.metadata().name())) {
                      throw new IllegalStateException("I cannot map this");
                    }
                    return List.of(Request.of(secret));
                  })
              .build());

      secrets.create(Secret.of("default", "good", s -> s.type("Opaque")));

      assertThat(reconciler.next().request()).isEqualTo(request("good"));
      assertThat(log.contains("mapping of secrets has failed: controller=careless for=default/bad"))
          .isTrue();
    }
  }

  @Test
  void enqueue_isForCausesThatNoWatchShows() throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    Controller controller = Controller.builder(reconciler).forKind(ConfigMap.TYPE).build();
    controller.enqueue(request("early"));
    run(controller);

    assertThat(reconciler.next().request()).isEqualTo(request("early"));
    controller.enqueue(request("by timer"));
    assertThat(reconciler.next().request()).isEqualTo(request("by timer"));
  }

  @Test
  void controllers_shareAWatch_whichEndsWithTheLastOne() throws Exception {
    Controller first = Controller.builder(new RecordingReconciler()).forKind(FOO).build();
    Controller second =
        Controller.builder(new RecordingReconciler()).named("second").forKind(FOO).build();
    server.installCrds(Path.of("src/test/crds"));
    run(first);
    manager.add(second);
    assertThat(manager.awaitReady(LIMIT)).isTrue();
    server.awaitWatches(1);

    assertThat(manager.remove(first)).isTrue();
    assertThat(server.watches()).hasSize(1);
    assertThat(manager.remove(second)).isTrue();

    Eventually.await("no watch", () -> server.watches().isEmpty());
    assertThat(manager.controllers()).isEmpty();
    assertThat(manager.informerHealth()).isEmpty();
    assertThat(first.state()).isEqualTo(ControllerState.CLOSED);
  }

  @Test
  void controller_watchesAnotherKind_untilItIsToldNotTo() throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    Controller controller = Controller.builder(reconciler).forKind(ConfigMap.TYPE).build();
    assertThatThrownBy(() -> controller.watch(FOO, MapFunction.self()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not running");
    run(controller);
    server.awaitWatches(1);
    server.installCrds(Path.of("src/test/crds"));

    controller.watch(FOO, foo -> List.of(request("by a foo")));
    client
        .resource(FOO)
        .inNamespace("default")
        .create(
            Unstructured.of(Map.of("metadata", Map.of("name", "small")))
                .withType("samplecontroller.k8s.io/v1alpha1", "Foo"));

    assertThat(reconciler.next().request()).isEqualTo(request("by a foo"));
    controller.unwatch(FOO);
    Eventually.await("one watch", () -> server.watches().size() == 1);
    assertThat(manager.informerHealth()).hasSize(1);
  }

  @Test
  void controller_thatWasRemoved_livesNoSecondTime() throws Exception {
    Controller controller =
        Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build();
    run(controller);
    manager.remove(controller);

    assertThatThrownBy(() -> manager.add(controller))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("build a new one");
    manager.add(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());
    assertThat(manager.awaitReady(LIMIT)).isTrue();
  }

  @Test
  void names_areUniqueInAManager_andFreeInAnother() throws Exception {
    manager.add(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());

    assertThatThrownBy(
            () ->
                manager.add(
                    Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is a controller named configmap already");

    try (Manager other = Manager.create(client)) {
      RecordingReconciler reconciler = new RecordingReconciler();
      other.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());
      manager.start();
      other.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      assertThat(other.awaitReady(LIMIT)).isTrue();
    }
    assertThat(manager.awaitReady(LIMIT)).as("untouched by the end of the other").isTrue();
  }

  private void awaitLateCache(ControllerBuilder builder) throws InterruptedException {
    FakeClock clock = FakeClock.create();
    manager = Manager.builder(client).clock(clock).build();
    LateCache.await(builder.cacheSyncTimeout(Duration.ofMillis(1500)).build(), manager, clock);
  }

  @Test
  void forbiddenWatch_failsTheManager_andSaysWhatToGrant() throws Exception {
    server.faults().on(request -> request.resource().equals("secrets")).always().answer(403);
    awaitLateCache(
        Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).owns(Secret.TYPE));

    assertThatThrownBy(() -> manager.awaitReady(LIMIT))
        .isInstanceOf(CacheSyncException.class)
        .hasMessageContaining("controller configmap: caches were not filled within PT1.5S")
        .hasMessageContaining("grant the verbs list and watch on secrets");
    assertThatThrownBy(() -> manager.awaitEnd()).isInstanceOf(CacheSyncException.class);
    assertThat(manager.controllers().get(0).state()).isEqualTo(ControllerState.FAILED);
    assertThatThrownBy(
            () ->
                manager.add(
                    Controller.builder(new RecordingReconciler())
                        .named("next")
                        .forKind(ConfigMap.TYPE)
                        .build()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has failed");
  }

  @Test
  void kindThatIsNotThere_failsTheManager_andAsksForItsDefinition() throws Exception {
    awaitLateCache(Controller.builder(new RecordingReconciler()).forKind(FOO));

    assertThatThrownBy(() -> manager.awaitReady(LIMIT))
        .isInstanceOf(CacheSyncException.class)
        .hasMessageContaining("the server does not serve samplecontroller.k8s.io/v1alpha1 foos")
        .hasMessageContaining("is the CustomResourceDefinition installed?");
  }

  @Test
  void kindThatComesLater_isReconciledThen() throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    manager.add(Controller.builder(reconciler).forKind(FOO).build());
    manager.start();
    server.awaitRequests(1, request -> request.resource().equals("foos"));

    server.installCrds(Path.of("src/test/crds"));
    client
        .resource(FOO)
        .inNamespace("default")
        .create(
            Unstructured.of(Map.of("metadata", Map.of("name", "x")))
                .withType("samplecontroller.k8s.io/v1alpha1", "Foo"));

    assertThat(reconciler.next().request()).isEqualTo(request("x"));
    assertThat(manager.awaitReady(LIMIT)).isTrue();
  }

  @Test
  void kindThatGoes_isTold_andIsReconciledWhenItIsBack() throws Exception {
    server.installCrds(Path.of("src/test/crds"));
    RecordingReconciler reconciler = new RecordingReconciler();
    Controller controller = Controller.builder(reconciler).forKind(FOO).build();
    run(controller);
    server.awaitWatches(1);

    client
        .resource(
            Unstructured.type(
                new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
                "customresourcedefinitions",
                false))
        .delete("foos.samplecontroller.k8s.io");

    Eventually.await(
        "the error",
        () ->
            manager.informerHealth().values().stream()
                .anyMatch(health -> health.lastError().isPresent()));
    assertThat(controller.state()).isEqualTo(ControllerState.RUNNING);
    server.installCrds(Path.of("src/test/crds"));
    client
        .resource(FOO)
        .inNamespace("default")
        .create(
            Unstructured.of(Map.of("metadata", Map.of("name", "x")))
                .withType("samplecontroller.k8s.io/v1alpha1", "Foo"));

    assertThat(reconciler.awaitCall(request("x")).request()).isEqualTo(request("x"));
  }

  @Test
  void close_whileAReconcileBlocks_interruptsItAndEndsEverything() throws Exception {
    manager = Manager.builder(client).gracefulShutdownTimeout(Duration.ofMillis(30)).build();
    configMaps.create(configMap("x"));
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              new CountDownLatch(1).await();
              return Result.done();
            });
    manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());
    manager.start();
    reconciler.next();

    manager.close();

    Eventually.await("no watch", () -> server.watches().isEmpty());
    manager.awaitEnd();
    assertThat(manager.awaitReady(LIMIT)).isFalse();
    assertThatThrownBy(manager::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  /** A reconciler may end its own manager; nothing waits for itself. */
  @Test
  void close_byAReconciler_returns() throws Exception {
    configMaps.create(configMap("x"));
    CountDownLatch closed = new CountDownLatch(1);
    manager.add(
        Controller.builder(
                (request, context) -> {
                  manager.close();
                  closed.countDown();
                  return Result.done();
                })
            .forKind(ConfigMap.TYPE)
            .build());
    manager.start();

    manager.awaitEnd();
    closed.await();
  }

  /** A clock whose wait for the threads of a controller fails. */
  private static Clock faulty(Fault fault) {
    return (Clock)
        Proxy.newProxyInstance(
            ManagerTest.class.getClassLoader(),
            new Class<?>[] {Clock.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("join") && arguments[0].toString().contains("-worker-")) {
                fault.fail();
              }
              try {
                return method.invoke(Clock.system(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void close_withAPartThatThrows_endsTheOthers(Fault fault) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    manager = Manager.builder(client).clock(faulty(fault)).http(any).build();
    run(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());
    InetSocketAddress pages = manager.httpAddress().orElseThrow();

    try (CapturedLog log = CapturedLog.of(Manager.class)) {
      manager.close();
      assertThat(log.contains("A part of the manager has failed to end")).isTrue();
    }

    manager.awaitEnd();
    Eventually.await("the end of watches", () -> server.watches().isEmpty());
    assertThatThrownBy(() -> new Socket(pages.getAddress(), pages.getPort()))
        .isInstanceOf(ConnectException.class);
  }

  /** Its thread is left behind. */
  @Test
  void remove_whileAStartIgnoresItsInterrupt_returns() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean end = new AtomicBoolean();
    Clientset source = Clientset.of(client);
    manager =
        Manager.builder(client)
            .gracefulShutdownTimeout(Duration.ofMillis(3))
            .source(
                new SharedInformerFactory.Source() {
                  @Override
                  public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
                      ResourceType<T> type, String namespace, ListOptions selectors) {
                    begun.countDown();
                    while (!end.get()) {
                      Thread.onSpinWait();
                    }
                    return source.listerWatcher(type, namespace, selectors);
                  }
                })
            .build();
    Controller controller =
        Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build();
    manager.add(controller);
    manager.start();
    begun.await();
    try (CapturedLog log = CapturedLog.of(Controller.class)) {
      assertThat(manager.remove(controller)).isFalse();
      assertThat(log.contains("The start of a controller did not end")).isTrue();
    } finally {
      end.set(true);
    }
  }
}
