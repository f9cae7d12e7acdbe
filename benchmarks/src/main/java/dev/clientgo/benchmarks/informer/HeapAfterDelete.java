package dev.clientgo.benchmarks.informer;

import dev.clientgo.benchmarks.server.BenchServer;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what informers keep of objects that are gone: one informer and sixteen, each on the pods
 * of a separate namespace, first with all pods in the cache and then after the last is deleted.
 *
 * <p>{@code ./benchmarks/run heap-after-delete [PODS]}, with PODS of 5 kB in each namespace, 2,000
 * by default. It prints one line for each number of informers; {@code left_kb} is the heap after
 * all objects are deleted, less the heap before the informers were started.
 */
public final class HeapAfterDelete {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final RESTClient client;
  private final int pods;

  private HeapAfterDelete(RESTClient client, int pods) {
    this.client = client;
    this.pods = pods;
  }

  /** Runs it once and prints its figures. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int pods = arguments.length == 0 ? 2000 : Integer.parseInt(arguments[0]);
    // Loads classes first, so that the figures do not count them.
    run(1, 10);
    System.out.println(run(1, pods));
    System.out.println(run(16, pods));
  }

  private static String run(int informers, int pods) throws IOException, InterruptedException {
    Process server = server(informers * pods, informers);
    try (BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
        RESTClient client = RESTClient.create(RestConfig.builder(output.readLine()).build())) {
      return new HeapAfterDelete(client, pods).measure(informers);
    } finally {
      server.getOutputStream().close();
      server.onExit().join();
    }
  }

  /** Starts the server in a separate process: its heap is not what is measured. */
  private static Process server(int count, int namespaces) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx700m",
            "-cp",
            System.getProperty("java.class.path"),
            BenchServer.class.getName(),
            "0",
            "pods",
            Integer.toString(count),
            Integer.toString(namespaces))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private String measure(int count) throws IOException, InterruptedException {
    long before = ProcessFigures.usedHeap();
    List<SharedIndexInformer<Pod>> informers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ResourceClient<Pod> watched = client.resource(Pod.TYPE).inNamespace("team-" + i);
      SharedIndexInformer<Pod> informer =
          SharedIndexInformer.builder(ListWatch.of(watched::list, watched::watch))
              .name("pods-" + i)
              .build();
      informers.add(informer);
      informer.start();
    }
    for (SharedIndexInformer<Pod> informer : informers) {
      if (!informer.awaitSynced(PATIENCE) || informer.indexer().listKeys().size() != pods) {
        throw new IllegalStateException("not synced: " + informer.health());
      }
    }
    long full = ProcessFigures.usedHeap() - before;
    try (InputStream answer = client.post().absPath("control", "delete").stream()) {
      answer.readAllBytes();
    }
    for (SharedIndexInformer<Pod> informer : informers) {
      awaitEmpty(informer);
    }
    long left = ProcessFigures.usedHeap() - before;
    for (SharedIndexInformer<Pod> informer : informers) {
      informer.close();
    }
    return "heap-after-delete informers=%d pods=%d full_kb=%d left_kb=%d left_kb_per_informer=%d"
        .formatted(count, count * pods, full >> 10, left >> 10, (left >> 10) / count);
  }

  private static void awaitEmpty(SharedIndexInformer<Pod> informer) throws InterruptedException {
    long start = System.nanoTime();
    while (!informer.indexer().listKeys().isEmpty()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new IllegalStateException("objects are left: " + informer.health());
      }
      Thread.sleep(10);
    }
  }
}
