package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Informers, watches and handlers that come and go leave nothing: no thread, no watch, no heap. */
@Timeout(600)
final class InformerLeakTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** One small object for each repetition would exceed this. */
  private static final long TOLERATED_BYTES = 150_000;

  private final CountingThreads threads = new CountingThreads();

  /** The usual threads, counted; virtual ones if this Java has them. */
  private static final class CountingThreads implements ThreadFactory {

    final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final ThreadFactory factory = DaemonThreads.named("leak-test-");

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

    /** Waits until at most that many are alive, because close() does not wait forever. */
    void awaitAlive(int count) {
      Clock clock = Clock.system();
      long start = clock.nanoTime();
      while (alive() > count && clock.nanoTime() - start < SOON.toNanos()) {
        Thread.onSpinWait();
      }
      assertThat(alive()).isLessThanOrEqualTo(count);
    }
  }

  /** The system clock without sleeps: ten thousand pauses would take too long. */
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
    List<WeakReference<?>> informers = new ArrayList<>();

    Heap.assertLeavesLessThan(
        TOLERATED_BYTES,
        () -> {
          informers.clear();
          informers.addAll(startAndClose(server, 1000));
        });

    assertThat(informers).hasSize(1000).allMatch(informer -> informer.get() == null);
    threads.awaitAlive(0);
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
    // A reflector, the timers, and a thread that took the list to the cache.
    assertThat(threads.made.get() - started).isEqualTo(3 * count);
    informers.forEach(SharedIndexInformer::close);
    server.forgetRequests();
    List<WeakReference<?>> references = new ArrayList<>();
    informers.forEach(informer -> references.add(new WeakReference<>(informer)));
    return references;
  }

  /** A server that ends each watch after one event, and serves only the given number of watches. */
  private static final class EndingSource implements ListerWatcher<ApiObject> {

    final AtomicInteger open = new AtomicInteger();
    private final Semaphore allowed = new Semaphore(0);
    private final Semaphore ran = new Semaphore(0);
    private int watches;

    /** Lets the informer watch so many times, and waits until it asks for one more. */
    void letWatch(int times) throws InterruptedException {
      allowed.release(times);
      assertThat(ran.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public ListMeta list(ListOptions options, ListSink<? super ApiObject> sink) {
      sink.accept(ApiObject.of("default/a", "1"));
      return ListMeta.builder().resourceVersion("1").build();
    }

    @Override
    public Watch<ApiObject> watch(ListOptions options) throws InterruptedException {
      if (!allowed.tryAcquire()) {
        ran.release();
        allowed.acquire();
      }
      int version = ++watches + 1;
      open.incrementAndGet();
      return new Watch<>() {
        private boolean sent;
        private boolean closed;

        @Override
        public Optional<WatchEvent<ApiObject>> next() {
          if (sent) {
            return Optional.empty();
          }
          sent = true;
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
    EndingSource source = new EndingSource();
    try (SharedIndexInformer<ApiObject> informer = informer(source)) {
      Semaphore updates = new Semaphore(0);
      informer.addEventHandler(
          ResourceEventHandlerFuncs.<ApiObject>builder()
              .onUpdate((oldPod, pod) -> updates.release())
              .build());
      informer.start();
      source.letWatch(1);
      assertThat(updates.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
      int started = threads.made.get();

      Heap.assertLeavesLessThan(
          TOLERATED_BYTES,
          () -> {
            source.letWatch(10_000);
            assertThat(updates.tryAcquire(10_000, 60, TimeUnit.SECONDS)).isTrue();
          });

      assertThat(threads.made).hasValue(started);
      assertThat(source.open).hasValue(0);
      assertThat(informer.controller().reflector().timers().size()).isZero();
    }
    threads.awaitAlive(0);
  }

  @Test
  void tenThousandHandlers_addedAndRemoved_leaveNothing() throws InterruptedException {
    FakeServer server = new FakeServer();
    server.put("default/a");
    try (SharedIndexInformer<ApiObject> informer = informer(server)) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();
      int alive = threads.alive();
      List<WeakReference<?>> last = new ArrayList<>();

      Heap.assertLeavesLessThan(
          TOLERATED_BYTES,
          () -> {
            last.clear();
            last.add(addAndRemove(informer, 10_000));
          });

      // The thread that called the last handler may wait for another one.
      threads.awaitAlive(alive + 1);
      assertThat(last).hasSize(1).allMatch(handler -> handler.get() == null);
      assertThat(informer.health().handlers()).isEmpty();
    }
    threads.awaitAlive(0);
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
