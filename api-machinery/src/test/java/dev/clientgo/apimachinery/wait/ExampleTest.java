package dev.clientgo.apimachinery.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  private int attempts;

  @Test
  void page_backoff_countsItsSteps() throws Exception {
    JumpingClock clock = new JumpingClock();
    Random random = new Random(1);

    wait(clock, random);

    assertThat(attempts).isEqualTo(4);
  }

  private void wait(Clock clock, Random random) throws InterruptedException {
    Backoff backoff =
        Backoff.builder(Duration.ofMillis(800))
            .factor(2)
            .jitter(1)
            .steps(10)
            .cap(Duration.ofSeconds(30))
            .build();
    DelayFunction delays = backoff.delaysWithReset(clock, random, Duration.ofMinutes(2));
    while (!connect()) {
      clock.sleep(delays.next());
    }
  }

  private boolean connect() {
    return ++attempts > 3;
  }
}
