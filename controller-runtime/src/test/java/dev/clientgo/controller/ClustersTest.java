package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Controllers in several embedded servers, which come and go. */
@Timeout(300)
final class ClustersTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final Map<String, EmbeddedApiServer> servers = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    servers.values().forEach(EmbeddedApiServer::close);
  }

  /** Returns a client of the server of a cluster, which is started. */
  private RESTClient client(String cluster) {
    return RESTClient.create(
        servers.computeIfAbsent(cluster, any -> EmbeddedApiServer.start()).restConfig());
  }

  private void create(String cluster, String name) throws InterruptedException {
    try (RESTClient client = client(cluster)) {
      client
          .resource(ConfigMap.TYPE)
          .inNamespace("default")
          .create(ConfigMap.of("default", name, c -> {}));
    }
  }

  private Clusters clusters(Reconciler reconciler) {
    return clusters(Clusters.builder(), reconciler, SOON);
  }

  private Clusters clusters(Clusters.Builder builder, Reconciler reconciler, Duration patience) {
    Clusters clusters =
        builder
            .controller(
                cluster ->
                    Controller.builder(reconciler)
                        .forKind(ConfigMap.TYPE)
                        .named("maps")
                        .cacheSyncTimeout(patience)
                        .build())
            .managers((cluster, manager) -> manager.gracefulShutdownTimeout(Duration.ofSeconds(3)))
            .build();
    open.add(clusters);
    return clusters;
  }

  private static Request map(String cluster, String name) {
    return new Request(cluster, "default", name);
  }

  @Test
  void objectsOfTheSameName_areReconciledEachInItsCluster() throws InterruptedException {
    create("berlin", "settings");
    create("tokyo", "settings");
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              if (request.name().equals("settings")) {
                context
                    .client()
                    .resource(ConfigMap.TYPE)
                    .createOrUpdate(
                        ConfigMap.of("default", "seen-in-" + request.cluster(), c -> {}), m -> m);
              }
              return Result.done();
            });
    Clusters clusters = clusters(reconciler);

    clusters.add("berlin", client("berlin"));
    reconciler.awaitCall(map("berlin", "seen-in-berlin"));
    clusters.add("tokyo", client("tokyo"));
    reconciler.awaitCall(map("tokyo", "seen-in-tokyo"));

    assertThat(clusters.names()).containsExactly("berlin", "tokyo");
    for (String cluster : clusters.names()) {
      CachedResource<ConfigMap> maps =
          clusters.manager(cluster).orElseThrow().client().resource(ConfigMap.TYPE);
      assertThat(maps.list())
          .extracting(map -> map.metadata().name())
          .contains("settings", "seen-in-" + cluster)
          .doesNotContain("seen-in-" + (cluster.equals("tokyo") ? "berlin" : "tokyo"));
      assertThat(clusters.manager(cluster).orElseThrow().informerHealth())
          .containsOnlyKeys(cluster + ": configmaps");
    }
  }

  @Test
  void removedCluster_leavesNothingBehindAndTheOthersGoOn() throws InterruptedException {
    RecordingReconciler reconciler = new RecordingReconciler();
    Clusters clusters = clusters(reconciler);
    for (String cluster : List.of("berlin", "tokyo", "lima")) {
      create(cluster, "first");
      clusters.add(cluster, client(cluster));
      reconciler.awaitCall(map(cluster, "first"));
    }
    EmbeddedApiServer berlin = servers.get("berlin");
    assertThat(berlin.watches()).isNotEmpty();

    assertThat(clusters.remove("berlin")).isTrue();

    assertThat(clusters.names()).containsExactly("tokyo", "lima");
    assertThat(clusters.manager("berlin")).isEmpty();
    Eventually.await("no connection is left", () -> berlin.connections() == 0);
    Eventually.await("no watch is left", () -> berlin.watches().isEmpty());
    Eventually.await(
        "no thread is left",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().contains("berlin")));
    create("tokyo", "second");
    reconciler.awaitCall(map("tokyo", "second"));
    create("lima", "second");
    reconciler.awaitCall(map("lima", "second"));
    assertThat(clusters.remove("berlin")).isFalse();

    clusters.add("berlin", client("berlin"));
    reconciler.awaitCall(map("berlin", "first"));
  }

  @Test
  void lostCluster_stopsNoOtherAndComesBack() throws InterruptedException {
    RecordingReconciler reconciler = new RecordingReconciler();
    Clusters clusters = clusters(reconciler);
    for (String cluster : List.of("berlin", "tokyo")) {
      create(cluster, "first");
      clusters.add(cluster, client(cluster));
      reconciler.awaitCall(map(cluster, "first"));
    }

    servers.get("berlin").stop();
    create("tokyo", "second");
    reconciler.awaitCall(map("tokyo", "second"));
    servers.get("berlin").restart();
    create("berlin", "second");

    reconciler.awaitCall(map("berlin", "second"));
  }

  @Test
  void clusterThatCannotBeReachedAtFirst_isTriedAgain() throws InterruptedException {
    create("berlin", "first");
    servers.get("berlin").stop();
    RecordingReconciler reconciler = new RecordingReconciler();
    Clusters clusters = clusters(Clusters.builder(), reconciler, Duration.ofSeconds(2));
    try (CapturedLog log = CapturedLog.of(Clusters.class)) {
      clusters.add("berlin", client("berlin"));
      Eventually.await("its controllers have failed", () -> log.contains("cluster=berlin"));
    }
    servers.get("berlin").restart();

    reconciler.awaitCall(map("berlin", "first"));
    create("berlin", "second");
    reconciler.awaitCall(map("berlin", "second"));
  }

  @Test
  void enqueue_reachesTheControllerInThatCluster() throws InterruptedException {
    RecordingReconciler reconciler = new RecordingReconciler();
    Clusters clusters = clusters(reconciler);
    clusters.add("berlin", client("berlin"));
    clusters.add("tokyo", client("tokyo"));
    assertThat(clusters.manager("tokyo").orElseThrow().awaitReady(SOON)).isTrue();

    assertThat(clusters.enqueue("maps", map("tokyo", "elsewhere"))).isTrue();

    reconciler.awaitCall(map("tokyo", "elsewhere"));
    assertThat(clusters.enqueue("maps", map("lima", "elsewhere"))).isFalse();
    assertThat(clusters.enqueue("others", map("tokyo", "elsewhere"))).isFalse();
  }

  @Test
  void add_ofANameTwice_isRefused() {
    Clusters clusters = clusters(new RecordingReconciler());
    clusters.add("berlin", client("berlin"));
    try (RESTClient other = client("berlin")) {
      assertThatThrownBy(() -> clusters.add("berlin", other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is a cluster named berlin already");
      assertThatThrownBy(() -> clusters.add(" ", other))
          .isInstanceOf(IllegalArgumentException.class);
      clusters.close();
      assertThatThrownBy(() -> clusters.add("tokyo", other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    assertThat(clusters.names()).isEmpty();
  }

  @Test
  void add_ifAControllerCannotBeMade_throwsAndForgetsTheCluster() {
    Clusters clusters =
        Clusters.builder()
            .controller(
                cluster -> {
                  throw new IllegalStateException("no controller for " + cluster);
                })
            .build();
    open.add(clusters);
    try (RESTClient client = client("berlin")) {
      assertThatThrownBy(() -> clusters.add("berlin", client))
          .hasMessage("no controller for berlin");
      assertThat(clusters.names()).isEmpty();
    }
  }

  /** Neither a manager that cannot start nor functions that throw end the thread of a cluster. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void clusterThatFailsAgainAndAgain_isUnhealthyAndIsTriedAgain(Fault fault)
      throws InterruptedException {
    FakeClock clock = FakeClock.create();
    RecordingReconciler reconciler = new RecordingReconciler();
    AtomicInteger made = new AtomicInteger();
    AtomicBoolean broken = new AtomicBoolean(true);
    Clusters.Builder builder =
        Clusters.builder()
            .clock(clock)
            .controller(
                cluster -> {
                  if (made.incrementAndGet() > 1 && broken.get()) {
                    fault.fail();
                  }
                  return Controller.builder(reconciler).forKind(ConfigMap.TYPE).build();
                })
            .managers(
                (cluster, manager) ->
                    manager.reconcilers(
                        each -> {
                          if (broken.get()) {
                            fault.fail();
                          }
                          return each;
                        }));
    try (CapturedLog log = CapturedLog.of(Clusters.class);
        Clusters clusters = builder.build()) {
      clusters.add("berlin", client("berlin"));
      clusters.check();
      Eventually.await(
          "it is unhealthy",
          () -> {
            clock.advance(Duration.ofSeconds(1));
            return catchThrowable(clusters::check) != null;
          });
      assertThatThrownBy(clusters::check)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cluster=berlin");
      assertThat(log.contains("have failed and start again: cluster=berlin")).isTrue();
      assertThat(made).hasValueGreaterThan(2);

      broken.set(false);
      create("berlin", "x");
      Eventually.await(
          "it is well again",
          () -> {
            clock.advance(Duration.ofSeconds(1));
            return catchThrowable(clusters::check) == null;
          });
      reconciler.awaitCall(map("berlin", "x"));
    }
  }

  @Test
  void build_withoutControllers_isRefused() {
    assertThatThrownBy(() -> Clusters.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call controller(…)");
  }

  /** Otherwise the pause would end at once, and managers come and go as fast as they can. */
  @Test
  void interruptLeftBehindByAFunction_shortensNoPause() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    AtomicInteger made = new AtomicInteger();
    Clusters clusters =
        Clusters.builder()
            .clock(clock)
            .controller(
                cluster ->
                    Controller.builder(new RecordingReconciler()).forKind(Secret.TYPE).build())
            .managers(
                (cluster, manager) -> {
                  if (made.incrementAndGet() > 1) {
                    Thread.currentThread().interrupt();
                  }
                  manager.reconcilers(
                      reconciler -> {
                        throw new IllegalStateException("a bug of the user");
                      });
                })
            .build();
    open.add(clusters);

    clusters.add("berlin", client("berlin"));
    clock.awaitWaiterWithin(Duration.ofSeconds(1));
    clock.advance(Duration.ofSeconds(1));
    Eventually.await("the second manager", () -> made.get() > 1);
    clock.awaitWaiterWithin(Duration.ofSeconds(2));

    assertThat(made).hasValue(2);
  }

  @Test
  void request_ofACluster_namesIt() {
    Request request = new Request("shop", "web");

    assertThat(request.cluster()).isEmpty();
    assertThat(request.inCluster("berlin")).hasToString("cluster://berlin/shop/web");
    assertThat(request.inCluster("berlin")).isNotEqualTo(request);
    assertThat(request.inCluster("berlin").inCluster("")).isEqualTo(request);
    assertThat(request.inCluster("berlin").objectName()).isEqualTo(request.objectName());
  }

  /** The provider of {@code docs/controllers.md}: Secrets with kubeconfigs in a cluster of ours. */
  @Test
  void secretsWithKubeconfigs_areClusters() throws InterruptedException {
    create("berlin", "first");
    RecordingReconciler foos = new RecordingReconciler();
    Clusters clusters = clusters(foos);
    PrometheusMetrics metrics = PrometheusMetrics.create();
    try (RESTClient client = client("hub");
        Manager manager = Manager.builder(client).metrics(metrics).build()) {
      manager.add(provider(clusters));
      manager.start();
      ResourceClient<Secret> secrets = client.resource(Secret.TYPE).inNamespace("default");
      secrets.create(Secret.of("default", "other", s -> {})); // It has no kubeconfig.
      String kubeconfig = servers.get("berlin").kubeconfig();
      secrets.create(
          Secret.of("default", "berlin", s -> s.stringData(Map.of("kubeconfig", kubeconfig))));

      foos.awaitCall(map("berlin", "first"));
      assertThat(metrics.text())
          .contains("controller_runtime_reconcile_errors_total{controller=\"clusters\"} 0");
      secrets.delete("berlin");
      Eventually.await("the cluster is gone", () -> clusters.names().isEmpty());
    }
  }

  private static Controller provider(Clusters clusters) {
    Reconciler kubeconfigs =
        (request, context) -> {
          Optional<Secret> secret = context.client().resource(Secret.TYPE).find(request);
          clusters.remove(request.name()); // The kubeconfig is new, or gone.
          secret
              .map(found -> found.data().get("kubeconfig")) // Empty, if the Secret has no such key.
              .ifPresent(
                  text ->
                      clusters.add(
                          request.name(),
                          RESTClient.create(KubeConfig.parseUntrusted(text.utf8()).restConfig())));
          return Result.done();
        };
    return Controller.builder(kubeconfigs)
        .forKind(Secret.TYPE, Predicate.resourceVersionChanged())
        .named("clusters")
        .build();
  }
}
