package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Streams of kubectl reach the processes of pods, in two clusters at once: the API server of one
 * passes WebSockets on to the kubelet, that of the other translates them.
 */
@Timeout(300)
final class KubeClusterStreamsTest {

  private static final String POD =
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {volumes: [{name: w, emptyDir: {}}],"
          + " containers: [{name: c, image: i, command: [sh, -c, 'echo started; exec sleep 1000'],"
          + " volumeMounts: [{name: w, mountPath: /work/of/pod}]}]}}";

  @BeforeAll
  static void canStart() {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
  }

  @Test
  void streams_passedOnOrTranslated_reachTheProcess(@TempDir Path folder) throws Exception {
    try (KubeCluster passing = KubeCluster.start();
        KubeCluster translating = KubeCluster.builder().webSockets(false).start()) {
      streamsReachTheProcess(passing, folder);
      streamsReachTheProcess(translating, folder);

      assertThat(translations(passing)).isFalse();
      assertThat(translations(translating)).isTrue();
    }
  }

  /** Returns whether the API server has translated a stream. */
  private static boolean translations(KubeCluster cluster) throws Exception {
    return Kubectl.of(cluster)
        .run("get", "--raw", "/metrics")
        .output()
        .contains("\napiserver_stream_translator_requests_total{");
  }

  private static void streamsReachTheProcess(KubeCluster cluster, Path folder) throws Exception {
    try (RESTClient client = RESTClient.create(cluster.restConfig())) {
      ResourceClient<Unstructured> pods =
          client.dynamic(new GroupVersionResource("", "v1", "pods")).inNamespace("default");
      pods.create(Unstructured.parseYaml(POD).get(0));
      pods.await(
          "p",
          pod -> pod.filter(found -> found.toJson().contains("\"ready\":true")).isPresent(),
          Duration.ofSeconds(60));
    }
    Kubectl kubectl = Kubectl.of(cluster);
    String large = "0123456789\n".repeat(200_000);

    // The kubelet counts the container as ready before its process has written.
    Poll.every(Duration.ofMillis(50))
        .atMost(Duration.ofSeconds(60))
        .until(() -> !kubectl.run("logs", "p").output().isEmpty());
    assertThat(kubectl.run("logs", "p")).isEqualTo(new Kubectl.Result(0, "started\n"));
    assertThat(kubectl.runWithInput(large, "exec", "-i", "p", "--", "cat"))
        .isEqualTo(new Kubectl.Result(0, large));
    assertThat(kubectl.run("exec", "p", "--", "sh", "-c", "exit 7").status()).isEqualTo(7);
    Path sent = Files.writeString(folder.resolve("sent"), large);
    Path received = folder.resolve("received");
    assertThat(kubectl.run("cp", sent.toString(), "p:/work/of/pod/file").status()).isZero();
    assertThat(kubectl.run("cp", "p:/work/of/pod/file", received.toString()).status()).isZero();
    assertThat(received).hasContent(large);
  }
}
