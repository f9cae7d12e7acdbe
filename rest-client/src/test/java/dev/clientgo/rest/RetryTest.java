package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Backoff;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TestRetryOnConflict in util/retry/util_test.go. */
final class RetryTest {

  private final RuntimeException conflict =
      ApiStatusException.conflict(new GroupResource("", "things"), "t", "changed");
  private final RuntimeException other = new ArithmeticException();

  private final RecordingClock clock = new RecordingClock();
  private final Retry retry = Retry.onConflict().withClock(clock, () -> 0);
  private int attempts;

  /** Fails in these ways, then succeeds. */
  private Retry.Attempt<String> failing(RuntimeException... failures) {
    Deque<RuntimeException> left = new ArrayDeque<>(List.of(failures));
    return () -> {
      attempts++;
      if (!left.isEmpty()) {
        throw left.remove();
      }
      return "done";
    };
  }

  @Test
  void success_isNotRepeated() throws Exception {
    assertThat(retry.run(failing())).isEqualTo("done");
    assertThat(attempts).isEqualTo(1);
  }

  @Test
  void conflict_isTriedAgain() throws Exception {
    assertThat(retry.run(failing(conflict, conflict))).isEqualTo("done");
    assertThat(attempts).isEqualTo(3);
    assertThat(clock.sleeps()).containsExactly(Duration.ofMillis(10), Duration.ofMillis(10));
  }

  @Test
  void action_withoutAResult_isTriedAgain() throws Exception {
    Retry.Attempt<String> attempt = failing(conflict);
    retry.run(
        () -> {
          attempt.run();
        });

    assertThat(attempts).isEqualTo(2);
  }

  @Test
  void conflict_withoutEnd_isTheLastConflict() {
    assertThatThrownBy(
            () -> retry.run(failing(conflict, conflict, conflict, conflict, conflict, other)))
        .isSameAs(conflict);
    assertThat(attempts).isEqualTo(5);
  }

  @Test
  void otherError_isThrownAtOnce() {
    assertThatThrownBy(() -> retry.run(failing(conflict, other))).isSameAs(other);
    assertThat(attempts).isEqualTo(2);
  }

  @Test
  void defaultBackoff_growsFivefold() {
    Retry growing = retry.withBackoff(Retry.DEFAULT_BACKOFF);

    assertThatThrownBy(() -> growing.run(failing(conflict, conflict, conflict, conflict)))
        .isSameAs(conflict);
    assertThat(clock.sleeps())
        .containsExactly(Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(250));
  }

  /** It would give up at the first error, and yet look like a retry. */
  @Test
  void backoffWithoutSteps_isRefused() {
    Backoff endless = Backoff.builder(Duration.ofMillis(10)).factor(2).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> retry.withBackoff(endless))
        .withMessageContaining("needs steps, the number of attempts: Backoff[");
  }

  /** OnError in util/retry. */
  @Test
  void anyError_canBeRetried() throws Exception {
    Retry all = Retry.onError(e -> e == other).withClock(clock, () -> 0);

    assertThat(all.run(failing(other, other))).isEqualTo("done");
  }

  @Test
  void interrupted_betweenAttempts_throws() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> retry.run(failing(conflict))).isInstanceOf(InterruptedException.class);
    assertThat(attempts).isEqualTo(1);
  }
}
