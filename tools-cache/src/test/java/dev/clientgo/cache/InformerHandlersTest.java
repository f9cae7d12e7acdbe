package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Handlers that come and go, and handlers that misbehave. */
final class InformerHandlersTest extends InformerFixture {

  // ---- handlers come and go

  @Test
  void lateHandler_hearsOfCacheThenOfWhatHappensNext() throws InterruptedException {
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer = informer();
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    server.put("default/a");

    assertThat(handler.await(2)).containsExactly("add default/a@1 initial", "update default/a@1 2");
    assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
  }

  @Test
  void handlerOfFunctions_hearsOfTheirEvents() throws InterruptedException {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(
        handler ->
            handler
                .onAdd(object -> heard.add("add " + object.metadata().name()))
                .onDelete(deleted -> heard.add("delete " + deleted.key())),
        HandlerOptions.builder().name("listens").build());
    server.put("default/a");
    informer.start();
    assertThat(informer.health().handlers()).singleElement().asString().contains("listens");

    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("add a");
    server.put("default/a");
    server.delete("default/a");
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("delete default/a");
  }

  /** All handlers made of functions are of one class. */
  @Test
  void handlersOfOneName_haveNumbers() {
    SharedIndexInformer<ApiObject> informer = informer();
    HandlerOptions options = HandlerOptions.builder().name("listens").build();
    informer.addEventHandler(functions -> {}, options);
    ResourceEventHandlerRegistration second = informer.addEventHandler(functions -> {}, options);
    informer.addEventHandler(functions -> {}, options);
    informer.removeEventHandler(second);
    informer.addEventHandler(functions -> {}, options);

    assertThat(informer.health().handlers())
        .extracting(InformerHealth.Handler::name)
        .containsExactly(
            informer.name() + " handler listens",
            informer.name() + " handler listens #3",
            informer.name() + " handler listens #2");
  }

  /**
   * A handler hears of every object exactly once, whenever it is added
   * (TestSharedInformerInitializationRace, TestSharedInformerStartRace, TestAddWhileActive).
   */
  @Test
  void handlersAddedDuringStartAndEvents_eachHearOfEveryObjectOnce() throws Exception {
    for (int i = 0; i < 20; i++) {
      server.put("default/" + i);
    }
    SharedIndexInformer<ApiObject> informer = informer();
    List<RecordingHandler> handlers = new ArrayList<>();
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      Future<?> adding =
          executor.submit(
              () -> {
                for (int i = 0; i < 50; i++) {
                  RecordingHandler another = new RecordingHandler();
                  informer.addEventHandler(another);
                  synchronized (handlers) {
                    handlers.add(another);
                  }
                }
              });
      Future<?> changing =
          executor.submit(
              () -> {
                for (int i = 0; i < 100; i++) {
                  server.put("default/" + i % 30);
                }
              });
      informer.start();
      adding.get(30, TimeUnit.SECONDS);
      changing.get(30, TimeUnit.SECONDS);
    } finally {
      executor.shutdownNow();
    }
    ApiObject last = server.put("default/last");

