package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many long watches and other calls on one client. The calls must not wait: 99 of 100 are answered
 * within a second.
 */
@Timeout(300)
final class ManyWatchesTest {

  private static final int WATCHES = 500;
  private static final int CALLS = 200;
  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");

  /** A wait inside the library would occur in every round; a stall of the machine does not. */
  private static final int ROUNDS = 5;

  /** The limit for 99 of 100 calls, generous enough for a busy machine. */
  private static final Duration LATENCY = Duration.ofSeconds(1);

  @Test
  void calls_duringManyWatches_doNotWait() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      callsAreFast(server, watches -> assertThat(server.watches()).hasSize(watches));
    }
  }

  @Test
  void calls_duringManyWatches_onTheRealServer_doNotWait() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server = KubeApiServer.start()) {
      callsAreFast(server, watches -> {});
    }
  }

  private static void callsAreFast(ApiServer server, IntConsumer checkOpen) throws Exception {
    ThreadFactory threads = DaemonThreads.named("many-watches-");
    CountDownLatch open = new CountDownLatch(WATCHES);
    CountDownLatch told = new CountDownLatch(WATCHES);
    try (RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> maps = client.dynamic(CONFIG_MAPS).inNamespace("default");
      String begin = maps.create(configMap("first")).metadata().resourceVersion();
      ListOptions fromBegin =
          ListOptions.builder().resourceVersion(before(String.valueOf(begin))).build();
      List<Thread> watchers = new ArrayList<>();
      for (int i = 0; i < WATCHES; i++) {
        watchers.add(threads.newThread(() -> watchForTwo(maps, fromBegin, open, told)));
        watchers.get(i).start();
      }
      assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
      checkOpen.accept(WATCHES);

      // No watch ends before these calls do, so a call that waited for a watch would never end.
      List<Duration> latencies = latencies(maps);
      for (int round = 1; round < ROUNDS && latencies.get(1).compareTo(LATENCY) >= 0; round++) {
        latencies = latencies(maps);
      }
      assertThat(told.getCount()).isEqualTo(WATCHES);
      checkOpen.accept(WATCHES);
      System.out.println("p50 and p99 of calls beside " + WATCHES + " watches: " + latencies);
      assertThat(latencies.get(1)).isLessThan(LATENCY);

      maps.create(configMap("second"));
      assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
      for (Thread watcher : watchers) {
        watcher.join();
      }
    }
  }

  private static String before(String resourceVersion) {
    return Long.toString(Long.parseLong(resourceVersion) - 1);
  }

  private static Unstructured configMap(String name) {
    return Unstructured.of(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name)));
  }

  /** Returns the median and the 99th percentile of the durations. */
  private static List<Duration> latencies(ResourceClient<Unstructured> maps)
      throws InterruptedException {
    Clock clock = Clock.system();
    List<Duration> latencies = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      long begin = clock.nanoTime();
      assertThat(maps.list(ListOptions.NONE).items()).isNotEmpty();
      latencies.add(Duration.ofNanos(clock.nanoTime() - begin));
    }
    Collections.sort(latencies);
    return List.of(latencies.get(CALLS / 2), latencies.get(CALLS * 99 / 100));
  }

  private static void watchForTwo(
      ResourceClient<Unstructured> maps,
      ListOptions options,
      CountDownLatch open,
      CountDownLatch told) {
    try (Watch<Unstructured> watch = maps.watch(options)) {
      assertThat(watch.next()).isPresent();
      open.countDown();
      assertThat(watch.next()).isPresent();
      told.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
