package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

final class FakeClockTest {

  private final FakeClock clock = FakeClock.create();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition condition = lock.newCondition();

  @Test
  void advance_noWaiters_movesTheTime() {
    clock.advance(Duration.ofSeconds(5));

    assertThat(clock.nanoTime()).isEqualTo(5_000_000_000L);
    assertThat(clock.waiters()).isZero();
  }

  @Test
  void advance_backwards_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
        .withMessageContaining("time does not go back");
  }

  @Test
  void advance_pastTheDeadline_releasesTheWaiter() throws Exception {
    Call<Boolean> call = Call.start(() -> await(Duration.ofSeconds(5)));
    clock.awaitWaiters(1);

    clock.advance(Duration.ofSeconds(5));

    assertThat(call.result()).isFalse();
    assertThat(clock.waiters()).isZero();
  }

  @Test
  void await_signalled_returnsBeforeTheDeadline() throws Exception {
    Call<Boolean> call = Call.start(() -> await(Duration.ofSeconds(5)));
    clock.awaitWaiters(1);

    lock.lock();
    try {
      condition.signal();
    } finally {
      lock.unlock();
    }

    assertThat(call.result()).isTrue();
  }

  @Test
  void await_noTimeAtAll_returnsAtOnce() throws Exception {
    assertThat(await(Duration.ZERO)).isFalse();
    assertThat(await(Duration.ofSeconds(-1))).isFalse();
  }

  /** Whoever works out how long to wait, and is overtaken by the test, would wait for too long. */
  @Test
  void await_timeHasMovedSinceItWasRead_waitsFromTheReadingOn() throws Exception {
    clock.nanoTime();
    Call.start(
            () -> {
              clock.advance(Duration.ofSeconds(5));
              return true;
            })
        .result();

    assertThat(await(Duration.ofSeconds(5))).isFalse();
  }

  private boolean await(Duration timeout) throws InterruptedException {
    lock.lock();
    try {
      return clock.await(lock, condition, timeout);
    } finally {
      lock.unlock();
    }
  }
}
