package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.concurrent.Daemons;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many watches on one client, each of which lasts, and calls beside them, which must not wait. */
@Timeout(120)
final class ManyWatchesTest {

  private static final int WATCHES = 500;
  private static final int CALLS = 50;
  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");

  @Test
  void calls_besideManyWatches_waitForNoneToEnd() throws Exception {
    ThreadFactory threads = Daemons.named("many-watches-");
    CountDownLatch told = new CountDownLatch(WATCHES);
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> maps = client.dynamic(CONFIG_MAPS).inNamespace("default");
      List<Thread> watchers = new ArrayList<>();
      for (int i = 0; i < WATCHES; i++) {
        watchers.add(threads.newThread(() -> watchForOne(maps, told)));
        watchers.get(i).start();
      }
      assertThat(server.awaitWatches(WATCHES)).hasSize(WATCHES);

      // No watch ends before these calls do, so if one waited for that, this would never end.
      for (int i = 0; i < CALLS; i++) {
        assertThat(maps.list(ListOptions.NONE).items()).isEmpty();
      }
      assertThat(server.watches()).hasSize(WATCHES);

      maps.create(
          Unstructured.parse(
              "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));
      assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
      for (Thread watcher : watchers) {
        watcher.join();
      }
    }
  }

  private static void watchForOne(ResourceClient<Unstructured> maps, CountDownLatch told) {
    try (Watch<Unstructured> watch = maps.watch(ListOptions.NONE)) {
      if (watch.next().isPresent()) {
        told.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
