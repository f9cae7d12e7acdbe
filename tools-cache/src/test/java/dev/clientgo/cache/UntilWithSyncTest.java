package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.watch.InformerWatch;
import dev.clientgo.cache.watch.UntilWithSync;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** UntilWithSync, and the watch that it reads. */
@Timeout(300)
final class UntilWithSyncTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private final FakeServer server = new FakeServer();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();

  @AfterEach
  void nothingIsLeft() {
    executor.shutdownNow();
    assertThat(server.openWatches()).isZero();
  }

  private static Predicate<WatchEvent<ApiObject>> shows(String event) {
    return seen -> describe(seen).equals(event);
  }

  private static String describe(WatchEvent<ApiObject> event) {
    if (event instanceof WatchEvent.Added<ApiObject> added) {
      return "added " + RecordingHandler.describe(added.value());
    } else if (event instanceof WatchEvent.Modified<ApiObject> modified) {
      return "modified " + RecordingHandler.describe(modified.value());
    } else if (event instanceof WatchEvent.Deleted<ApiObject> deleted) {
      return "deleted " + RecordingHandler.describe(deleted.value());
    }
    return event.toString();
  }

  @Test
  void until_firstListMeetsTheCondition_returnsItsEvent() throws Exception {
    server.put("a");
    server.put("b");

    Optional<WatchEvent<ApiObject>> met =
        UntilWithSync.until(server, SOON, indexer -> false, List.of(shows("added b@2")));

    assertThat(met.map(UntilWithSyncTest::describe)).contains("added b@2");
  }

  @Test
  void until_preconditionIsMet_waitsForNothing() throws Exception {
    server.put("a");

    assertThat(
            UntilWithSync.until(
                server,
                SOON,
                indexer -> indexer.getByKey("a").isPresent(),
                List.of(event -> false)))
        .isEmpty();
  }

  /** The event that meets one condition is the first that the next condition sees. */
  @Test
  void until_severalConditions_areMetInOrder() throws Exception {
    server.put("a");
    List<String> shown = new ArrayList<>();
    Future<Optional<WatchEvent<ApiObject>>> waiting =
        executor.submit(
            () ->
                UntilWithSync.until(
                    server,
                    SOON,
                    indexer -> false,
                    List.of(
                        shows("added a@1"),
                        event -> {
                          shown.add(describe(event));
                          return shows("deleted a@3").test(event);
                        })));
    server.awaitWatch();
    server.put("a");
    server.delete("a");

    assertThat(waiting.get(30, TimeUnit.SECONDS).map(UntilWithSyncTest::describe))
        .contains("deleted a@3");
    assertThat(shown).containsExactly("added a@1", "modified a@2", "deleted a@3");
  }

  /** client-go's {@code tools/watch.Until} cannot do this. */
  @Test
  void until_versionExpiresMeanwhile_listsAndGoesOn() throws Exception {
    server.put("a");
    CountDownLatch seen = new CountDownLatch(1);
    Future<Optional<WatchEvent<ApiObject>>> waiting =
        executor.submit(
            () ->
                UntilWithSync.until(
                    server,
                    SOON,
                    indexer -> false,
                    List.of(
                        event -> {
                          seen.countDown();
                          return shows("modified a@3").test(event);
                        })));
    assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
    server.silently(
        () -> {
          server.put("other");
          server.put("a");
          server.compact();
        });

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isPresent();
  }

  @Test
  void until_notMetInTime_saysWhatItSawLast() {
    server.put("a");

    assertThatThrownBy(
            () ->
                UntilWithSync.until(
                    server, Duration.ofMillis(500), indexer -> false, List.of(event -> false)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("PT0.5S");
  }

  @Test
  void until_cannotBeRead_saysWhy() {
    server.onRequest(
        request -> {
          throw ReflectorFixture.forbidden();
        });

    assertThatThrownBy(
            () ->
                UntilWithSync.until(
                    server, Duration.ofMillis(500), indexer -> false, List.of(event -> true)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("lastError");
  }

  @Test
  void until_nothingToWaitFor_isRefused() {
    assertThatThrownBy(() -> UntilWithSync.until(server, SOON, indexer -> false, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The watch delivers all events in order (TestNewInformerWatcher). */
  @Test
  void watch_givesWhatThereIsAndThenEachChange() throws Exception {
    server.put("a");
    try (InformerWatch<ApiObject> watch = InformerWatch.open(server)) {
      List<String> events = new ArrayList<>();
      events.add(describe(watch.next().orElseThrow()));
      server.put("b");
      server.put("a");
      server.delete("b");
      for (int i = 0; i < 3; i++) {
        events.add(describe(watch.next().orElseThrow()));
      }

      assertThat(events).containsExactly("added a@1", "added b@2", "modified a@3", "deleted b@4");
    }
  }

  /**
   * A deletion that no watch reported has the last known state
   * (TestInformerWatcherDeletedFinalStateUnknown).
   */
  @Test
  void watch_deletionThatNobodySaw_hasTheLastStateKnown() throws Exception {
    server.put("a");
    try (InformerWatch<ApiObject> watch = InformerWatch.open(server)) {
      assertThat(watch.next().map(UntilWithSyncTest::describe)).contains("added a@1");
      server.silently(
          () -> {
            server.put("a");
            server.delete("a");
            server.compact();
          });

      assertThat(watch.next().map(UntilWithSyncTest::describe)).contains("deleted a@1");
    }
  }

  /** Closing the watch ends a blocked read (TestEventProcessorExit). */
  @Test
  void watch_closedWhileSomebodyWaits_ends() throws Exception {
    InformerWatch<ApiObject> watch = InformerWatch.open(server);
    Future<Optional<WatchEvent<ApiObject>>> waiting = executor.submit(() -> watch.next());
    server.awaitWatch();

    watch.close();

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThat(watch.next()).isEmpty();
  }

  @Test
  void watch_clientIsClosed_ends() throws Exception {
    server.onRequest(
        request -> {
          throw new TransportException(
              TransportException.Kind.CLIENT_CLOSED, "the client is closed", null);
        });
    try (InformerWatch<ApiObject> watch = InformerWatch.open(server)) {
      assertThat(watch.next()).isEmpty();
    }
  }
}