    for (RecordingHandler each : handlers) {
      each.awaitEvent(event -> event.contains(RecordingHandler.describe(last)));
      assertThat(each.replay()).isEqualTo(server.objects());
    }
  }

  /**
   * A removed handler hears of no later change (TestSharedInformerRemoveHandler,
   * TestRemoveWhileActive).
   */
  @Test
  void removedHandler_hearsNothingMore() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    RecordingHandler other = new RecordingHandler();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    informer.addEventHandler(other);
    informer.start();
    server.put("default/a");
    handler.await(1);

    assertThat(informer.removeEventHandler(registration)).isTrue();
    settle(other);

    assertThat(handler.events()).hasSize(1);
    assertThat(informer.health().handlers()).hasSize(1);
  }

  /**
   * Removing a handler twice, or one of another informer, has no effect
   * (TestRemovingRemovedSharedInformer, TestSharedInformerRemoveForeignHandler).
   */
  @Test
  void removingWhatIsNotRegistered_doesNothing() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    SharedIndexInformer<ApiObject> foreign = informer();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    ResourceEventHandlerRegistration theirs = foreign.addEventHandler(new RecordingHandler());

    assertThat(informer.removeEventHandler(theirs)).isFalse();
    assertThat(informer.removeEventHandler(registration)).isTrue();
    assertThat(informer.removeEventHandler(registration)).isFalse();
    assertThat(informer.shutDownEventHandler(registration, SOON)).isTrue();
    assertThat(foreign.health().handlers()).hasSize(1);
  }

  /**
   * A handler that is added twice has two independent registrations
   * (TestSharedInformerMultipleRegistration).
   */
  @Test
  void oneHandlerTwice_hasTwoRegistrations() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    ResourceEventHandlerRegistration first = informer.addEventHandler(handler);
    ResourceEventHandlerRegistration second = informer.addEventHandler(handler);
    assertThat(first).isNotSameAs(second);
    server.put("default/a");
    informer.start();
    assertThat(handler.await(2)).containsOnly("add default/a@1 initial");

    informer.removeEventHandler(first);
    server.put("default/a");
    settle(handler);

    assertThat(handler.events()).hasSize(4);
  }

  /** Handlers are added and removed while events arrive (TestSharedInformerHandlerAbuse). */
  @Test
  void handlersComeAndGoDuringEvents_nobodyIsLeftBehind() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(handler);
    informer.start();
    ExecutorService executor = Executors.newFixedThreadPool(4);
    List<Future<?>> futures = new ArrayList<>();
    try {
      for (int worker = 0; worker < 4; worker++) {
        String prefix = "default/" + worker + "-";
        futures.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    RecordingHandler another = new RecordingHandler();
                    ResourceEventHandlerRegistration registration =
                        informer.addEventHandler(another);
                    server.put(prefix + i % 5);
                    informer.removeEventHandler(registration);
                  }
                }));
      }
      for (Future<?> future : futures) {
        future.get(30, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    settle(handler);

    assertThat(handler.replay()).isEqualTo(server.objects());
    assertThat(informer.health().handlers()).hasSize(1);
  }

  /** A handler may add and remove handlers. */
  @Test
  void handlerRemovesItself_andHearsNothingMore() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    AtomicReference<ResourceEventHandlerRegistration> own = new AtomicReference<>();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch removed = new CountDownLatch(1);
    own.set(
        informer.addEventHandler(
            ResourceEventHandlerFuncs.<ApiObject>builder()
                .onAdd(
                    object -> {
                      calls.incrementAndGet();
                      informer.removeEventHandler(own.get());
                      removed.countDown();
                    })
                .build()));
    informer.addEventHandler(handler);
    server.put("default/a");
    informer.start();
    assertThat(removed.await(30, TimeUnit.SECONDS)).isTrue();
    server.put("default/b");
    handler.await(2);
    settle(handler);

    assertThat(calls).hasValue(1);
    assertThat(informer.health().handlers()).hasSize(1);
  }

  // ---- handlers that misbehave

  /**
   * A handler that throws misses that notification and gets the next one after a second
   * (TestEventPanics).
   */
  @Test
  void handlerThrows_missesThatEventAndGoesOnAfterASecond() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    ResourceEventHandlerRegistration broken =
        informer.addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(ApiObject object, boolean isInInitialList) {
                if (isInInitialList) {
                  throw new AssertionError("not even an Error ends the thread");
                }
                handler.onAdd(object, isInInitialList);
              }
            },
            HandlerOptions.builder().name("broken").build());
    RecordingHandler other = new RecordingHandler();
    ResourceEventHandlerRegistration fine = informer.addEventHandler(other);
    informer.start();
    assertThat(fine.hasSyncedChecker().await(SOON)).isTrue();
    server.put("default/b");

    assertThat(other.await(2)).hasSize(2);
    assertThat(handler.events()).isEmpty();
    // The handler that pauses.
    clock.awaitWaiterWithin(Duration.ofSeconds(1));
    clock.advance(Duration.ofSeconds(1));
    assertThat(handler.await(1)).containsExactly("add default/b@2");
    assertThat(broken.hasSynced()).isFalse();
    assertThat(informer.health().handlers().get(0).failures()).isEqualTo(1);
    assertThat(informer.health().handlers().get(0).name()).contains("broken");
  }

  /**
   * Removing a handler ends the pause after its failure (TestRemoveEventHandler_AsynchronousPanic).
   */
  @Test
  void handlerThrows_isRemovedInThePauseAndItsThreadEnds() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    ResourceEventHandlerRegistration broken =
        informer.addEventHandler(
            ResourceEventHandlerFuncs.<ApiObject>builder()
                .onAdd(
                    object -> {
                      throw new IllegalStateException("broken");
                    })
                .build());
    informer.start();
    // The handler that pauses.
    clock.awaitWaiterWithin(Duration.ofSeconds(1));

    assertThat(informer.shutDownEventHandler(broken, SOON)).isTrue();
    assertThat(broken.hasSyncedChecker().await(SOON)).isFalse();
  }

  @Test
  void slowHandler_holdsUpNobodyAndItsBacklogShows() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    CountDownLatch release = new CountDownLatch(1);
    informer.addEventHandler(blocking(new CountDownLatch(1), release));
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();
    for (int i = 0; i < 3000; i++) {
      server.put("default/a");
    }

    handler.await(3000);
    assertThat(informer.health().handlers().get(0).backlog()).isGreaterThan(2900);
    assertThat(informer.health().handlers().get(1).backlog()).isZero();
    release.countDown();
  }

  @Test
  void handlerLeavesItsThreadInterrupted_andGoesOnHearing() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(ApiObject object, boolean isInInitialList) {
            handler.onAdd(object, isInInitialList);
            Thread.currentThread().interrupt();
          }
        });
    informer.start();
    server.put("default/a");
    handler.await(1);
    server.put("default/b");

    assertThat(handler.await(2)).hasSize(2);
  }

  @Test
  void transformLeavesTheThreadInterrupted_informerGoesOn() throws InterruptedException {
    server.put("default/a");
    FakeClock clock = FakeClock.create();
    AtomicInteger interruptions = new AtomicInteger(2);
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server)
                .transform(
                    object -> {
                      if (interruptions.getAndDecrement() > 0) {
                        Thread.currentThread().interrupt();
                      }
                      return object;
                    }),
            ReflectorOptions.builder().clock(clock));
    informer.addEventHandler(handler);
    informer.start();
    for (int pauses = 0; pauses < 2; pauses++) {
      clock.awaitWaiterWithin(Duration.ofSeconds(1));
      clock.advance(Duration.ofSeconds(1));
    }

    assertThat(handler.await(1)).containsExactly("add default/a@1 initial");
  }

  /**
   * Shutting down a handler waits for its current call (TestRemoveEventHandler_SynchronousShutdown,
   * TestShutDownEventHandler_Lifecycles).
   */
  @Test
  void shutDownEventHandler_waitsForTheCallThatHasBegun() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    ResourceEventHandlerRegistration registration =
        informer.addEventHandler(blocking(entered, release));
    informer.start();
    server.put("default/a");
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(informer.shutDownEventHandler(registration, Duration.ofMillis(20))).isFalse();
    release.countDown();
    assertThat(informer.shutDownEventHandler(registration, SOON)).isTrue();
  }

  @Test
  void shutDownEventHandler_informerNeverStarted_returnsAtOnce() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();

    assertThat(informer.shutDownEventHandler(informer.addEventHandler(handler), SOON)).isTrue();
  }
}
