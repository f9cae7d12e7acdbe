package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Incidents on a whole cluster, whose own controllers and kubelet write beside ours. */
final class KubeClusterIncidentTest extends IncidentContract {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static KubeCluster cluster;

  @BeforeAll
  static void startCluster() throws InterruptedException {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
    cluster = KubeCluster.start();
  }

  @AfterAll
  static void stopCluster() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  ApiServer server() {
    return cluster;
  }

  /** A controller of sites: config maps with a Deployment each, which report its ready pods. */
  private static Controller sites() {
    return Controller.builder(KubeClusterIncidentTest::reconcile)
        .named("sites")
        .forKind(ConfigMap.TYPE)
        .owns(Deployment.TYPE)
        .watches(
            Pod.TYPE,
            pod ->
                Optional.ofNullable(pod.metadata().labels().get("app"))
                    .map(site -> new Request("default", site))
                    .stream()
                    .toList())
        .build();
  }

  private static Result reconcile(Request request, Context context) throws Exception {
    CachedResource<ConfigMap> maps =
        context.client().resource(ConfigMap.TYPE).inNamespace("default");
    Optional<ConfigMap> site = maps.find(request);
    if (site.isEmpty() || !site.get().data().containsKey("replicas")) {
      return Result.done();
    }
    int replicas = Integer.parseInt(site.get().data().get("replicas"));
    Deployment wanted =
        ChildrenFixture.deployment(request.name())
            .with(
                d ->
                    d.editSpec(
                        s ->
                            s.replicas(replicas)
                                .editTemplate(
                                    t -> t.editSpec(p -> p.terminationGracePeriodSeconds(1L)))));
    boolean ready = context.children(site.get()).apply(wanted).isReady();
    List<Pod> pods =
        context.view(Pod.TYPE).list(Selector.parse("app=" + request.name())).stream()
            .filter(pod -> pod.metadata().deletionTimestamp() == null)
            .toList();
    String report =
        (ready ? "ready " : "rolls out ")
            + pods.stream()
                .map(pod -> pod.metadata().name() + " " + pod.status().phase())
                .sorted()
                .collect(Collectors.joining(", "));
    if (!report.equals(site.get().metadata().annotations().get("report"))) {
      maps.edit(
          site.get(),
          s ->
              s.with(
                  c ->
                      c.editMetadata(
                          m ->
                              m.editAnnotations(
                                  a -> {
                                    a.put("report", report);
                                    a.put("at", context.now().toString());
                                    a.put("number", "" + context.random().nextInt());
                                  }))));
    }
    return ready ? Result.done() : Result.requeueAfter(Duration.ofSeconds(5));
  }

  /** Breaks the connections at each third event of a pod, until the watch is closed. */
  private static Thread cutter(Watch<Pod> pods, CuttingProxy proxy, AtomicInteger cuts) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int i = 1; pods.next().isPresent(); i++) {
                  if (i % 3 == 0) {
                    proxy.cut();
                    cuts.incrementAndGet();
                  }
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    return thread;
  }

  private static void sitesChange(RESTClient user, CuttingProxy proxy, AtomicInteger cuts)
      throws Exception {
    ResourceClient<ConfigMap> maps = user.resource(ConfigMap.TYPE).inNamespace("default");
    ResourceClient<Pod> pods = user.resource(Pod.TYPE).inNamespace("default");
    Watch<Pod> watch = pods.watch();
    Thread cutter = cutter(watch, proxy, cuts);
    for (String site : List.of("site-a", "site-b")) {
      maps.create(ConfigMap.of("default", site, c -> c.data(Map.of("replicas", "2"))));
    }
    for (String site : List.of("site-a", "site-b")) {
      awaitReady(maps, site, 2);
    }
    maps.edit("site-a", m -> m.with(c -> c.data(Map.of("replicas", "3"))));
    String first = pods.list(Selector.parse("app=site-b")).items().get(0).metadata().name();
    pods.delete(first);
    awaitReady(maps, "site-a", 3);
    maps.await(
        "site-b",
        site ->
            isReady(site, 2)
                && !site.orElseThrow().metadata().annotations().get("report").contains(first),
        LIMIT);
    maps.delete("site-a");
    user.resource(Deployment.TYPE)
        .inNamespace("default")
        .await("site-a", Optional::isEmpty, LIMIT); // Of the garbage collector.
    watch.close();
    cutter.join(LIMIT.toMillis());
  }

  private static void awaitReady(ResourceClient<ConfigMap> maps, String name, int pods)
      throws Exception {
    maps.await(name, site -> isReady(site, pods), LIMIT);
  }

  private static boolean isReady(Optional<ConfigMap> site, int pods) {
    String report = site.orElseThrow().metadata().annotations().getOrDefault("report", "");
    return report.startsWith("ready ") && report.split("Running", -1).length == pods + 1;
  }

  @Test
  @Timeout(300)
  void podsThatBecomeReady_underCuts_replayToTheSameWrites() throws Exception {
    AtomicInteger cuts = new AtomicInteger();

    Path incident = record(sites(), (user, proxy) -> sitesChange(user, proxy, cuts));

    assertThat(cuts).hasValueGreaterThan(3);
    assertSame100Times(incident, 10, sites());
    assertThat(IncidentText.of(incident)).contains("kube-controller-manager", "kubelet");
  }
}
