package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.FormatMethod;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RequestInterceptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What {@link Drain} does with a server. */
abstract class DrainContract {

  private static final String CONTROLLER =
      "ownerReferences: [{apiVersion: apps/v1, kind: %s, name: owner, uid: u1, controller: true}]";

  abstract RESTClient client();

  private ResourceClient<Unstructured> resource(String group, String resource) {
    String version = "v1";
    return client().dynamic(new GroupVersionResource(group, version, resource));
  }

  private ResourceClient<Unstructured> pods() {
    return resource("", "pods").inNamespace("default");
  }

  private Drain drain() {
    return drain(client());
  }

  private static Drain drain(RESTClient client) {
    return Drain.with(client).gracePeriod(Duration.ZERO).timeout(Duration.ofSeconds(30));
  }

  private void node(String name) throws InterruptedException {
    resource("", "nodes").create(yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}}", name));
  }

  @FormatMethod
  private static Unstructured yaml(String text, Object... values) {
    return Unstructured.parseYaml(text.formatted(values)).get(0);
  }

  private void pod(String node, String name, String metadata, String spec)
      throws InterruptedException {
    pods()
        .create(
            yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, labels: {node: %s}, %s}
                spec: {nodeName: %s, containers: [{name: app, image: app}], %s}
                """,
                name, node, metadata, node, spec));
    Map<String, ?> ready = Map.of("type", "Ready", "status", "True");
    pods()
        .status()
        .patch(
            name,
            Patch.merge(
                Map.of("status", Map.of("phase", "Running", "conditions", List.of(ready)))));
  }

  @Test
  void cordonAndUncordon_markTheNode() throws InterruptedException {
    node("marked");

    assertThat(drain().cordon("marked").nestedBoolean("spec", "unschedulable")).contains(true);
    assertThat(drain().uncordon("marked").nestedBoolean("spec", "unschedulable")).isEmpty();
  }

  @Test
  void drain_ofPodsThatNeedAWord_removesNone() throws InterruptedException {
    node("strict");
    resource("apps", "daemonsets")
        .inNamespace("default")
        .create(
            yaml(
                """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: owner, namespace: default}
                spec:
                  selector: {matchLabels: {app: d}}
                  template:
                    metadata: {labels: {app: d}}
                    spec: {containers: [{name: app, image: app}]}
                """));
    pod("strict", "managed", CONTROLLER.formatted("ReplicaSet"), "");
    pod("strict", "alone", "", "");
    pod("strict", "daemon", CONTROLLER.formatted("DaemonSet"), "");
    pod("strict", "data", CONTROLLER.formatted("ReplicaSet"), "volumes: [{name: v, emptyDir: {}}]");
    pod("strict", "mirror", "annotations: {kubernetes.io/config.mirror: x}", "");

    List<PodResult> refused = drain().drain("strict");
    List<PodResult> done = drain().ignoreDaemonSets().deleteEmptyDirData().force().drain("strict");

    assertThat(refused)
        .extracting(PodResult::toString)
        .containsExactlyInAnyOrder(
            "default/alone failed: has no controller that starts it again: remove it by force()",
            "default/daemon failed: is of a daemon set: leave it by ignoreDaemonSets()",
            "default/data failed: has data in an emptyDir: allow to lose it by deleteEmptyDirData()",
            "default/mirror skipped: a mirror pod, which the kubelet runs from a file",
            "default/managed failed: not removed, since other pods may not be");
    assertThat(done)
        .extracting(PodResult::toString)
        .containsExactlyInAnyOrder(
            "default/alone evicted",
            "default/data evicted",
            "default/managed evicted",
            "default/daemon skipped: a pod of a daemon set, which would start it again",
            "default/mirror skipped: a mirror pod, which the kubelet runs from a file");
  }

  @Test
  void drain_againstABudget_triesAgainUntilItIsAllowed() throws Exception {
    node("budgeted");
    budget("budgeted", 0);
    pod("budgeted", "guarded", CONTROLLER.formatted("ReplicaSet"), "");

    List<PodResult> late =
        drain()
            .timeout(Duration.ofSeconds(5)) // Enough for a first answer on a busy machine.
            .betweenEvictions(Duration.ofMillis(100))
            .drain("budgeted");
    CompletableFuture<List<PodResult>> draining =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return drain().betweenEvictions(Duration.ofMillis(100)).drain("budgeted");
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    allow("budgeted", 1);

    assertThat(late)
        .singleElement()
        .satisfies(
            pod -> {
              assertThat(pod.action()).isEqualTo(PodResult.Action.FAILED);
              assertThat(pod.reason()).contains("disruption budget");
            });
    assertThat(draining.get(60, TimeUnit.SECONDS))
        .extracting(PodResult::toString)
        .containsExactly("default/guarded evicted");
  }

  @Test
  void drain_withoutEviction_deletesDespiteABudget() throws InterruptedException {
    node("deleted");
    budget("deleted", 0);
    pod("deleted", "unguarded", CONTROLLER.formatted("ReplicaSet"), "");

    assertThat(drain().disableEviction().drain("deleted"))
        .extracting(PodResult::toString)
        .containsExactly("default/unguarded deleted");
  }

  /** Four evictions must be under way at the same time, or none of them gets on. */
  @Test
  void drain_sendsEvictionsAtOnce_andReportsInTheOrderOfTheServer() throws InterruptedException {
    node("parallel");
    for (String name : List.of("p1", "p2", "p3", "p4")) {
      pod("parallel", name, CONTROLLER.formatted("ReplicaSet"), "");
    }
    CyclicBarrier together = new CyclicBarrier(4);
    RequestInterceptor meeting =
        (request, next) -> {
          if (request.pathTemplate().endsWith("/eviction")) {
            try {
              together.await(30, TimeUnit.SECONDS);
            } catch (BrokenBarrierException | TimeoutException e) {
              throw new AssertionError("the evictions are not sent at once", e);
            }
          }
          return next.send(request);
        };

    try (RESTClient client = intercepted(meeting)) {
      assertThat(drain(client).drain("parallel"))
          .extracting(PodResult::toString)
          .containsExactly(
              "default/p1 evicted",
              "default/p2 evicted",
              "default/p3 evicted",
              "default/p4 evicted");
    }
  }

  @Test
  void drain_withoutTheRightToReadADaemonSet_keepsTheOtherResults() throws InterruptedException {
    node("unreadable");
    pod("unreadable", "u1", CONTROLLER.formatted("DaemonSet"), "");
    pod("unreadable", "u2", CONTROLLER.formatted("ReplicaSet"), "");
    RequestInterceptor forbidding =
        (request, next) -> {
          if (request.url().getPath().contains("/daemonsets/")) {
            throw ApiStatusException.forbidden(
                new GroupResource("apps", "daemonsets"), "owner", "no right to read it");
          }
          return next.send(request);
        };

    try (RESTClient client = intercepted(forbidding)) {
      List<PodResult> results = drain(client).ignoreDaemonSets().force().drain("unreadable");

      assertThat(results).extracting(PodResult::name).containsExactly("u1", "u2");
      assertThat(results.get(0).reason())
          .startsWith("cannot read its daemon set: ")
          .contains("no right to read it");
      assertThat(results.get(1).reason()).contains("since other pods may not be");
    }
  }

  /** A server without the subresource answers as if the pod were not there. */
  @Test
  void drain_whereEvictionsAreNotServed_fails() throws InterruptedException {
    node("unserved");
    pod("unserved", "stays", CONTROLLER.formatted("ReplicaSet"), "");
    RequestInterceptor unserved =
        (request, next) -> {
          if (request.pathTemplate().endsWith("/eviction")) {
            throw ApiStatusException.genericServerResponse(
                404, "POST", new GroupResource("", "pods"), "stays", "404 page not found", 0, true);
          }
          return next.send(request);
        };

    try (RESTClient client = intercepted(unserved)) {
      assertThat(drain(client).drain("unserved"))
          .singleElement()
          .satisfies(pod -> assertThat(pod.action()).isEqualTo(PodResult.Action.FAILED));
    }
    assertThat(pods().get("stays").metadata().isBeingDeleted()).isFalse();
  }

  @Test
  void drain_whileAPodMovesUnderTheSameName_leavesTheNewOne() throws InterruptedException {
    node("left");
    node("other");
    pod("left", "moving", CONTROLLER.formatted("StatefulSet"), "");
    RequestInterceptor moving =
        (request, next) -> {
          if (request.pathTemplate().endsWith("/eviction")) {
            pods().delete("moving", DeleteOptions.builder().gracePeriod(Duration.ZERO).build());
            pod("other", "moving", CONTROLLER.formatted("StatefulSet"), "");
          }
          return next.send(request);
        };

    try (RESTClient client = intercepted(moving)) {
      assertThat(drain(client).drain("left"))
          .extracting(PodResult::toString)
          .containsExactly("default/moving evicted");
    }
    assertThat(pods().get("moving").nestedString("spec", "nodeName")).contains("other");
  }

  private RESTClient intercepted(RequestInterceptor interceptor) {
    return RESTClient.builder(client().config()).addInterceptor(interceptor).build();
  }

  private void budget(String node, int allowed) throws InterruptedException {
    resource("policy", "poddisruptionbudgets")
        .inNamespace("default")
        .create(
            yaml(
                """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: %1$s, namespace: default}
                spec: {minAvailable: 1, selector: {matchLabels: {node: %1$s}}}
                """,
                node));
    allow(node, allowed);
  }

  private void allow(String name, int allowed) throws InterruptedException {
    Map<String, ?> status =
        Map.of(
            "observedGeneration",
            1,
            "disruptionsAllowed",
            allowed,
            "currentHealthy",
            1 + allowed,
            "desiredHealthy",
            1,
            "expectedPods",
            1 + allowed);
    resource("policy", "poddisruptionbudgets")
        .inNamespace("default")
        .status()
        .patch(name, Patch.merge(Map.of("status", status)));
  }
}
