package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Informers with real threads on a simulated server; all of them end with the test. */
@Timeout(300)
abstract class InformerFixture {

  static final Duration SOON = Duration.ofSeconds(30);

  final FakeServer server = new FakeServer();
  final RecordingHandler handler = new RecordingHandler();
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void everyThreadEnds() throws InterruptedException {
    informers.forEach(SharedIndexInformer::close);
    for (Thread thread : threads) {
      thread.join(SOON.toMillis());
    }
    assertThat(threads).allSatisfy(thread -> assertThat(thread.isAlive()).isFalse());
    assertThat(server.openWatches()).isZero();
  }

  final SharedIndexInformer<ApiObject> informer() {
    return informer(SharedIndexInformer.builder(server), ReflectorOptions.builder());
  }

  final SharedIndexInformer<ApiObject> informer(FakeClock clock, Duration resyncPeriod) {
    return informer(
        SharedIndexInformer.builder(server).resyncPeriod(resyncPeriod),
        ReflectorOptions.builder().clock(clock));
  }

  final SharedIndexInformer<ApiObject> informer(
      SharedIndexInformer.Builder<ApiObject> builder, ReflectorOptions.Builder options) {
    SharedIndexInformer<ApiObject> informer =
        builder.options(options.useWatchList(true).threadFactory(this::newThread).build()).build();
    informers.add(informer);
    return informer;
  }

  final synchronized Thread newThread(Runnable runnable) {
    Thread thread = new Thread(runnable);
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  static HandlerOptions resync(Duration period) {
    return HandlerOptions.builder().resyncPeriod(period).build();
  }

  /** Waits until everything that has happened so far has reached the handlers. */
  final void settle(RecordingHandler... handlers) throws InterruptedException {
    ApiObject last = server.put("settle/" + server.version());
    for (RecordingHandler settling : handlers) {
      settling.awaitEvent(event -> event.contains(RecordingHandler.describe(last)));
    }
  }

  /** Returns a handler that does not return, interrupted or not, until it is let go. */
  static ResourceEventHandler<ApiObject> blocking(CountDownLatch entered, CountDownLatch release) {
    return ResourceEventHandlerFuncs.<ApiObject>builder()
        .onAdd(
            object -> {
              entered.countDown();
              boolean interrupted = false;
              while (true) {
                try {
                  release.await();
                  break;
                } catch (InterruptedException e) {
                  interrupted = true;
                }
              }
              if (interrupted) {
                Thread.currentThread().interrupt();
              }
            })
        .build();
  }
}
