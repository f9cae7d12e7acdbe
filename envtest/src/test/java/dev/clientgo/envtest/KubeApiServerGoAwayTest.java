package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server behind a load balancer sends GOAWAY at random, to spread its clients. No call and no
 * watch may be affected.
 */
@Timeout(300)
final class KubeApiServerGoAwayTest {

  private static final int WRITERS = 8;
  private static final int WRITES = 100;

  /**
   * The highest rate that the server accepts: that 800 calls meet no GOAWAY happens once in ten
   * million runs.
   */
  private static final String CHANCE = "--goaway-chance=0.02";

  @Test
  void goAway_failsNoCall_losesNoEvent() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server = KubeApiServer.builder().flag(CHANCE).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> maps =
          client.dynamic(new GroupVersionResource("", "v1", "configmaps")).inNamespace("default");
      ListOptions fromNow =
          ListOptions.builder()
              .labelSelector("test=goaway")
              .resourceVersion(maps.list(ListOptions.NONE).metadata().resourceVersion())
              .build();
      FutureTask<Set<String>> watched = new FutureTask<>(() -> names(maps.watch(fromNow)));
      FutureTask<Set<String>> followed = new FutureTask<>(() -> names(maps.retryWatcher(fromNow)));
      List<FutureTask<Set<String>>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String prefix = "w" + i + "-";
        writers.add(new FutureTask<>(() -> write(maps, prefix)));
      }
      start(watched);
      start(followed);
      writers.forEach(KubeApiServerGoAwayTest::start);

      Set<String> written = new TreeSet<>();
      for (FutureTask<Set<String>> writer : writers) {
        written.addAll(writer.get());
      }
      assertThat(written).hasSize(WRITERS * WRITES);
      assertThat(watched.get()).isEqualTo(written);
      assertThat(followed.get()).isEqualTo(written);
    }
  }

  private static void start(FutureTask<?> task) {
    DaemonThreads.named("goaway-").newThread(task).start();
  }

  private static Set<String> write(ResourceClient<Unstructured> maps, String prefix)
      throws InterruptedException {
    Set<String> written = new TreeSet<>();
    for (int i = 0; i < WRITES; i++) {
      String name = prefix + i;
      maps.create(
          Unstructured.of(
              Map.of(
                  "apiVersion",
                  "v1",
                  "kind",
                  "ConfigMap",
                  "metadata",
                  Map.of("name", name, "labels", Map.of("test", "goaway")))));
      assertThat(maps.get(name).metadata().name()).isEqualTo(name);
      written.add(name);
    }
    return written;
  }

  /** Returns the objects of a watch that must not end before it has sent all of them. */
  private static Set<String> names(Watch<Unstructured> watch) throws InterruptedException {
    Set<String> names = new TreeSet<>();
    try (watch) {
      while (names.size() < WRITERS * WRITES) {
        if (watch.next().orElseThrow() instanceof WatchEvent.Added<Unstructured> added) {
          assertThat(names.add(String.valueOf(added.value().metadata().name()))).isTrue();
        }
      }
    }
    return names;
  }
}
