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

  @Test
  void requestThatIsReconciledOften_isAFloodOnceAMinute() {
    for (int i = 1; i < FloodDetector.LIMIT; i++) {
      assertThat(floods.isFlood(X)).isFalse();
    }
    clock.advance(Duration.ofMinutes(1)); // It has taken a minute for less than the limit.
    for (int i = 1; i < FloodDetector.LIMIT; i++) {
      assertThat(floods.isFlood(X)).isFalse();
    }
    assertThat(floods.isFlood(X)).isTrue();
    assertThat(floods.isFlood(X)).isFalse();
  }

  @Test
  void manyRequests_areNoFlood() {
    for (int i = 0; i < 20_000; i++) {
      assertThat(floods.isFlood(new Request("default", "x" + i))).isFalse();
    }
  }
}
