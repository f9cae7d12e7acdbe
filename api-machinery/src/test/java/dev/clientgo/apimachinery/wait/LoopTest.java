package dev.clientgo.apimachinery.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class LoopTest {

  private final JumpingClock clock = new JumpingClock();
  private final long start = clock.nanoTime();
  private final List<Long> runs = new ArrayList<>();

  /** Notes the time, in milliseconds, and interrupts itself in the given run. */
  private void run(int last) {
    runs.add((clock.nanoTime() - start) / 1_000_000);
    if (runs.size() == last) {
      Thread.currentThread().interrupt();
    }
  }

  private static DelayFunction growing() {
    return Backoff.builder(Duration.ofMillis(100)).factor(2).steps(9).build().delays(new Random(1));
  }

  @AfterEach
  void noInterruptIsLeftBehind() {
    assertThat(Thread.interrupted()).isFalse();
  }

  /** Upstream: TestUntil, TestJitterUntil. */
  @Test
  void untilInterrupted_sliding_waitsFromTheEndOfTheTask() {
    assertThatThrownBy(
            () ->
                Loop.untilInterrupted(
                    clock,
                    growing(),
                    true,
                    () -> {
                      run(4);
                      clock.pass(Duration.ofMillis(50));
                    }))
        .isInstanceOf(InterruptedException.class);

    assertThat(runs).containsExactly(0L, 150L, 400L, 850L);
  }

  /** Upstream: TestNonSlidingUntil. */
  @Test
  void untilInterrupted_notSliding_waitsFromTheStartOfTheTask() {
    assertThatThrownBy(
            () ->
                Loop.untilInterrupted(
                    clock,
                    growing(),
                    false,
                    () -> {
                      run(4);
                      clock.pass(Duration.ofMillis(150));
                    }))
        .isInstanceOf(InterruptedException.class);

    assertThat(runs).containsExactly(0L, 150L, 350L, 750L);
  }

  /** Upstream: TestUntilReturnsImmediately, TestJitterUntilReturnsImmediately. */
  @Test
  void untilInterrupted_interruptedBefore_doesNotRun() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Loop.untilInterrupted(clock, growing(), true, () -> run(9)))
        .isInstanceOf(InterruptedException.class);
    assertThat(runs).isEmpty();
  }

  @Test
  void untilInterrupted_withoutDelay_seesTheInterrupt() {
    assertThatThrownBy(
            () -> Loop.untilInterrupted(clock, () -> Duration.ZERO, true, () -> run(1000)))
        .isInstanceOf(InterruptedException.class);
    assertThat(runs).hasSize(1000);
  }

  /** Upstream: TestJitterUntilRecoversPanic. */
  @Test
  void untilInterrupted_taskFails_runsAgain() {
    assertThatThrownBy(
            () ->
                Loop.untilInterrupted(
                    clock,
                    growing(),
                    true,
                    () -> {
                      run(3);
                      throw new IllegalStateException("expected by this test");
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(runs).containsExactly(0L, 100L, 300L);
  }

  @Test
  void untilInterrupted_error_ends() {
    assertThatThrownBy(
            () ->
                Loop.untilInterrupted(
                    clock,
                    growing(),
                    true,
                    () -> {
                      throw new AssertionError("broken");
                    }))
        .isInstanceOf(AssertionError.class);
  }
}
