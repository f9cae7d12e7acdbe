package dev.clientgo.benchmarks.informer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.benchmarks.server.BenchServer;
import dev.clientgo.benchmarks.server.EtcdObjects;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A server with pods, in a separate process.
 *
 * @param config how to connect
 * @param end ends the server
 */
record PodSource(RestConfig config, Runnable end) implements AutoCloseable {

  private static final int NAMESPACES = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Starts the server of the benchmarks. */
  static PodSource benchServer(int pods) throws IOException {
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx700m",
                "-cp",
                System.getProperty("java.class.path"),
                BenchServer.class.getName(),
                "0",
                "pods",
                Integer.toString(pods),
                Integer.toString(NAMESPACES))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output = server.inputReader(UTF_8);
    return new PodSource(
        RestConfig.builder(output.readLine()).build(),
        () -> {
          server.destroy();
          server.onExit().join();
        });
  }

  /** Starts a kube-apiserver with the same pods. */
  static PodSource kubeApiServer(int pods) throws IOException, InterruptedException {
    KubeApiServer server = KubeApiServer.start();
    EtcdObjects.write(server.etcdUrl(), "pods", pods, NAMESPACES);
    awaitList(server.restConfig(), pods);
    return new PodSource(server.restConfig(), server::close);
  }

  /**
   * Waits until the server lists all pods. Many were written in one transaction, so they have the
   * same version: a server can show some of them, and an informer that begins then misses the rest.
   */
  private static void awaitList(RestConfig config, int pods) throws InterruptedException {
    try (RESTClient client = RESTClient.create(config)) {
      ResourceClient<PartialObjectMetadata> all = client.resource(Pod.TYPE.metadataOnly());
      long start = System.nanoTime();
      for (int size = 0; size < pods; size = all.list().items().size()) {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IllegalStateException("kube-apiserver lists only " + size + " pods");
        }
      }
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
