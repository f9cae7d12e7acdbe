package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** DaemonSets while Node objects are created and deleted, which no kubelet prevents here. */
final class DaemonSetNodesTest {

  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final String LABEL = "example.com/agent";

  @Test
  @SuppressWarnings("try") // The controllers only run.
  void podsComeAndGoWithTheirNodes() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        EmbeddedControllers controllers =
            EmbeddedControllers.builder(server)
                .only(BuiltInController.DAEMON_SET, BuiltInController.PODS)
                .start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<DaemonSet> sets = client.resource(DaemonSet.TYPE).inNamespace("default");
      ResourceClient<Node> nodes = client.resource(Node.TYPE);
      sets.create(Workloads.daemonSet("agent", LABEL, s -> {}));
      awaitReady(sets, 0);

      nodes.create(node("a"));
      nodes.create(node("b"));
      awaitReady(sets, 2);
      nodes.delete("a");
      awaitReady(sets, 1);

      ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
      List<Pod> kept =
          pods.list().items().stream().filter(pod -> !pod.metadata().isBeingDeleted()).toList();
      assertThat(kept).extracting(pod -> pod.spec().nodeName()).containsExactly("b");
    }
  }

  private static Node node(String name) {
    return Node.of(n -> n.metadata(ObjectMeta.of(m -> m.name(name).labels(Map.of(LABEL, "")))));
  }

  private static void awaitReady(ResourceClient<DaemonSet> sets, int count) throws Exception {
    sets.await(
        "agent",
        set ->
            set.map(DaemonSet::status)
                .filter(s -> s.observedGeneration() != null)
                .filter(s -> s.desiredNumberScheduled() == count && s.numberReady() == count)
                .isPresent(),
        WAIT);
  }
}
