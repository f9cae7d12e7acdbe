package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class DeadlineTest {

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LESS_THAN_NOTHING = Duration.ofSeconds(Long.MIN_VALUE);

  private final FakeClock clock = FakeClock.create();
  private final PassingClock passing = new PassingClock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private boolean met;

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void left_timePasses_goesDownToZero() {
    Deadline deadline = clock.deadline(Duration.ofSeconds(5));
    assertThat(deadline.left()).isEqualTo(Duration.ofSeconds(5));
    assertThat(deadline.hasPassed()).isFalse();

    clock.advance(Duration.ofSeconds(3));
    assertThat(deadline).hasToString("Deadline[left=PT2S]");

    clock.advance(Duration.ofSeconds(2));
    assertThat(deadline.hasPassed()).isTrue();

    clock.advance(Duration.ofDays(365)); // As on a machine that slept.
    assertThat(deadline.left()).isZero();
  }

  @Test
  void left_ofNoTimeAtAll_isZero() {
    assertThat(clock.deadline(Duration.ZERO).left()).isZero();
    assertThat(clock.deadline(Duration.ofNanos(-1)).left()).isZero();
  }

  /** A difference that overflows would leave centuries. */
  @Test
  void left_ofFarLessThanNoTime_isZero() {
    Deadline deadline = clock.deadline(LESS_THAN_NOTHING);
    clock.advance(Duration.ofSeconds(1));

    assertThat(deadline.left()).isZero();
  }

  @Test
  void left_ofMoreThanTheClockCounts_isAllThatItCounts() {
    Deadline deadline = clock.deadline(FOREVER);
    clock.advance(Duration.ofNanos(7));

    assertThat(deadline.left()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE - 7));
  }

  /** {@code System.nanoTime} may have any value, and pass the largest one. */
  @Test
  void left_readingWrapsAround_isTheRest() {
    passing.nanos = Long.MAX_VALUE - 1;
    Deadline deadline = passing.deadline(Duration.ofNanos(10));
    assertThat(deadline.left()).isEqualTo(Duration.ofNanos(10));

    passing.nanos += 4;

    assertThat(deadline.left()).isEqualTo(Duration.ofNanos(6));
  }

  @Test
  void await_itHoldsAlready_doesNotWait() throws Exception {
    met = true;

    assertThat(awaitMet(passing, FOREVER)).isTrue();
    assertThat(awaitMet(passing, LESS_THAN_NOTHING)).isTrue();
    assertThat(passing.waits).isEmpty();
  }

  @Test
  void await_noTimeAtAll_doesNotWait() throws Exception {
    assertThat(awaitMet(passing, Duration.ZERO)).isFalse();
    assertThat(passing.waits).isEmpty();
  }

  @Test
  void await_timePasses_endsAtTheDeadlineAndNotBefore() throws Exception {
    Future<Boolean> waiting = awaitInThread(clock, Duration.ofSeconds(5));
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(4));
    signal(false);

    clock.awaitWaiterWithin(Duration.ofSeconds(1));
    assertThat(waiting.isDone()).isFalse();
    clock.advance(Duration.ofSeconds(1));

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isFalse();
    assertThat(clock.waiters()).isZero();
  }

  @Test
  void await_signalledWhenItHolds_endsBeforeTheDeadline() throws Exception {
    Future<Boolean> waiting = awaitInThread(clock, FOREVER);
    clock.awaitWaiters(1);

    signal(true);

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_systemClock_endsWhenSignalledOrTheTimeIsUp() throws Exception {
    assertThat(awaitMet(Clock.system(), Duration.ofMillis(1))).isFalse();
    Future<Boolean> waiting = awaitInThread(Clock.system(), FOREVER);

    signal(true);

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
  }

  /** What comes true with the last wake-up counts, even if that comes with the deadline. */
  @Test
  void await_itHoldsWhenTheTimeIsUp_isSeen() throws Exception {
    passing.onWait = () -> met = true;

    assertThat(awaitMet(passing, Duration.ofSeconds(5))).isTrue();
    assertThat(passing.waits).containsExactly(Duration.ofSeconds(5));
  }

  /** A loop that gives up on false looks once more after its last wait, and polls once more. */
  @Test
  void awaitAndSleep_upToTheDeadline_returnTrueAndThenFalse() throws Exception {
    Deadline deadline = passing.deadline(Duration.ofSeconds(5));
    Deadline later = passing.deadline(Duration.ofSeconds(6));
    lock.lock();
    try {
      assertThat(deadline.await(lock, changed)).isTrue();
      assertThat(deadline.await(lock, changed)).isFalse();
    } finally {
      lock.unlock();
    }

    assertThat(later.sleep(Duration.ofSeconds(5))).isTrue();
    assertThat(later.sleep(Duration.ofSeconds(5))).isFalse();
    assertThat(passing.waits).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(1));
  }

  @Test
  void await_wakesForNoReason_waitsForTheRest() throws Exception {
    passing.longest = Duration.ofSeconds(2);

    assertThat(awaitMet(passing, Duration.ofSeconds(5))).isFalse();
    assertThat(passing.waits)
        .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofSeconds(1));
  }

  @Test
  void await_interrupted_throwsWithTheLockHeld() throws Exception {
    Future<Boolean> waiting = awaitInThread(clock, FOREVER);
    clock.awaitWaiters(1);

    threads.shutdownNow();

    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class); // None from unlock().
    assertThat(clock.waiters()).isZero();
    assertThat(lock.isLocked()).isFalse();
  }

  @Test
  void sleep_neverBeyondTheDeadline() throws Exception {
    Deadline deadline = passing.deadline(Duration.ofSeconds(5));

    while (deadline.sleep(Duration.ofSeconds(2))) {}

    assertThat(passing.waits)
        .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(1));
  }

  @Test
  void sleep_interrupted_throws() throws Exception {
    Deadline deadline = clock.deadline(FOREVER);
    Future<Boolean> sleeping = threads.submit(() -> deadline.sleep(FOREVER));
    clock.awaitWaiters(1);

    threads.shutdownNow();

    assertThatThrownBy(() -> sleeping.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
  }

  private Future<Boolean> awaitInThread(Clock by, Duration timeout) {
    return threads.submit(() -> awaitMet(by, timeout));
  }

  private boolean awaitMet(Clock by, Duration timeout) throws InterruptedException {
    Deadline deadline = by.deadline(timeout);
    lock.lock();
    try {
      while (!met && deadline.await(lock, changed)) {}
      return met;
    } finally {
      lock.unlock();
    }
  }

  private void signal(boolean value) {
    lock.lock();
    try {
      met = value;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A clock for one thread: a wait returns at once, and moves the time by its length. */
  private static final class PassingClock implements Clock {

    private final List<Duration> waits = new ArrayList<>();
    private Runnable onWait = () -> {};
    private Duration longest = FOREVER;
    private long nanos;

    @Override
    public Instant now() {
      return Instant.EPOCH; // An interval that is measured by this never ends.
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout) {
      Duration passed = timeout.compareTo(longest) < 0 ? timeout : longest;
      sleep(passed, timeout);
      onWait.run();
      return passed.compareTo(timeout) < 0;
    }

    @Override
    public void sleep(Duration duration) {
      sleep(duration, duration);
    }

    private void sleep(Duration passed, Duration asked) {
      waits.add(asked);
      assertThat(waits).as("waits without an end").hasSizeLessThan(100);
      nanos += passed.toNanos();
    }
  }
}
