package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.cache.metrics.InformerMetrics;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The metrics of an informer (TestReflectorMetrics, TestInformerMetrics). */
@Timeout(300)
final class InformerMetricsTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final FakeServer server = new FakeServer();
  private final RecordingHandler handler = new RecordingHandler();
  private final Recorded metrics = new Recorded();

  private static final class Recorded implements InformerMetrics {
    final List<Integer> queueLengths = new CopyOnWriteArrayList<>();
    final List<Duration> processed = new CopyOnWriteArrayList<>();
    final List<String> lists = new CopyOnWriteArrayList<>();
    final List<Long> watches = new CopyOnWriteArrayList<>();
    final List<RuntimeException> failures = new CopyOnWriteArrayList<>();
    final List<String> versions = new CopyOnWriteArrayList<>();
    final List<Integer> backlogs = new CopyOnWriteArrayList<>();
    final List<String> failedHandlers = new CopyOnWriteArrayList<>();
    final CountDownLatch handlerFailed = new CountDownLatch(1);

    @Override
    public void queueLength(int length) {
      queueLengths.add(length);
    }

    @Override
    public void processed(Duration duration) {
      processed.add(duration);
    }

    @Override
    public void listed(Duration duration, int objects, boolean streamed) {
      lists.add(objects + (streamed ? " streamed" : " listed"));
    }

    @Override
    public void watched(Duration duration, long events) {
      watches.add(events);
    }

    @Override
    public void failed(RuntimeException error) {
      failures.add(error);
    }

    @Override
    public void storeResourceVersion(String resourceVersion) {
      versions.add(resourceVersion);
    }

    @Override
    public void handlerBacklog(String handler, int notifications) {
      backlogs.add(notifications);
    }

    @Override
    public void handlerFailed(String handler, Throwable error) {
      failedHandlers.add(handler + ": " + error.getMessage());
      handlerFailed.countDown();
    }
  }

  private SharedIndexInformer<ApiObject> informer() {
    return SharedIndexInformer.builder(server)
        .watchErrorHandler((reflector, error) -> {})
        .options(
            ReflectorOptions.builder()
                .name("pods")
                .useWatchList(true)
                .backoff(Backoff.builder(Duration.ofMillis(1)).build())
                .build())
        .metrics(metrics)
        .build();
  }

  @Test
  void listsAndWatches_areCountedWithTheirSize() throws InterruptedException {
    server.put("default/a");
    server.put("default/b");
    try (SharedIndexInformer<ApiObject> informer = informer()) {
      informer.addEventHandler(handler);
      informer.start();
      handler.await(2);
      server.put("default/c");
      handler.await(3);
      server.compact();
      server.send(new WatchEvent.Failed<>(ReflectorFixture.expired()));
      server.put("default/d");
      handler.await(4);
    }

    assertThat(metrics.lists).hasSizeBetween(2, 3).startsWith("2 streamed");
    // The initial events, their bookmark, the change, and the error.
    assertThat(metrics.watches.get(0)).isEqualTo(5);
    assertThat(metrics.failures).isNotEmpty().allMatch(ServerErrors::isExpired);
  }

  @Test
  void queueAndStore_areFollowed() throws InterruptedException {
    try (SharedIndexInformer<ApiObject> informer = informer()) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();
      for (int i = 0; i < 5; i++) {
        server.put("default/a");
      }
      assertThat(informer.awaitResourceVersion("5", SOON)).isTrue();
    }

    assertThat(metrics.versions).endsWith("5");
    assertThat(metrics.queueLengths).contains(1).endsWith(0);
    assertThat(metrics.processed).isNotEmpty().noneMatch(Duration::isNegative);
  }

  /** Metrics that throw at each call. */
  private static InformerMetrics broken() {
    return (InformerMetrics)
        Proxy.newProxyInstance(
            InformerMetrics.class.getClassLoader(),
            new Class<?>[] {InformerMetrics.class},
            (proxy, method, arguments) -> {
              throw new IllegalStateException(method.getName());
            });
  }

  @Test
  void metricsThatFail_costNothing() throws InterruptedException {
    server.put("default/a");
    List<RuntimeException> errors = new CopyOnWriteArrayList<>();
    try (SharedIndexInformer<ApiObject> informer =
        SharedIndexInformer.builder(server)
            .watchErrorHandler((reflector, error) -> errors.add(error))
            .metrics(broken())
            .build()) {
      informer.addEventHandler(handler);
      informer.start();
      handler.await(1);
      server.put("default/a");
      server.put("default/b");
      handler.await(3);
    }

    assertThat(errors).isEmpty();
    assertThat(handler.events())
        .containsExactly("add default/a@1 initial", "update default/a@1 2", "add default/b@3");
  }

  @Test
  void handlers_areFollowed() throws InterruptedException {
    server.put("default/a");
    try (SharedIndexInformer<ApiObject> informer = informer()) {
      informer.addEventHandler(
          ResourceEventHandlerFuncs.<ApiObject>builder()
              .onAdd(
                  object -> {
                    throw new IllegalStateException("broken");
                  })
              .build(),
          HandlerOptions.builder().name("mine").build());
      informer.addEventHandler(handler);
      informer.start();
      handler.await(1);
      assertThat(metrics.handlerFailed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(metrics.failedHandlers).containsExactly("pods handler mine: broken");
    assertThat(metrics.backlogs).contains(0, 1);
  }
}
