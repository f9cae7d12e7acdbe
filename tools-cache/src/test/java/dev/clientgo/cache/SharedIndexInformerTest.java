package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole pipeline, with real threads. */
final class SharedIndexInformerTest extends InformerFixture {

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

  /** Indices can be added before and after the start (TestIndexer). */
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

  /** Cache and handlers see only transformed objects (TestSharedInformerTransformer). */
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

  /**
   * Each object is transformed once, a tombstone or a Sync never (TestRealFIFO_transformer,
   * TestDeltaFIFO_transformer, where the queue transforms).
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void transform_isAppliedOnceToWhatComesIn_andNotToTombstonesAndSyncs(boolean deltaFifo)
      throws InterruptedException {
    server.put("default/a");
    server.put("default/b");
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server)
                .useDeltaFIFO(deltaFifo)
                .transform(object -> object.withLabel("seen", seen(object) + "x")),
            ReflectorOptions.builder().backoff(Backoff.builder(Duration.ofMillis(1)).build()));
    List<String> labels = new CopyOnWriteArrayList<>();
    informer.addEventHandler(
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAdd(
                object -> {
                  labels.add("add " + seen(object));
                  handler.onAdd(object, false);
                })
            .onUpdate(
                (before, after) -> {
                  labels.add("update " + seen(after));
                  handler.onUpdate(before, after);
                })
            .onDelete(deleted -> labels.add("delete " + seen(deleted.lastKnown())))
            .build());
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.put("default/a");
    settle(handler);
    server.silently(
        () -> {
          server.delete("default/b");
          server.compact(); // Only another list shows it.
        });
    settle(handler);
    informer.resync();
    settle(handler);

    assertThat(labels).contains("update x", "delete x").allMatch(call -> call.endsWith(" x"));
  }

  private static String seen(ApiObject object) {
    return object.metadata().label("seen").orElse("");
  }

  /** An error of a list is reported, and the list is retried (TestSharedInformerErrorHandling). */
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

    assertThat(reported.await(30, TimeUnit.SECONDS)).isTrue();
    clock.awaitWaiters(1);
    InformerHealth health = informer.health();
    assertThat(health.state()).isEqualTo(InformerHealth.ReflectorState.BACKING_OFF);
    assertThat(health.hasSynced()).isFalse();
    assertThat(health.lastError()).containsSame(broken);
    assertThat(health.lastErrorTime()).contains(clock.now());
    assertThat(health.lastList()).isEmpty();

    server.onRequest(request -> request);
    clock.advance(Duration.ofSeconds(2));
    assertThat(informer.awaitSynced(SOON)).isTrue();
    assertThat(informer.health().lastList()).contains(clock.now());
  }

  /**
   * After the loss of a watch, handlers hear once of each change
   * (TestSharedInformerWatchDisruption, TestResetWatch).
   */
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
    clock.awaitWaiterWithin(Duration.ofSeconds(1));
    clock.advance(Duration.ofSeconds(1));
    resync.await(6);
    clock.awaitWaiterWithin(Duration.ofSeconds(1));

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
