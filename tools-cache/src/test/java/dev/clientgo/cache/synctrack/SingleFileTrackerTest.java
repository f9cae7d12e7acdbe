package dev.clientgo.cache.synctrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.clientgo.clock.FakeClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class SingleFileTrackerTest {

  private final SingleFileTracker tracker = SingleFileTracker.create("handler", FakeClock.create());

  /**
   * The tracker is done once the source is synced and no event is pending (testSingleFileFuncs).
   */
  @Test
  void isDone_isTrueOnceTheSourceIsSyncedAndNothingIsPending() {
    assertThat(tracker.isDone()).isFalse();
    tracker.start();
    tracker.start();
    tracker.finished();
    tracker.sourceHasSynced();
    assertThat(tracker.isDone()).isFalse();

    tracker.finished();

    assertThat(tracker.isDone()).isTrue();
    tracker.start();
    assertThat(tracker.isDone()).isTrue();
  }

  @Test
  void isDone_withEmptyFirstList_isTrueOnceTheSourceIsSynced() {
    tracker.sourceHasSynced();

    assertThat(tracker.isDone()).isTrue();
  }

  @Test
  void isDone_beforeTheSourceIsSynced_isFalseThoughNothingIsPending() {
    tracker.start();
    tracker.finished();

    assertThat(tracker.isDone()).isFalse();
    tracker.sourceHasSynced();
    assertThat(tracker.isDone()).isTrue();
  }

  /**
   * More calls of finished() than of start() are an error (TestSingleFileTracker, where it panics).
   */
  @Test
  void finished_withoutStart_throws() {
    assertThatIllegalStateException()
        .isThrownBy(tracker::finished)
        .withMessageContaining("handler");
  }

  @Test
  void isDone_whenLastEventAndSourceCoincide_isAlwaysTrueInTheEnd() throws Exception {
    for (int i = 0; i < 500; i++) {
      SingleFileTracker raced = SingleFileTracker.create("raced", FakeClock.create());
      raced.start();
      CountDownLatch go = new CountDownLatch(1);
      Thread handler =
          new Thread(
              () -> {
                awaitUninterruptibly(go);
                raced.finished();
              });
      handler.start();

      go.countDown();
      raced.sourceHasSynced();
      handler.join(TimeUnit.SECONDS.toMillis(30));

      assertThat(raced.isDone()).isTrue();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
