package dev.clientgo.apimachinery.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the page of the package shows. */
@Timeout(120)
final class ExampleTest {

  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void page_fakeClock_movesWhenTold() throws Exception {
    FakeClock clock = FakeClock.create();
    Thread worker = new Thread(() -> backOff(clock)); // sleeps 30 s on that clock
    worker.start();
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(30)); // worker goes on at once
    worker.join();

    assertThat(done).isTrue();
  }

  private void backOff(Clock clock) {
    try {
      clock.sleep(Duration.ofSeconds(30));
      done.set(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
