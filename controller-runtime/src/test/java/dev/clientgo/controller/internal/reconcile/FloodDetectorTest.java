package dev.clientgo.controller.internal.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FloodDetectorTest {

  private static final Request X = new Request("default", "x");

  private final FakeClock clock = FakeClock.create();
  private final FloodDetector floods = new FloodDetector(clock);

  private boolean isFlood(int times) {
    boolean any = false;
    for (int i = 0; i < times; i++) {
      any |= floods.isFlood(X);
    }
    return any;
  }

  @Test
  void requestThatIsReconciledOften_twoMinutesInARow_isAFloodOnceAMinute() {
    assertThat(isFlood(FloodDetector.LIMIT)).isFalse();
    clock.advance(Duration.ofMinutes(1));
    assertThat(isFlood(FloodDetector.LIMIT - 1)).isFalse();
    assertThat(isFlood(1)).isTrue();
    assertThat(isFlood(FloodDetector.LIMIT)).isFalse();
    clock.advance(Duration.ofMinutes(1));
    assertThat(isFlood(FloodDetector.LIMIT - 1)).isFalse();
    clock.advance(Duration.ofMinutes(1)); // It has taken a minute for less than the limit.
    assertThat(isFlood(FloodDetector.LIMIT)).isFalse();
  }

  /** Such as that of an owner, whose 200 children each change four times when they start. */
  @Test
  void bursts_areNoFlood() {
    assertThat(isFlood(800)).isFalse();
    clock.advance(Duration.ofMinutes(2));
    assertThat(isFlood(800)).isFalse();
  }

  @Test
  void manyRequests_areNoFlood() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(floods.isFlood(new Request("default", "x" + i))).isFalse();
    }
  }
}
