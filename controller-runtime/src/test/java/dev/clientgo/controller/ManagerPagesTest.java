package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.cache.InformerHealth;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Health, readiness and metrics over HTTP. */
final class ManagerPagesTest {

  private final HttpClient http = HttpClient.newHttpClient();
  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private ManagerBuilder builder() {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return Manager.builder(client).http(any).metricsBindAddress(any);
  }

  private HttpResponse<String> get(Manager manager, String path) throws Exception {
    return get(manager.metricsAddress().orElseThrow(), path);
  }

  private HttpResponse<String> probe(Manager manager, String path) throws Exception {
    return get(manager.httpAddress().orElseThrow(), path);
  }

  private HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void pages_tellOfControllersChecksAndMetrics() throws Exception {
    try (Manager manager =
        builder()
            .healthCheck("disk", () -> {})
            .readyCheck(
                "license",
                () -> {
                  throw new IllegalStateException("expired");
                })
            .build()) {
      RecordingReconciler reconciler = new RecordingReconciler();
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());
      assertThat(manager.httpAddress()).isEmpty();
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(30))).isTrue();
      client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "x", c -> c.data(Map.of())));
      reconciler.next();

      assertThat(get(manager, "/healthz").statusCode()).isEqualTo(200);
      assertThat(get(manager, "/healthz").body()).isEqualTo("[+]manager ok\n[+]disk ok\nok\n");
      assertThat(get(manager, "/readyz").statusCode()).isEqualTo(500);
      assertThat(get(manager, "/readyz").body())
          .isEqualTo(
              "[+]controller-configmap ok\n[-]license failed: expired\n[+]caches ok\ncheck failed\n");
      assertThat(probe(manager, "/healthz").statusCode()).isEqualTo(200);
      assertThat(probe(manager, "/readyz").statusCode()).isEqualTo(500);
      assertThat(probe(manager, "/readyz").body())
          .isEqualTo(
              "[+]controller-configmap ok\n[-]license failed: reason withheld\n[+]caches ok\ncheck failed\n");
      for (String path : List.of("/metrics", "/debug/reconciles", "/", "/healthz/x")) {
        assertThat(probe(manager, path).statusCode()).isEqualTo(404);
        assertThat(probe(manager, path).body())
            .isEqualTo("no such page; there are\n/healthz\n/readyz\n");
      }
      assertThat(get(manager, "/nothing").statusCode()).isEqualTo(404);
      HttpResponse<String> metrics = get(manager, "/metrics");
      assertThat(metrics.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(metrics.body())
          .contains("controller_runtime_max_concurrent_reconciles{controller=\"configmap\"} 1\n")
          .contains(
              "controller_runtime_reconcile_total{controller=\"configmap\",result=\"error\"} 0\n")
          .contains("reflector_lists_total{name=\"configmaps\"} 1\n")
          .contains("informer_synced{name=\"configmaps\"} 1\n")
          .contains("informer_queued_items{name=\"configmaps\"} 0\n")
          .contains("informer_handler_backlog{name=\"configmaps\"} ")
          .contains("informer_last_event_age_seconds{name=\"configmaps\"} ")
          .contains("rest_client_requests_total{code=\"200\",host=\"")
          .contains("rest_client_request_duration_seconds_count{host=\"")
          .contains("workqueue_adds_total{controller=\"configmap\",name=\"configmap\"} 1\n");
      assertThat(new Descriptions(metrics.body()).names())
          .as("each name is described once")
          .doesNotHaveDuplicates();
    }
  }

  /** No time passes: only the room that newer requests need ends the connections. */
  @Test
  @Timeout(40)
  void probe_besideManyHalfSentRequests_isAnswered() throws Exception {
    List<Socket> halfSent = new ArrayList<>();
    try (Manager manager = builder().clock(FakeClock.create()).build()) {
      manager.start();
      InetSocketAddress address = manager.httpAddress().orElseThrow();
      for (int i = 0; i < 250; i++) {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        halfSent.add(socket);
        socket.getOutputStream().write("GET /healthz HTTP/1.1\r\n".getBytes(US_ASCII));
      }

      assertThat(probe(manager, "/healthz").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : halfSent) {
        socket.close();
      }
    }
  }

  /** The names in the HELP lines. */
  private record Descriptions(String text) {
    List<String> names() {
      return text.lines().filter(line -> line.startsWith("# HELP")).toList();
    }
  }

  @Test
  void readiness_namesACacheThatIsTooOld() throws Exception {
    FakeClock clock = FakeClock.create();
    try (Manager manager = builder().clock(clock).maxStaleness(Duration.ofMinutes(5)).build()) {
      RecordingReconciler reconciler = new RecordingReconciler();
      manager.add(Controller.builder(reconciler).forKind(ConfigMap.TYPE).build());
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(30))).isTrue();
      assertThat(page(manager, "/readyz")).contains("[+]caches ok");

      server.faults().on(request -> request.resource().equals("configmaps")).always().answer(503);
      clock.advance(Duration.ofMinutes(5).plusSeconds(1));
      assertThat(page(manager, "/readyz"))
          .contains(
              "[-]caches failed: the cache of configmaps was last confirmed by the server PT5M1S ago");
      assertThat(page(manager, "/metrics"))
          .contains("informer_confirmed_age_seconds{name=\"configmaps\"} 301");

      server.faults().clear();
      client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "y", c -> c.data(Map.of())));
      Eventually.await(
          "an event",
          () -> {
            clock.advance(Duration.ofMillis(500)); // For the pauses of the reflector.
            return page(manager, "/readyz").contains("[+]caches ok");
          });
    }
  }

  /** The informers of a client that is closed end for good. */
  @Test
  void readiness_namesACacheThatHasEnded() throws Exception {
    try (Manager manager = builder().build()) {
      manager.add(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(30))).isTrue();
      assertThat(manager.readyProblems()).isEmpty();

      client.close();

      Eventually.await(
          "the end of the informer",
          () ->
              manager.informerHealth().get("configmaps").state()
                  == InformerHealth.ReflectorState.STOPPED);
      assertThat(manager.readyProblems().getOrDefault("caches", "ok"))
          .startsWith("the cache of configmaps is not running: STOPPED");
    }
  }

  /** Its controller gets no requests any more. */
  @Test
  void readiness_namesAPredicateThatHangs() throws Exception {
    FakeClock clock = FakeClock.create();
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Manager manager = builder().clock(clock).build()) {
      Predicate<ConfigMap> predicate =
          Predicate.of(
              object -> {
                called.countDown();
                try {
                  release.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return true;
              });
      manager.add(
          Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE, predicate).build());
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(30))).isTrue();
      client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "y", c -> c.data(Map.of())));
      called.await();
      assertThat(manager.readyProblems()).isEmpty();

      clock.advance(Duration.ofMinutes(5).plusSeconds(1));

      assertThat(manager.readyProblems().getOrDefault("caches", "ok"))
          .startsWith("the cache of configmaps has a handler that has been in one call for PT5M1S");
      release.countDown();
      Eventually.await("the end of the call", () -> manager.readyProblems().isEmpty());
    }
  }

  @Test
  void readiness_namesACacheThatRefusesAllObjects() throws Exception {
    try (Manager manager =
        builder()
            .informers(
                factory ->
                    factory.configure(
                        ConfigMap.TYPE,
                        informer ->
                            informer.transform(
                                object -> {
                                  throw new AssertionError("the transform is broken");
                                })))
            .build()) {
      client.resource(ConfigMap.TYPE).create(ConfigMap.of("default", "y", c -> c.data(Map.of())));
      manager.add(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());
      manager.start();

      Eventually.await(
          "the reason",
          () ->
              manager
                  .readyProblems()
                  .getOrDefault("caches", "")
                  .contains("the transform is broken"));
    }
  }

  @Test
  void readiness_namesWorkThatIsNotStarted_orClosed() {
    Manager manager = builder().build();
    manager.addEverywhere("work", work -> new CountDownLatch(1).await());
    assertThat(manager.readyProblems()).containsEntry("runnable-work", "is not started");

    manager.start();
    assertThat(manager.readyProblems()).isEmpty();

    manager.close();
    assertThat(manager.readyProblems()).containsEntry("runnable-work", "is closed");
  }

  /** Otherwise a program could hide a failure of ours by a name. */
  @Test
  void checks_ofTheNamesOfOurs_replaceNone() throws Exception {
    FakeClock clock = FakeClock.create();
    try (Manager manager =
        builder()
            .clock(clock)
            .maxStaleness(Duration.ofMinutes(5))
            .readyCheck("caches", () -> {})
            .readyCheck("runnable-x", () -> {})
            .healthCheck("manager", () -> {})
            .build()) {
      manager.addEverywhere(
          "x",
          client -> {
            throw new IllegalStateException("no database");
          });
      manager.add(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());
      manager.start();
      assertThat(manager.awaitReady(Duration.ofSeconds(30))).isTrue();
      Eventually.await(
          "our check",
          () -> {
            clock.advance(Duration.ofSeconds(30));
            return page(manager, "/readyz").contains("[-]runnable-x failed: ")
                && page(manager, "/readyz").contains("[-]caches failed: ");
          });
    }
  }

  @Test
  void readiness_saysWhatAControllerWaitsFor() throws Exception {
    server.faults().on(request -> request.resource().equals("secrets")).always().answer(403);
    try (Manager manager = builder().build()) {
      manager.add(Controller.builder(new RecordingReconciler()).forKind(Secret.TYPE).build());
      manager.start();

      Eventually.await(
          "the reason",
          () ->
              page(manager, "/readyz").contains("SYNCING secrets (")
                  && page(manager, "/readyz")
                      .contains("grant the verbs list and watch on secrets"));
      assertThat(get(manager, "/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void health_saysWhyTheManagerHasFailed() throws Exception {
    server.faults().on(request -> request.resource().equals("secrets")).always().answer(403);
    try (Manager manager = builder().build()) {
      manager.add(
          Controller.builder(new RecordingReconciler())
              .forKind(Secret.TYPE)
              .cacheSyncTimeout(Duration.ofSeconds(1))
              .build());
      manager.start();

      assertThatThrownBy(() -> manager.awaitEnd()).isInstanceOf(CacheSyncException.class);
      assertThat(get(manager, "/healthz").statusCode()).isEqualTo(500);
      assertThat(get(manager, "/healthz").body()).contains("[-]manager failed: controller secret");
    }
  }

  private String page(Manager manager, String path) {
    try {
      return get(manager, path).body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void addressInUse_isToldAndTheManagerCanBeClosed() throws Exception {
    try (Manager first = builder().build()) {
      first.start();
      InetSocketAddress taken = first.httpAddress().orElseThrow();
      try (Manager second = Manager.builder(client).http(taken).build()) {
        assertThatThrownBy(second::start)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("choose another port");
      }
    }
  }
}
