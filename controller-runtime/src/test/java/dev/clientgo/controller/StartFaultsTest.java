package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.webhook.AdmissionResponse;
import dev.clientgo.controller.webhook.ServingCertificate;
import dev.clientgo.controller.webhook.Webhook;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A start that fails is told, and leaves nothing behind. */
@Timeout(300)
final class StartFaultsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final CapturedLog log = CapturedLog.of(Controller.class);
  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    log.close();
    client.close();
    server.close();
  }

  /** A factory of threads of which some cannot start, as if the system had no more. */
  private static ThreadFactory factoryWithout(String name) {
    return task ->
        new Thread(task) {
          {
            setDaemon(true);
          }

          @Override
          public synchronized void start() {
            if (getName().contains(name)) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
          }
        };
  }

  private static Controller controller(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE).named("test").workers(3).build();
  }

  private static HttpResponse<String> get(Manager manager, String path) throws Exception {
    int port = manager.httpAddress().orElseThrow().getPort();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static void assertFree(InetSocketAddress address) {
    assertThatCode(
            () -> {
              try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(address);
              }
            })
        .as("the port of " + address)
        .doesNotThrowAnyException();
  }

  // ---- controllers

  @Test
  void lastWorkerThatCannotStart_failsTheController() throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager =
        Manager.builder(client).http(ANY_PORT).threadFactory(factoryWithout("-worker-2")).build()) {
      Controller controller = controller(reconciler);
      manager.add(controller);
      manager.start();

      assertThatThrownBy(() -> manager.awaitReady(LIMIT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the controller test cannot start")
          .hasMessageContaining("unable to create native thread")
          .hasCauseInstanceOf(OutOfMemoryError.class);
      assertThat(controller.state()).isEqualTo(ControllerState.FAILED);
      assertThat(get(manager, "/readyz").body()).contains("[-]controller-test failed: ");
      assertThat(get(manager, "/healthz").statusCode()).isEqualTo(500);
      assertThat(log.contains("The controller has failed: controller=test")).isTrue();
      create("x");
      controller.enqueue(new Request("default", "x"));
      assertThat(reconciler.drain()).as("the workers that did start have ended").isEmpty();
    }
  }

  private void create(String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .inNamespace("default")
        .create(ConfigMap.of("default", name, map -> {}));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void errorWhileTheInformerIsMade_failsTheController(Fault fault) throws Exception {
    try (Manager manager =
        Manager.builder(client)
            .http(ANY_PORT)
            .informers(factory -> factory.configureAll(informer -> fault.fail()))
            .build()) {
      Controller controller = controller(new RecordingReconciler());
      manager.add(controller);
      manager.start();

      assertThat(catchThrowable(() -> manager.awaitReady(LIMIT))).isNotNull();
      assertThat(controller.state()).isEqualTo(ControllerState.FAILED);
      assertThat(get(manager, "/readyz").body()).contains("[-]controller-test failed: ");
      assertThat(get(manager, "/healthz").statusCode()).isEqualTo(500);
      assertThat(log.contains("The controller has failed: controller=test")).isTrue();
    }
  }

  /** Otherwise the thread would take it for its own end, and the controller would wait forever. */
  @Test
  void interruptLeftBehindWhileTheInformerIsMade_failsTheController() {
    try (Manager manager =
        Manager.builder(client)
            .informers(
                factory -> factory.configureAll(informer -> Thread.currentThread().interrupt()))
            .build()) {
      Controller controller = controller(new RecordingReconciler());
      manager.add(controller);
      manager.start();

      assertThatThrownBy(() -> manager.awaitReady(LIMIT))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the controller test cannot start")
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(controller.state()).isEqualTo(ControllerState.FAILED);
    }
  }

  /** Times that no long can count in nanoseconds. */
  @Test
  void timesWithoutAnEnd_costNothing() throws Exception {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    RecordingReconciler reconciler = new RecordingReconciler();
    Manager manager =
        Manager.builder(client).http(ANY_PORT).gracefulShutdownTimeout(forever).build();
    manager.add(
        Controller.builder(reconciler)
            .forKind(ConfigMap.TYPE)
            .reconcileTimeout(forever)
            .named("test")
            .build());
    manager.start();
    assertThat(manager.awaitReady(LIMIT)).isTrue();
    create("x");
    reconciler.awaitCall(new Request("default", "x"));

    manager.close();

    assertThat(log.contains("watchdog")).isFalse();
    assertFree(manager.httpAddress().orElseThrow());
  }

  /** A controller is ready although its predicate fails for an object of the first list. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void predicateThatFailsInTheFirstList_doesNotKeepTheControllerFromItsWork(Fault fault)
      throws Exception {
    create("bad");
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = Manager.create(client)) {
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE)
              .predicate(
                  new Predicate<>() {
                    @Override
                    public boolean onAdd(KubernetesObject object) {
                      fault.fail();
                      return true;
                    }
                  })
              .build());
      manager.start();

      assertThat(manager.awaitReady(LIMIT)).isTrue();
      reconciler.awaitCall(new Request("default", "bad"));
    }
  }

  /** A reconcile may begin a little before the controller is running. */
  @Test
  void watch_fromTheFirstReconcile_isTaken() throws Exception {
    create("x");
    AtomicInteger watched = new AtomicInteger();
    try (Manager manager = Manager.create(client)) {
      Controller[] self = new Controller[1];
      self[0] =
          controller(
              (request, context) -> {
                self[0].watch(Secret.TYPE, secret -> List.of());
                watched.incrementAndGet();
                return Result.done();
              });
      manager.add(self[0]);
      manager.start();

      Eventually.await("the watch", () -> watched.get() > 0);
      assertThat(log.contains("Reconcile failed")).isFalse();
    }
  }

  @Test
  void caches_thatAreNotFilled_areAllNamed() throws Exception {
    server
        .faults()
        .on(request -> request.resource().equals("secrets") || request.resource().equals("pods"))
        .always()
        .answer(403);
    FakeClock clock = FakeClock.create();
    try (Manager manager = Manager.builder(client).clock(clock).build()) {
      Controller controller =
          Controller.builder(new RecordingReconciler())
              .forKind(ConfigMap.TYPE)
              .owns(Secret.TYPE)
              .owns(Pod.TYPE)
              .cacheSyncTimeout(Duration.ofMillis(1500))
              .build();
      manager.add(controller);
      manager.start();
      Eventually.await(
          "both errors",
          () ->
              manager.informerHealth().values().stream()
                      .filter(health -> health.lastError().isPresent())
                      .count()
                  == 2);
      Eventually.await(
          "the cache of config maps",
          () -> manager.informerHealth().values().stream().anyMatch(InformerHealth::hasSynced));
      Eventually.await(
          "the end of the time",
          () -> {
            clock.advance(Duration.ofSeconds(1));
            return controller.state() == ControllerState.FAILED;
          });

      assertThatThrownBy(() -> manager.awaitReady(LIMIT))
          .isInstanceOf(CacheSyncException.class)
          .hasMessageContaining("grant the verbs list and watch on secrets")
          .hasMessageContaining("grant the verbs list and watch on pods")
          .hasMessageNotContaining("configmaps");
    }
  }

  // ---- the manager

  private WebhookServer webhooks() {
    return WebhookServer.builder()
        .address(ANY_PORT)
        .certificate(ServingCertificate.selfSigned())
        .add(Webhook.validating(ConfigMap.TYPE, request -> AdmissionResponse.allow()))
        .build();
  }

  /** All parts have started when the controller's turn comes. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void start_thatFailsAtAController_closesWhatHasStarted(Fault fault) throws Exception {
    WebhookServer webhooks = webhooks();
    AtomicInteger served = new AtomicInteger();
    Manager manager =
        Manager.builder(client)
            .http(ANY_PORT)
            .webhooks(webhooks)
            .leaderElection(LeaseLock.of("default", "operator"))
            .reconcilers(
                reconciler -> {
                  served.set(webhooks.address().getPort());
                  fault.fail();
                  return reconciler;
                })
            .build();
    Controller controller = controller(new RecordingReconciler());
    manager.add(controller);

    assertThat(catchThrowable(manager::start)).isNotNull();

    assertThat(webhooks.isRunning()).isFalse();
    assertFree(new InetSocketAddress(InetAddress.getLoopbackAddress(), served.get()));
    assertFree(manager.httpAddress().orElseThrow());
    assertThat(manager.isLeader()).isFalse();
    assertThatThrownBy(manager::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed and cannot start again");
    assertThatThrownBy(() -> manager.add(controller("other")))
        .isInstanceOf(IllegalStateException.class);
    manager.close(); // Once more.
    Eventually.await(
        "no thread is left",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("controller-test")));
  }

  private static Controller controller(String name) {
    return Controller.builder(new RecordingReconciler())
        .forKind(ConfigMap.TYPE)
        .named(name)
        .build();
  }

  @Test
  void start_withoutACertificate_freesThePortOfThePages() {
    Manager manager =
        Manager.builder(client)
            .http(ANY_PORT)
            .webhooks(
                WebhookServer.builder()
                    .address(ANY_PORT)
                    .certificates(Path.of("target", "not-there"))
                    .add(Webhook.validating(ConfigMap.TYPE, request -> AdmissionResponse.allow()))
                    .build())
            .build();

    assertThatThrownBy(manager::start).hasMessageContaining("not-there");

    assertFree(manager.httpAddress().orElseThrow());
  }

  /** Whichever thread the factory refuses, the start fails or the controller does. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void threadFactory_thatThrows_isNeverTakenForARunningController(Fault fault) throws Exception {
    boolean failed = true;
    for (int good = 0; failed; good++) {
      AtomicInteger left = new AtomicInteger(good);
      ThreadFactory factory =
          task -> {
            if (left.getAndDecrement() <= 0) {
              fault.fail();
            }
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          };
      try (Manager manager = Manager.builder(client).threadFactory(factory).build()) {
        // A thread that the informer lacks shows when the time for its cache is up.
        Controller controller =
            Controller.builder(new RecordingReconciler())
                .forKind(ConfigMap.TYPE)
                .cacheSyncTimeout(Duration.ofSeconds(2))
                .build();
        manager.add(controller);
        Throwable error =
            catchThrowable(
                () -> {
                  manager.start();
                  assertThat(manager.awaitReady(LIMIT)).isTrue();
                });
        failed = error != null;
        assertThat(controller.state() == ControllerState.RUNNING).isEqualTo(!failed);
      }
    }
  }
}
