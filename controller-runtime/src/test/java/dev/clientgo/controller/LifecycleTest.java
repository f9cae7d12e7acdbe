package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.testing.Eventually;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import org.junit.jupiter.api.Test;

/**
 * Controllers and managers that come and go leave nothing behind. Run it a thousand times with
 * {@code -Dclientgo.cycles=1000}.
 */
final class LifecycleTest {

  private static final int CYCLES = Integer.getInteger("clientgo.cycles", 150);

  /** By then each class is loaded and each cache of a bounded size is filled. */
  private static final int WARM_UP = 30;

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A server without objects. */
  private static final class EmptySource implements SharedInformerFactory.Source {

    final AtomicInteger openWatches = new AtomicInteger();

    @Override
    public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors) {
      return new ListerWatcher<>() {
        @Override
        public ListMeta list(ListOptions options, ListSink<? super T> sink) {
          return ListMeta.builder().resourceVersion("1").build();
        }

        @Override
        public Watch<T> watch(ListOptions options) {
          openWatches.incrementAndGet();
          return new SilentWatch<>(openWatches);
        }

        @Override
        public boolean isWatchListSemanticsUnsupported() {
          return true;
        }
      };
    }
  }

  private static final class SilentWatch<T> implements Watch<T> {

    private final AtomicInteger open;
    private final CountDownLatch closed = new CountDownLatch(1);

    SilentWatch(AtomicInteger open) {
      this.open = open;
    }

    @Override
    public Optional<WatchEvent<T>> next() throws InterruptedException {
      closed.await();
      return Optional.empty();
    }

    @Override
    public synchronized void close() {
      if (closed.getCount() > 0) {
        closed.countDown();
        open.decrementAndGet();
      }
    }
  }

  private static Controller controller(String name) {
    return Controller.builder(new RecordingReconciler())
        .named(name)
        .forKind(ConfigMap.TYPE)
        .owns(Secret.TYPE)
        .workers(2)
        .build();
  }

  /** Threads of the library; before Java 21 they are all here. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread -> thread.getName().matches("(controller-|informer-|.*configmaps|.*secrets).*"))
        .count();
  }

  private static void awaitCollected(List<WeakReference<Controller>> controllers)
      throws InterruptedException {
    Eventually.await(
        "the garbage collector",
        () -> {
          System.gc();
          return controllers.stream().allMatch(reference -> reference.get() == null);
        });
  }

  private static void assertNothingGrewWithTheCycles(Histogram early) throws JMException {
    Map<String, Integer> grown = Histogram.take().grownSince(early);
    assertThat(grown)
        .allSatisfy((name, more) -> assertThat(more).isLessThan((CYCLES - WARM_UP) / 4));
  }

  @Test
  void addAndRemove_manyTimes_leavesNothing() throws Exception {
    EmptySource source = new EmptySource();
    PrometheusMetrics metrics = PrometheusMetrics.create();
    List<WeakReference<Controller>> gone = new ArrayList<>();
    try (RESTClient client = RESTClient.create(RestConfig.builder("http://127.0.0.1:9").build());
        Manager manager = Manager.builder(client).source(source).metrics(metrics).build()) {
      manager.start();
      Histogram early = Histogram.take();
      for (int i = 0; i < CYCLES; i++) {
        if (i == WARM_UP) {
          early = Histogram.take();
        }
        Controller controller = controller("c" + i);
        gone.add(new WeakReference<>(controller));
        manager.add(controller);
        if (i % 3 != 0) { // Now and then it is removed while it starts.
          assertThat(manager.awaitReady(LIMIT)).isTrue();
        }
        assertThat(manager.remove(controller)).isTrue();
      }

      assertThat(source.openWatches).hasValue(0);
      assertThat(manager.informerHealth()).isEmpty();
      assertThat(metrics.text()).isEmpty();
      Eventually.await("the end of threads", () -> threads() == 0);
      awaitCollected(gone);
      assertNothingGrewWithTheCycles(early);
    }
  }

  @Test
  void managers_thatStartAndEnd_leaveNothing() throws Exception {
    EmptySource source = new EmptySource();
    List<WeakReference<Controller>> gone = new ArrayList<>();
    try (RESTClient client = RESTClient.create(RestConfig.builder("http://127.0.0.1:9").build())) {
      for (int i = 0; i < CYCLES / 3; i++) {
        try (Manager manager = Manager.builder(client).source(source).build()) {
          Controller controller = controller("c");
          gone.add(new WeakReference<>(controller));
          manager.add(controller);
          manager.start();
          if (i % 3 != 0) {
            assertThat(manager.awaitReady(LIMIT)).isTrue();
          }
        }
      }
      assertThat(source.openWatches).hasValue(0);
      Eventually.await("the end of threads", () -> threads() == 0);
      awaitCollected(gone);
    }
  }

  @Test
  void onAServer_noWatchAndNoConnectionStaysBehind() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        Manager manager = Manager.create(client)) {
      manager.start();
      for (int i = 0; i < 20; i++) {
        Controller controller = controller("c");
        manager.add(controller);
        assertThat(manager.awaitReady(LIMIT)).isTrue();
        manager.remove(controller);
      }
      Eventually.await("no watch", () -> server.watches().isEmpty());
      Eventually.await("the end of threads", () -> threads() == 0);
    }
  }
}
