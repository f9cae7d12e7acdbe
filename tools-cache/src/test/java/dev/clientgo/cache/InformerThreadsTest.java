package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Informers with the same options share their threads; nothing else of one reaches another. */
final class InformerThreadsTest extends InformerFixture {

  private final ReflectorOptions shared =
      ReflectorOptions.builder().useWatchList(true).threadFactory(this::newThread).build();
  private final List<SharedIndexInformer<ApiObject>> sharing = new ArrayList<>();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    sharing.forEach(SharedIndexInformer::close);
  }

  private SharedIndexInformer<ApiObject> sharing(String name) {
    return sharing(name, shared);
  }

  private SharedIndexInformer<ApiObject> sharing(String name, ReflectorOptions options) {
    SharedIndexInformer<ApiObject> informer =
        SharedIndexInformer.builder(server)
            .options(options.toBuilder().name(name).build())
            .resyncPeriod(Duration.ofMinutes(10))
            .build();
    sharing.add(informer);
    return informer;
  }

  private synchronized List<Thread> made() {
    return List.copyOf(threads);
  }

  private long alive(String inName) {
    return made().stream()
        .filter(thread -> thread.isAlive() && thread.getName().contains(inName))
        .count();
  }

  private void assertAllEnd() throws InterruptedException {
    for (Thread thread : made()) {
      thread.join(SOON.toMillis());
    }
    assertThat(alive("")).isZero();
  }

  /** Starts informers with a handler each, one after the other, and waits until all are synced. */
  private void startAndSync(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      SharedIndexInformer<ApiObject> informer = sharing("informer " + i);
      ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
      informer.start();
      assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
    }
  }

  @Test
  void quietInformers_needOneThreadEach_andAFewForAll() throws InterruptedException {
    server.put("default/a");

    startAndSync(100);

    assertThat(alive(" reflector")).isEqualTo(100);
    // One waits for the timers. Others take lists to the caches, and call handlers.
    assertThat(alive("")).isBetween(103L, 101L + 64);
  }

  @Test
  void handlersThatBlock_delayNoOtherInformer() throws InterruptedException {
    server.put("default/a");
    for (int i = 0; i < 40; i++) {
      SharedIndexInformer<ApiObject> informer = sharing("blocked " + i);
      CountDownLatch entered = new CountDownLatch(1);
      informer.addEventHandler(blocking(entered, release));
      informer.start();
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    }

    SharedIndexInformer<ApiObject> other = sharing("other");
    other.addEventHandler(handler);
    other.start();

    settle(handler);
    assertThat(alive(" handler ")).isGreaterThanOrEqualTo(40);
  }

  /** A thread dump shows which handler of which informer is stuck. */
  @Test
  void threadOfACall_hasTheNameOfInformerAndHandler() throws InterruptedException {
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer = sharing("pods in shop");
    AtomicReference<String> name = new AtomicReference<>();
    CountDownLatch called = new CountDownLatch(1);
    informer.addEventHandler(
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAdd(
                object -> {
                  name.set(Thread.currentThread().getName());
                  called.countDown();
                })
            .build(),
        HandlerOptions.builder().name("audit").build());

    informer.start();

    assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(name).hasValue("pods in shop handler audit");
  }

  /** The thread of the closed informer's handler is interrupted, those of others are not. */
  @Test
  void close_ofOneInformer_leavesTheOthersRunning() throws InterruptedException {
    server.put("default/a");
    startAndSync(3);
    RecordingHandler later = new RecordingHandler();
    sharing.get(2).addEventHandler(later);

    sharing.get(0).close();
    sharing.get(1).close();

    settle(later);
    assertThat(sharing.get(2).isRunning()).isTrue();
    sharing.get(2).close();
    assertAllEnd();
  }

  @Test
  void closedAndStartedAgain_sameOptionsServeNewInformers() throws InterruptedException {
    server.put("default/a");
    startAndSync(1);
    sharing.get(0).close();
    assertAllEnd();

    startAndSync(1);

    assertThat(alive("")).isPositive();
  }

  @Test
  void optionsWithAnotherClockOrFactory_shareNothing() {
    assertThat(shared.toBuilder().name("other").build().threads()).isSameAs(shared.threads());
    assertThat(shared.toBuilder().clock(FakeClock.create()).build().threads())
        .isNotSameAs(shared.threads());
    assertThat(shared.toBuilder().threadFactory(this::newThread).build().threads())
        .isNotSameAs(shared.threads());
  }

  /**
   * An empty list leaves nothing in a DeltaFIFO, so no delta tells the handlers that it is over.
   */
  @Test
  void deltaFIFO_withAnEmptyFirstList_syncsTheHandlers() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).useDeltaFIFO(true), ReflectorOptions.builder());
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);

    informer.start();

    assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
  }
}
