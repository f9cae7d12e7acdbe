package dev.clientgo.cache.synctrack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class AsyncTrackerTest {

  private final AsyncTracker<String> tracker = AsyncTracker.create("workers");

  /** The tracker is done once the source is synced and every key is finished (TestBasicLogic). */
  @Test
  void isDone_isTrueOnceTheSourceIsSyncedAndEveryKeyIsFinished() {
    tracker.start("a");
    tracker.start("b");
    assertThat(tracker.isDone()).isFalse();

    tracker.finished("b");
    tracker.sourceHasSynced();
    assertThat(tracker.isDone()).isFalse();

    tracker.finished("a");
    assertThat(tracker.isDone()).isTrue();
    assertThat(tracker.name()).isEqualTo("workers");
  }

  @Test
  void isDone_beforeTheSourceIsSynced_isFalseThoughNothingIsWaiting() {
    tracker.start("a");
    tracker.finished("a");
    assertThat(tracker.isDone()).isFalse();

    tracker.sourceHasSynced();
    assertThat(tracker.isDone()).isTrue();
  }

  @Test
  void finished_ofKeyThatWasNeverStarted_isNoError() {
    tracker.start("a");
    tracker.finished("other");
    tracker.sourceHasSynced();

    assertThat(tracker.isDone()).isFalse();
  }

  @Test
  void start_ofOneKeyTwice_isFinishedOnce() {
    tracker.start("a");
    tracker.start("a");
    tracker.sourceHasSynced();

    tracker.finished("a");

    assertThat(tracker.isDone()).isTrue();
  }

  /**
   * The last key and the source finish at the same time; the later one sees the other
   * (TestAsyncLocking).
   */
  @Test
  void isDone_whenLastKeyAndSourceCoincide_isAlwaysTrueInTheEnd() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 2000; i++) {
        AsyncTracker<String> raced = AsyncTracker.create("raced");
        raced.start("a");
        List<Future<?>> both =
            List.of(
                executor.submit(() -> raced.finished("a")),
                executor.submit(raced::sourceHasSynced));
        assertThat(raced.await(Duration.ofSeconds(30))).isTrue();
        for (Future<?> each : both) {
          each.get(30, TimeUnit.SECONDS);
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
