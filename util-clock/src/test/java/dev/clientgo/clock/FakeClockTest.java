package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FakeClockTest {

  private final FakeClock clock = FakeClock.create();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition condition = lock.newCondition();
  private final BlockingQueue<Integer> woken = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void advance_noWaiters_movesTheTime() {
    Instant start = clock.now();

    clock.advance(Duration.ofSeconds(5));

    assertThat(clock.nanoTime()).isEqualTo(5_000_000_000L);
    assertThat(clock.now()).isEqualTo(start.plusSeconds(5));
    assertThat(clock.waiters()).isZero();
  }

  @Test
  void advance_backwards_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
        .withMessageContaining("time does not go back");
  }

  @Test
  void advance_beyondAllTime_stopsThere() {
    clock.advance(Duration.ofSeconds(1));
    clock.advance(Duration.ofSeconds(Long.MAX_VALUE));

    assertThat(clock.nanoTime()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void advance_pastTheDeadline_releasesTheWaiter() throws Exception {
    Future<Boolean> signalled = threads.submit(() -> await(Duration.ofSeconds(5)));
    clock.awaitWaiters(1);

    clock.advance(Duration.ofSeconds(5));

    assertThat(signalled.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(clock.waiters()).isZero();
  }

  @Test
  void await_signalled_returnsBeforeTheDeadline() throws Exception {
    Future<Boolean> signalled = threads.submit(() -> await(Duration.ofSeconds(5)));
    clock.awaitWaiters(1);

    lock.lock();
    try {
      condition.signal();
    } finally {
      lock.unlock();
    }

    assertThat(signalled.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_noTimeAtAll_returnsAtOnce() throws Exception {
    assertThat(await(Duration.ZERO)).isFalse();
    assertThat(await(Duration.ofSeconds(-1))).isFalse();
  }

  /** A thread computes how long to wait; if the test moves the time first, the wait is shorter. */
  @Test
  void await_timeHasMovedSinceItWasRead_waitsFromTheReadingOn() throws Exception {
    clock.nanoTime();
    threads.submit(() -> clock.advance(Duration.ofSeconds(5))).get(30, TimeUnit.SECONDS);

    assertThat(await(Duration.ofSeconds(5))).isFalse();
  }

  @Test
  void awaitWaiterWithin_othersWaitForLater_waitsForTheNearOne() throws Exception {
    sleep(10);
    clock.awaitWaiters(1);
    sleep(2);
    clock.awaitWaiterWithin(Duration.ofMinutes(2));
    clock.advance(Duration.ofMinutes(2));

    assertThat(woken.poll(30, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(woken).isEmpty();
    clock.awaitWaiterWithin(Duration.ofMinutes(8));
    clock.advance(Duration.ofMinutes(8));
    assertThat(woken.poll(30, TimeUnit.SECONDS)).isEqualTo(10);
  }

  private boolean await(Duration timeout) throws InterruptedException {
    lock.lock();
    try {
      return clock.await(lock, condition, timeout);
    } finally {
      lock.unlock();
    }
  }

  private void sleep(int minutes) {
    threads.execute(
        () -> {
          try {
            clock.sleep(Duration.ofMinutes(minutes));
            woken.add(minutes);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
