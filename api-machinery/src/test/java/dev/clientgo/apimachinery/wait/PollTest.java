package dev.clientgo.apimachinery.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class PollTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final JumpingClock clock = new JumpingClock();
  private final long start = clock.nanoTime();
  private final List<Duration> looks = new ArrayList<>();

  private Poll every(Duration interval) {
    return Poll.every(interval).on(clock, new Random(1));
  }

  private Poll with(Backoff.Builder backoff) {
    return Poll.with(backoff.build()).on(clock, new Random(1));
  }

  /** Notes the time of the look, and returns whether it was the last of so many. */
  private boolean look(int until) {
    looks.add(Duration.ofNanos(clock.nanoTime() - start));
    return looks.size() == until;
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @AfterEach
  void noInterruptIsLeftBehind() {
    assertThat(Thread.interrupted()).isFalse();
  }

  /** Upstream: Test_loopConditionWithContextImmediateDelay, TestPoll. */
  @Test
  void until_notImmediately_waitsFirst() throws Exception {
    every(SECOND).until(() -> look(3));

    assertThat(looks).containsExactly(millis(1000), millis(2000), millis(3000));
  }

  /** Upstream: TestPollImmediate. */
  @Test
  void until_immediately_looksAtOnce() throws Exception {
    every(SECOND).immediately().until(() -> look(3));

    assertThat(looks).containsExactly(millis(0), millis(1000), millis(2000));
  }

  @Test
  void until_metAtOnce_doesNotWait() throws Exception {
    every(SECOND).immediately().until(() -> look(1));

    assertThat(clock.sleeps()).isEmpty();
  }

  /** Upstream: Test_loopConditionUntilContext_semantic, "delayed … many times". */
  @Test
  void until_noInterval_looksAgainAtOnce() throws Exception {
    every(Duration.ZERO).until(() -> look(100));

    assertThat(looks).hasSize(100);
    assertThat(clock.sleeps()).isEmpty();
  }

  /** Upstream: Test_loopConditionUntilContext_semantic, "condition exits after an error". */
  @Test
  void until_conditionThrows_theCallerGetsIt() {
    IOException error = new IOException("condition failed");

    assertThatThrownBy(
            () ->
                every(SECOND)
                    .until(
                        () -> {
                          look(9);
                          throw error;
                        }))
        .isSameAs(error);
    assertThat(looks).hasSize(1);
  }

  /** Upstream: PollUntilContextTimeout; "context canceled before the second execution". */
  @Test
  void atMost_conditionIsNeverMet_saysHowOftenItLooked() {
    assertThatThrownBy(() -> every(SECOND).atMost(millis(3500)).until(() -> look(99)))
        .isExactlyInstanceOf(TimeoutException.class)
        .hasMessage(
            "timed out waiting for the condition: it was not met in 3 attempts within PT3.5S");
    assertThat(clock.sleeps()).endsWith(millis(500));

    assertThatThrownBy(
            () -> every(Duration.ofSeconds(2)).immediately().atMost(SECOND).until(() -> look(99)))
        .hasMessageContaining("in 1 attempts within PT1S");
  }

  @Test
  void atMost_lookAndDeadlineAtTheSameTime_deadlineWins() {
    assertThatThrownBy(() -> every(SECOND).atMost(Duration.ofSeconds(3)).until(() -> look(3)))
        .isInstanceOf(TimeoutException.class);
    assertThat(looks).hasSize(2);
  }

  /** Upstream: Test_loopConditionUntilContext_semantic, "context at deadline". */
  @Test
  void atMost_noTime_looksOnceIfImmediately() throws Exception {
    assertThatThrownBy(() -> every(SECOND).atMost(Duration.ZERO).until(() -> look(1)))
        .isInstanceOf(TimeoutException.class);
    assertThat(looks).isEmpty();

    every(SECOND).atMost(Duration.ZERO).immediately().until(() -> look(1));
    assertThat(looks).hasSize(1);
  }

  /** Upstream: Test_loopConditionUntilContext_semantic, "context already canceled". */
  @Test
  void until_interruptedBefore_looksOnceIfImmediately() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> every(SECOND).until(() -> look(9)))
        .isInstanceOf(InterruptedException.class);
    assertThat(looks).isEmpty();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> every(SECOND).immediately().until(() -> look(9)))
        .isInstanceOf(InterruptedException.class);
    assertThat(looks).hasSize(1);
  }

  /** Upstream: Test_loopConditionUntilContext_semantic, "context cancelled after 5 attempts". */
  @Test
  void until_interruptedInBetween_ends() {
    for (Duration interval : List.of(SECOND, Duration.ZERO)) {
      looks.clear();
      assertThatThrownBy(
              () ->
                  every(interval)
                      .until(
                          () -> {
                            if (look(99) || looks.size() == 5) {
                              Thread.currentThread().interrupt();
                            }
                            return false;
                          }))
          .isInstanceOf(InterruptedException.class);
      assertThat(looks).hasSize(5);
    }
  }

  /** Upstream: Test_loopConditionUntilContext_semantic, "long duration … sliding false". */
  @Test
  void until_slowLooks_skipThoseThatWereMissed() throws Exception {
    every(SECOND)
        .until(
            () -> {
              boolean last = look(5);
              clock.pass(looks.size() == 1 ? millis(3500) : millis(100));
              return last;
            });

    // The look due at 2 s comes at 4.5 s; those due at 3 s and 4 s are not made up for.
    assertThat(looks)
        .containsExactly(millis(1000), millis(4500), millis(5000), millis(6000), millis(7000));
  }

  /** Upstream: TestExponentialBackoff, TestExponentialBackoffWithContext. */
  @Test
  void with_aBackoff_looksAsOftenAsItHasSteps() throws Exception {
    Backoff.Builder backoff = Backoff.builder(SECOND).factor(2);

    assertThatThrownBy(() -> with(backoff.steps(0)).until(() -> look(1)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("0 attempts");
    assertThat(looks).isEmpty();

    assertThatThrownBy(() -> with(backoff.steps(4)).until(() -> look(99)))
        .isInstanceOf(TimeoutException.class);
    assertThat(looks).containsExactly(millis(0), millis(1000), millis(3000), millis(7000));
    assertThat(clock.sleeps()).hasSize(3);

    looks.clear();
    with(backoff.steps(1)).until(() -> look(1));
    with(backoff.steps(5)).until(() -> look(4));
    assertThat(looks).hasSize(4);
  }

  /** Upstream: ExponentialBackoff, "a sleep truncated by the cap". */
  @Test
  void with_aBackoffThatReachesItsCap_endsThere() {
    Backoff.Builder backoff =
        Backoff.builder(SECOND).factor(2).steps(10).cap(Duration.ofSeconds(3));

    assertThatThrownBy(() -> with(backoff).until(() -> look(99)))
        .isInstanceOf(TimeoutException.class);
    assertThat(looks).containsExactly(millis(0), millis(1000));
  }

  @Test
  void with_aBackoff_thatIsInterruptedOrOutOfTime_ends() {
    Backoff.Builder backoff = Backoff.builder(SECOND).steps(10);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> with(backoff).until(() -> look(99)))
        .isInstanceOf(InterruptedException.class);
    assertThat(looks).isEmpty();
    assertThatThrownBy(() -> with(backoff).atMost(millis(2500)).until(() -> look(99)))
        .isInstanceOf(TimeoutException.class);
    assertThat(looks).hasSize(3);
  }

  @Test
  void until_waitingThread_isReleasedByAnInterrupt() throws Exception {
    FakeClock still = FakeClock.create();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                Poll.every(SECOND).on(still, new Random(1)).until(() -> false);
              } catch (InterruptedException | TimeoutException e) {
                thrown.set(e);
              }
            });
    thread.start();
    still.awaitWaiters(1);

    thread.interrupt();
    thread.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }
}
