package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.concurrent.Daemons;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.runtime.ListSink;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Informers, watches and handlers that come and go leave nothing: no thread, no watch, no heap. */
@Timeout(120)
final class InformerLeakTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** One small object for each of the many would be more than this. */
  private static final long TOLERATED_BYTES = 150_000;

  private final CountingThreads threads = new CountingThreads();

  /** The usual threads, counted: virtual ones where this Java has them. */
  private static final class CountingThreads implements ThreadFactory {

    final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final ThreadFactory factory = Daemons.named("leak-test-");

    @Override
    public Thread newThread(Runnable task) {
      made.incrementAndGet();
      return factory.newThread(
          () -> {
            try {
              task.run();
            } finally {
              ended.incrementAndGet();
            }
          });
    }

    int alive() {
      return made.get() - ended.get();
    }
  }

  /** The time of the machine, but nobody sleeps: ten thousand pauses would take long. */
  private static final class HurriedClock implements Clock {

    private final Clock system = Clock.system();

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return system.await(lock, condition, timeout);
    }
  }

  private SharedIndexInformer<ApiObject> informer(ListerWatcher<ApiObject> source) {
    return SharedIndexInformer.builder(source)
        .options(
            ReflectorOptions.builder().threadFactory(threads).clock(new HurriedClock()).build())
        .build();
  }

  @Test
  void thousandInformers_atOnceThenClosed_leaveNothing() throws InterruptedException {
    FakeServer server = new FakeServer();
    for (int i = 0; i < 10; i++) {
      server.put("default/" + i);
    }
    startAndClose(server, 50); // What is loaded and compiled once is no leak.
    long before = Heap.used();

    List<WeakReference<?>> informers = startAndClose(server, 1000);

    assertThat(Heap.used() - before).isLessThan(TOLERATED_BYTES);
    assertThat(informers).allMatch(informer -> informer.get() == null);
    assertThat(threads.alive()).isEqualTo(0);
    assertThat(server.openWatches()).isZero();
  }

  private List<WeakReference<?>> startAndClose(FakeServer server, int count)
      throws InterruptedException {
    int started = threads.made.get();
    List<SharedIndexInformer<ApiObject>> informers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      informers.add(informer(server));
    }
    informers.forEach(SharedIndexInformer::start);
    for (SharedIndexInformer<ApiObject> informer : informers) {
      assertThat(informer.awaitSynced(SOON)).isTrue();
      assertThat(informer.indexer().listKeys()).hasSize(10);
    }
    assertThat(server.openWatches()).isEqualTo(count);
    // Nobody handles, so none of the threads is a handler's.
    assertThat(threads.made.get() - started).isEqualTo(3 * count);
    informers.forEach(SharedIndexInformer::close);
    server.forgetRequests();
    List<WeakReference<?>> references = new ArrayList<>();
    informers.forEach(informer -> references.add(new WeakReference<>(informer)));
    return references;
  }

  /** A server that ends each watch after one event. */
  private static final class EndingSource implements ListerWatcher<ApiObject> {

    final CountDownLatch pausing = new CountDownLatch(1);
    final CountDownLatch over = new CountDownLatch(1);
    final AtomicInteger open = new AtomicInteger();
    private volatile CountDownLatch goOn = new CountDownLatch(1);
    private final int pauseAt;
    private final int endAt;
    private int watches;

    EndingSource(int pauseAt, int endAt) {
      this.pauseAt = pauseAt;
      this.endAt = endAt;
    }

    void goOn() {
      goOn.countDown();
    }

    @Override
    public ListMeta list(ListOptions options, ListSink<? super ApiObject> sink) {
      sink.accept(ApiObject.of("default/a", "1"));
      return ListMeta.builder().resourceVersion("1").build();
    }

    @Override
    public Watch<ApiObject> watch(ListOptions options) throws InterruptedException {
      if (watches == pauseAt) {
        pausing.countDown();
        goOn.await();
      }
      if (watches == endAt) {
        over.countDown();
        new CountDownLatch(1).await();
      }
      int version = ++watches + 1;
      open.incrementAndGet();
      return new Watch<>() {
        private boolean told;
        private boolean closed;

        @Override
        public Optional<WatchEvent<ApiObject>> next() {
          if (told) {
            return Optional.empty();
          }
          told = true;
          return Optional.of(
              new WatchEvent.Modified<>(ApiObject.of("default/a", String.valueOf(version))));
        }

        @Override
        public synchronized void close() {
          if (!closed) {
            closed = true;
            open.decrementAndGet();
          }
        }
      };
    }

    @Override
    public boolean isWatchListSemanticsUnsupported() {
      return true;
    }
  }

  @Test
  void tenThousandReconnects_leaveNothing() throws InterruptedException {
    EndingSource source = new EndingSource(1000, 11_000);
    try (SharedIndexInformer<ApiObject> informer = informer(source)) {
      CountDownLatch seenLast = new CountDownLatch(1);
      informer.addEventHandler(
          ResourceEventHandlerFuncs.<ApiObject>builder()
              .onUpdate(
                  (oldPod, pod) -> {
                    if (pod.metadata().resourceVersion().equals("11001")) {
                      seenLast.countDown();
                    }
                  })
              .build());
      informer.start();
      assertThat(source.pausing.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(informer.awaitResourceVersion("1001", SOON)).isTrue();
      int started = threads.made.get();
      long before = Heap.used();

      source.goOn();
      assertThat(source.over.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(seenLast.await(60, TimeUnit.SECONDS)).isTrue();

      assertThat(Heap.used() - before).isLessThan(TOLERATED_BYTES);
      assertThat(threads.made).hasValue(started);
      assertThat(source.open).hasValue(0);
      assertThat(informer.controller().reflector().timers().size()).isZero();
    }
    assertThat(threads.alive()).isEqualTo(0);
  }

  @Test
  void tenThousandHandlers_addedAndRemoved_leaveNothing() throws InterruptedException {
    FakeServer server = new FakeServer();
    server.put("default/a");
    try (SharedIndexInformer<ApiObject> informer = informer(server)) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();
      addAndRemove(informer, 500);
      int alive = threads.alive();
      long before = Heap.used();

      WeakReference<?> last = addAndRemove(informer, 10_000);

      assertThat(threads.alive()).isEqualTo(alive);
      assertThat(Heap.used() - before).isLessThan(TOLERATED_BYTES);
      assertThat(last.get()).isNull();
      assertThat(informer.health().handlers()).isEmpty();
    }
    assertThat(threads.alive()).isEqualTo(0);
  }

  private static WeakReference<?> addAndRemove(SharedIndexInformer<ApiObject> informer, int count)
      throws InterruptedException {
    WeakReference<?> last = new WeakReference<>(informer);
    for (int i = 0; i < count; i++) {
      RecordingHandler handler = new RecordingHandler();
      ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
      assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
      assertThat(informer.shutDownEventHandler(registration, SOON)).isTrue();
      last = new WeakReference<>(handler);
    }
    return last;
  }
}
