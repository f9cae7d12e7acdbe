package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is killed leaves no process of its cluster, and none of the pods. */
@Timeout(300)
final class KubeClusterExitTest {

  @TempDir private Path folder;

  /** Starts a cluster with a pod whose process starts another in a separate session. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      KubeCluster cluster = KubeCluster.start();
      try (RESTClient client = RESTClient.create(cluster.restConfig())) {
        ResourceClient<Unstructured> pods =
            client.dynamic(new GroupVersionResource("", "v1", "pods")).inNamespace("default");
        pods.create(
            Unstructured.parseYaml(
                    "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c,"
                        + " image: i, command: [sh, -c, 'setsid sleep 12345 & sleep 12345']}]}}")
                .get(0));
        pods.await(
            "p",
            pod -> pod.filter(p -> p.toJson().contains("startedAt")).isPresent(),
            Duration.ofSeconds(60));
      }
      System.out.println("ready " + cluster.url());
      Thread.currentThread().join();
    }
  }

  @BeforeAll
  static void canStart() {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
  }

  private Process start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void sigkill_endsAllProcesses() throws Exception {
    Process program = start();
    try (BufferedReader output = program.inputReader()) {
      assertThat(output.readLine()).startsWith("ready https://");
      // Five parts and a container, each with its guard, the shell and the two that sleep.
      Waiting.until(
          "the container has started", () -> program.toHandle().descendants().count() >= 14);
      List<ProcessHandle> children = program.toHandle().descendants().toList();

      program.destroyForcibly();

      assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
      Waiting.until(
          "its processes have ended", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      program.destroyForcibly();
    }
  }
}
