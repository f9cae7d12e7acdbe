package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The start and the end of an informer, and the waits for both. */
final class InformerLifecycleTest extends InformerFixture {

  // ---- lifecycle

  /**
   * An informer is started once and closed for good (TestStateSharedInformer,
   * TestAddOnStoppedSharedInformer, TestRemoveOnStoppedSharedInformer).
   */
  @Test
  void lifecycle_goesOneWay() {
    SharedIndexInformer<ApiObject> informer = informer();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    assertThat(informer.isRunning()).isFalse();
    assertThat(informer.isStopped()).isFalse();
    assertThat(informer.health().state()).isEqualTo(InformerHealth.ReflectorState.NEW);
    assertThat(informer.lastSyncResourceVersion()).isEmpty();
    assertThatThrownBy(() -> informer.awaitSynced(SOON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("started");

    informer.start();
    informer.start();
    assertThat(informer.isRunning()).isTrue();

    informer.close();
    informer.close();
    assertThat(informer.isRunning()).isFalse();
    assertThat(informer.isStopped()).isTrue();
    assertThat(informer.health().state()).isEqualTo(InformerHealth.ReflectorState.STOPPED);
    assertThatThrownBy(() -> informer.addEventHandler(handler))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(informer::start).isInstanceOf(IllegalStateException.class);
    informer.removeEventHandler(registration);
  }

  @Test
  void closedBeforeStart_leavesNothing() {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(handler);

    informer.close();

    assertThat(threads).isEmpty();
    assertThat(informer.isStopped()).isTrue();
  }

  @Test
  void closed_cacheCanStillBeRead() throws InterruptedException {
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer = informer();
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    informer.close();

    assertThat(informer.indexer().listKeys()).containsExactly("default/a");
    assertThat(informer.lastSyncResourceVersion()).isEqualTo("1");
  }

  /** Closing an informer waits for the current call of a handler (TestShutdown). */
  @Test
  void close_waitsForHandlerThatReturns() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    informer.addEventHandler(blocking(entered, release));
    informer.start();
    server.put("default/a");
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

    Thread closing = new Thread(informer::close);
    closing.start();
    closing.join(50);
    assertThat(closing.isAlive()).isTrue();
    release.countDown();
    closing.join(SOON.toMillis());
    assertThat(closing.isAlive()).isFalse();
  }

  @Test
  void closeFromHandler_doesNotWaitForItself() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    CountDownLatch closed = new CountDownLatch(1);
    informer.addEventHandler(
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAdd(
                object -> {
                  informer.close();
                  closed.countDown();
                })
            .build());
    server.put("default/a");
    informer.start();

    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(informer.isStopped()).isTrue();
  }

  @Test
  void closeFromWatchErrorHandler_doesNotWaitForItself() throws InterruptedException {
    AtomicReference<SharedIndexInformer<ApiObject>> informer = new AtomicReference<>();
    CountDownLatch closed = new CountDownLatch(1);
    server.onRequest(
        request -> {
          throw FakeServer.error("Unauthorized", 401, "who are you");
        });
    informer.set(
        informer(
            SharedIndexInformer.builder(server)
                .watchErrorHandler(
                    (reflector, error) -> {
                      informer.get().close();
                      closed.countDown();
                    }),
            ReflectorOptions.builder()));
    informer.get().start();

    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void closeWhileCallerIsInterrupted_endsThreadsAndKeepsTheFlag() {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(handler);
    informer.start();

    Thread.currentThread().interrupt();
    informer.close();

    assertThat(Thread.interrupted()).isTrue();
  }

  // ---- waits that would be in vain

  @Test
  void close_beforeSync_endsAllWaits() throws Exception {
    server.onRequest(
        request -> {
          throw ReflectorFixture.forbidden();
        });
    SharedIndexInformer<ApiObject> informer = informer();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    informer.start();
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      Duration forEver = Duration.ofHours(1);
      List<Future<Boolean>> waits =
          List.of(
              executor.submit(() -> informer.awaitSynced(forEver)),
              executor.submit(() -> informer.awaitResourceVersion("7", forEver)),
              executor.submit(() -> registration.hasSyncedChecker().await(forEver)));

      informer.close();

      for (Future<Boolean> wait : waits) {
        assertThat(wait.get(30, TimeUnit.SECONDS)).isFalse();
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void removedHandler_isNotWaitedFor() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);

    informer.removeEventHandler(registration);

    assertThat(registration.hasSyncedChecker().await(Duration.ofHours(1))).isFalse();
  }

  @Test
  void clientIsClosed_informerEndsByItself() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.onRequest(
        request -> {
          throw new TransportException(
              TransportException.Kind.CLIENT_CLOSED, "the client is closed", null);
        });
    server.disconnect();

    for (Thread thread : threads) {
      thread.join(SOON.toMillis());
    }
    assertThat(informer.isStopped()).isTrue();
    assertThat(informer.health().lastError())
        .hasValueSatisfying(error -> assertThat(error).hasMessage("the client is closed"));
  }
}
