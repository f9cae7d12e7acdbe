package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.clock.FakeClock;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole pipeline, with real threads. */
@Timeout(60)
final class SharedIndexInformerTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final FakeServer server = new FakeServer();
  private final RecordingHandler handler = new RecordingHandler();
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void everyThreadEnds() throws InterruptedException {
    informers.forEach(SharedIndexInformer::close);
    for (Thread thread : threads) {
      thread.join(5000);
    }
    assertThat(threads).allSatisfy(thread -> assertThat(thread.isAlive()).isFalse());
    assertThat(server.openWatches()).isZero();
  }

  private SharedIndexInformer<ApiObject> informer() {
    return informer(SharedIndexInformer.builder(server), ReflectorOptions.builder());
  }

  private SharedIndexInformer<ApiObject> informer(FakeClock clock, Duration resyncPeriod) {
    return informer(
        SharedIndexInformer.builder(server).resyncPeriod(resyncPeriod),
        ReflectorOptions.builder().clock(clock));
  }

  private SharedIndexInformer<ApiObject> informer(
      SharedIndexInformer.Builder<ApiObject> builder, ReflectorOptions.Builder options) {
    SharedIndexInformer<ApiObject> informer =
        builder.options(options.threadFactory(this::newThread).build()).build();
    informers.add(informer);
    return informer;
  }

  private synchronized Thread newThread(Runnable runnable) {
    Thread thread = new Thread(runnable);
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  private static HandlerOptions resync(Duration period) {
    return HandlerOptions.builder().resyncPeriod(period).build();
  }

  /** Waits until everything that has happened so far has reached the handlers. */
  private void settle(RecordingHandler... handlers) throws InterruptedException {
    ApiObject last = server.put("settle/" + server.version());
    for (RecordingHandler settling : handlers) {
      settling.awaitEvent(event -> event.contains(RecordingHandler.describe(last)));
    }
  }

  // ---- the whole way

  @Test
  void events_reachCacheAndHandlerInOrder() throws InterruptedException {
    server.put("default/a");
    server.put("default/b");
    SharedIndexInformer<ApiObject> informer = informer();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    informer.start();

    assertThat(informer.awaitSynced(SOON)).isTrue();
    assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
    assertThat(informer.indexer().listKeys()).containsExactlyInAnyOrder("default/a", "default/b");

    server.put("default/c");
    server.put("default/a");
    server.delete("default/b");

    assertThat(handler.await(5))
        .containsExactly(
            "add default/a@1 initial",
            "add default/b@2 initial",
            "add default/c@3",
            "update default/a@1 4",
            "delete default/b@5");
    assertThat(informer.awaitResourceVersion("5", SOON)).isTrue();
    assertThat(informer.indexer().listKeys()).containsExactlyInAnyOrder("default/a", "default/c");
  }

  @Test
  void streamingNotSupported_listsAndWatches() throws InterruptedException {
    server.put("default/a");
    server.watchListUnsupported(true);
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(handler);
    informer.start();
    settle(handler);

    assertThat(server.requests().get(0).isWatch()).isFalse();
    assertThat(server.listedVersions()).containsExactly("0");
  }

  /** TestIndexer. */
  @Test
  void indices_canBeAddedBeforeAndWhileRunning() throws InterruptedException {
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.<ApiObject>builder(server)
                .indexer(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()),
            ReflectorOptions.builder());
    IndexFunction<ApiObject> byName = object -> List.of(object.metadata().name());
    informer.addIndexers(Map.of("name", byName));
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    informer.addIndexers(Map.of("again", byName));

    assertThat(informer.indexer().indexKeys(Indexer.NAMESPACE_INDEX, "default"))
        .containsExactly("default/a");
    assertThat(informer.indexer().indexKeys("name", "a")).containsExactly("default/a");
    assertThat(informer.indexer().indexKeys("again", "a")).containsExactly("default/a");
    assertThatThrownBy(() -> informer.addIndexers(Map.of("name", byName)))
        .isInstanceOf(IllegalArgumentException.class);
    informer.close();
    assertThatThrownBy(() -> informer.addIndexers(Map.of("late", byName)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  /** TestSharedInformerTransformer. */
  @Test
  void transform_isAppliedBeforeCacheAndHandlers() throws InterruptedException {
    server.put("default/a");
    AtomicInteger applications = new AtomicInteger();
    AtomicReference<ApiObject> seen = new AtomicReference<>();
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server)
                .transform(
                    object -> {
                      applications.incrementAndGet();
                      return object.withLabel("transformed", "yes");
                    }),
            ReflectorOptions.builder());
    ResourceEventHandlerRegistration registration =
        informer.addEventHandler(
            ResourceEventHandlerFuncs.<ApiObject>builder().onAdd(seen::set).build());
    informer.start();

    assertThat(registration.hasSyncedChecker().await(SOON)).isTrue();
    assertThat(seen.get().metadata().labels()).containsEntry("transformed", "yes");
    assertThat(informer.indexer().getByKey("default/a")).containsSame(seen.get());
    assertThat(applications).hasValue(1);
  }

  /** TestSharedInformerErrorHandling. */
  @Test
  void listError_isReportedAndRetried() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    RuntimeException broken = FakeServer.error("InternalError", 500, "broken");
    CountDownLatch reported = new CountDownLatch(1);
    server.watchListUnsupported(true);
    server.onRequest(
        request -> {
          throw broken;
        });
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server)
                .watchErrorHandler(
                    (reflector, error) -> {
                      assertThat(error).isSameAs(broken);
                      reported.countDown();
                    }),
            ReflectorOptions.builder().clock(clock));
    informer.start();

    assertThat(reported.await(20, TimeUnit.SECONDS)).isTrue();
    clock.awaitWaiters(1);
    InformerHealth health = informer.health();
    assertThat(health.state()).isEqualTo(Reflector.State.BACKING_OFF);
    assertThat(health.hasSynced()).isFalse();
    assertThat(health.lastError()).containsSame(broken);
    assertThat(health.lastErrorTime()).contains(clock.now());
    assertThat(health.lastList()).isEmpty();

    server.onRequest(request -> request);
    clock.advance(Duration.ofSeconds(2));
    assertThat(informer.awaitSynced(SOON)).isTrue();
    assertThat(informer.health().lastList()).contains(clock.now());
  }

  /** TestSharedInformerWatchDisruption, TestResetWatch. */
  @Test
  void watchDisruption_listenersHearOnceOfWhatChanged() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    server.put("pod1");
    server.put("pod2");
    server.put("gone");
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ofSeconds(1));
    RecordingHandler noResync = new RecordingHandler();
    RecordingHandler resync = new RecordingHandler();
    informer.addEventHandler(noResync, resync(Duration.ZERO));
    informer.addEventHandler(resync, resync(Duration.ofSeconds(1)));
    informer.start();
    noResync.await(3);
    resync.await(3);
    // A first resync, which finds out that one of them takes no part in it.
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(1));
    resync.await(6);

    server.silently(
        () -> {
          server.put("pod3");
          server.put("pod2");
          server.delete("gone");
          server.compact();
        });
    // The backoff, and the timers.
    clock.awaitWaiters(2);
    clock.advance(Duration.ofMillis(1600));

    assertThat(noResync.await(6).subList(3, 6))
        .containsExactlyInAnyOrder("delete gone@3 unknown", "update pod2@2 5", "add pod3@4");
    resync.awaitEvent(event -> event.equals("add pod3@4"));
    settle(noResync, resync);
    assertThat(resync.events().subList(6, 10))
        .contains("delete gone@3 unknown", "update pod1@1 1", "update pod2@2 5", "add pod3@4");
    assertThat(noResync.events()).hasSize(7);
  }

  // ---- resync

  /** TestListenerResyncPeriods, TestListenerResyncPeriodsDelayed. */
  @Test
  void resync_reachesListenersThatAreDue() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    server.put("pod1");
    server.put("pod2");
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ofSeconds(1));
    RecordingHandler never = new RecordingHandler();
    RecordingHandler two = new RecordingHandler();
    RecordingHandler three = new RecordingHandler();
    informer.addEventHandler(never, resync(Duration.ZERO));
    informer.addEventHandler(two, resync(Duration.ofSeconds(2)));
    informer.addEventHandler(three, resync(Duration.ofSeconds(3)));
    informer.start();
    for (RecordingHandler each : List.of(never, two, three)) {
      each.await(2);
    }

    advanceWatching(clock, 1);
    settle(never, two, three);
    assertThat(List.of(never.events().size(), two.events().size(), three.events().size()))
        .containsExactly(3, 3, 3);

    advanceWatching(clock, 1);
    assertThat(two.await(6).subList(3, 6)).contains("update pod1@1 1", "update pod2@2 2");
    settle(never, two, three);
    assertThat(List.of(never.events().size(), two.events().size(), three.events().size()))
        .containsExactly(4, 7, 4);

    advanceWatching(clock, 1);
    three.await(8);
    settle(never, two, three);
    assertThat(List.of(never.events().size(), two.events().size(), three.events().size()))
        .containsExactly(5, 8, 9);
  }

  /** The timers' thread waits: for the next resync. */
  private static void advanceWatching(FakeClock clock, int seconds) throws InterruptedException {
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(seconds));
    clock.awaitWaiters(1);
  }

  @Test
  void informerWithoutResync_neverResyncs() {
    SharedProcessor<ApiObject> processor = processor(Duration.ZERO);

    processor.add(listener("a"), Duration.ofSeconds(5), List.of());

    assertThat(processor.resyncCheckPeriod()).isZero();
    assertThat(processor.resyncPeriods()).containsExactly(Duration.ZERO);
  }

  /** TestResyncCheckPeriod. */
  @Test
  void handlersBeforeStart_lowerTheCheckPeriod() {
    SharedProcessor<ApiObject> processor = processor(Duration.ofHours(12));

    processor.add(listener("a"), Duration.ZERO, List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofHours(12));
    processor.add(listener("b"), Duration.ofMinutes(1), List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofMinutes(1));
    processor.add(listener("c"), Duration.ofSeconds(55), List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(55));
    processor.add(listener("d"), Duration.ofSeconds(5), List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(5));

    assertThat(processor.resyncPeriods())
        .containsExactly(
            Duration.ZERO, Duration.ofMinutes(1), Duration.ofSeconds(55), Duration.ofSeconds(5));
  }

  @Test
  void handlersAfterStart_areRaisedToTheCheckPeriod() {
    SharedProcessor<ApiObject> processor = processor(Duration.ofSeconds(5));
    processor.start();

    processor.add(listener("a"), Duration.ofSeconds(2), List.of());
    processor.add(listener("b"), Duration.ofSeconds(7), List.of());

    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(5));
    assertThat(processor.resyncPeriods())
        .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(7));
    processor.close();
  }

  @Test
  void periodBelowASecond_becomesASecond() {
    SharedProcessor<ApiObject> processor = processor(Duration.ofSeconds(5));

    processor.add(listener("a"), Duration.ofMillis(1), List.of());

    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(1));
  }

  private SharedProcessor<ApiObject> processor(Duration checkPeriod) {
    return new SharedProcessor<>(checkPeriod, FakeClock.create(), this::newThread);
  }

  private ProcessorListener<ApiObject> listener(String name) {
    return new ProcessorListener<>(name, handler, FakeClock.create(), InformerMetrics.NONE);
  }

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

  /** TestSharedInformerInitializationRace, TestSharedInformerStartRace, TestAddWhileActive. */
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
      adding.get(20, TimeUnit.SECONDS);
      changing.get(20, TimeUnit.SECONDS);
    } finally {
      executor.shutdownNow();
    }
    ApiObject last = server.put("default/last");

    for (RecordingHandler each : handlers) {
      each.awaitEvent(event -> event.contains(RecordingHandler.describe(last)));
      assertThat(each.replay()).isEqualTo(server.objects());
    }
  }

  /** TestSharedInformerRemoveHandler, TestRemoveWhileActive. */
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

  /** TestRemovingRemovedSharedInformer, TestSharedInformerRemoveForeignHandler. */
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

  /** TestSharedInformerMultipleRegistration. */
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

  /** TestSharedInformerHandlerAbuse: handlers come and go while events flow. */
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
    assertThat(removed.await(10, TimeUnit.SECONDS)).isTrue();
    server.put("default/b");
    handler.await(2);
    settle(handler);

    assertThat(calls).hasValue(1);
    assertThat(informer.health().handlers()).hasSize(1);
  }

  // ---- handlers that misbehave

  /** TestEventPanics. */
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
    // The timers, and the handler that pauses.
    clock.awaitWaiters(2);
    clock.advance(Duration.ofSeconds(1));
    assertThat(handler.await(1)).containsExactly("add default/b@2");
    assertThat(broken.hasSynced()).isFalse();
    assertThat(informer.health().handlers().get(0).failures()).isEqualTo(1);
    assertThat(informer.health().handlers().get(0).name()).contains("broken");
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
    for (int i = 0; i < 100 && handler.events().isEmpty(); i++) {
      clock.awaitWaiters(1);
      clock.advance(Duration.ofSeconds(1));
    }

    assertThat(handler.await(1)).containsExactly("add default/a@1 initial");
  }

  private static ResourceEventHandler<ApiObject> blocking(
      CountDownLatch entered, CountDownLatch release) {
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

  /** TestRemoveEventHandler_SynchronousShutdown, TestShutDownEventHandler_Lifecycles. */
  @Test
  void shutDownEventHandler_waitsForTheCallThatHasBegun() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    ResourceEventHandlerRegistration registration =
        informer.addEventHandler(blocking(entered, release));
    informer.start();
    server.put("default/a");
    assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();

    assertThat(informer.shutDownEventHandler(registration, Duration.ofMillis(20))).isFalse();
    release.countDown();
    assertThat(informer.shutDownEventHandler(registration, SOON)).isTrue();
  }

  @Test
  void shutDownEventHandler_informerNeverStarted_returnsAtOnce() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();

    assertThat(informer.shutDownEventHandler(informer.addEventHandler(handler), SOON)).isTrue();
  }

  // ---- lifecycle

  /** TestStateSharedInformer, TestAddOnStoppedSharedInformer, TestRemoveOnStoppedSharedInformer. */
  @Test
  void lifecycle_goesOneWay() {
    SharedIndexInformer<ApiObject> informer = informer();
    ResourceEventHandlerRegistration registration = informer.addEventHandler(handler);
    assertThat(informer.isRunning()).isFalse();
    assertThat(informer.isStopped()).isFalse();
    assertThat(informer.health().state()).isEqualTo(Reflector.State.NEW);
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
    assertThat(informer.health().state()).isEqualTo(Reflector.State.STOPPED);
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

  /** TestShutdown: a handler that is in a call holds the close up until it returns. */
  @Test
  void close_waitsForHandlerThatReturns() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    informer.addEventHandler(blocking(entered, release));
    informer.start();
    server.put("default/a");
    assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();

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

    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
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

    assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
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

  // ---- versions

  @Test
  void awaitResourceVersion_seesOwnWrites() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.start();
    for (int i = 0; i < 200; i++) {
      ApiObject written = server.put("default/" + i % 7);
      assertThat(informer.awaitResourceVersion(written.metadata().resourceVersion(), SOON))
          .isTrue();
      ApiObject cached = informer.indexer().getByKey("default/" + i % 7).get();
      assertThat(cached.metadata().resourceVersion())
          .isEqualTo(written.metadata().resourceVersion());
    }
  }

  @Test
  void awaitResourceVersion_bookmarkIsEnough() throws InterruptedException {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();
    assertThat(informer.awaitResourceVersion("1000", Duration.ofMillis(1))).isFalse();

    server.send(new WatchEvent.Bookmark<>("1000", false));

    assertThat(informer.awaitResourceVersion("1000", SOON)).isTrue();
    assertThat(informer.awaitResourceVersion("999", SOON)).isTrue();
    assertThat(informer.awaitResourceVersion("1001", Duration.ofMillis(1))).isFalse();
    assertThat(informer.health().storeResourceVersion()).isEqualTo("1000");
  }

  @Test
  void awaitResourceVersion_notAVersion_isRefused() {
    SharedIndexInformer<ApiObject> informer = informer();

    for (String bad : List.of("", "0", "07", "12a", "-1")) {
      assertThatThrownBy(() -> informer.awaitResourceVersion(bad, SOON))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("resource version");
    }
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
        assertThat(wait.get(20, TimeUnit.SECONDS)).isFalse();
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

  // ---- the other queue

  @Test
  void deltaFIFO_bringsTheSameToCacheAndHandler() throws InterruptedException {
    server.put("default/a");
    server.put("default/b");
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).useDeltaFIFO(true), ReflectorOptions.builder());
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();
    handler.await(2);
    server.put("default/a");
    server.delete("default/b");

    assertThat(handler.await(4))
        .containsExactlyInAnyOrder(
            "add default/a@1 initial",
            "add default/b@2 initial",
            "update default/a@1 3",
            "delete default/b@4");
    assertThat(informer.indexer().listKeys()).containsExactly("default/a");
    assertThatThrownBy(() -> informer.awaitResourceVersion("3", SOON))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("DeltaFIFO");
  }
}
