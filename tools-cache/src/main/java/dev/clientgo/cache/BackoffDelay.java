package dev.clientgo.cache;

import dev.clientgo.apimachinery.clock.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after each failure: longer each time, up to half a minute, and never as long as
 * other clients. After two minutes it begins anew.
 *
 * <p>Corresponds to client-go's {@code wait.Backoff.DelayWithReset} with the reflector's constants.
 */
final class BackoffDelay {
  private static final Duration INITIAL = Duration.ofMillis(800);
  private static final Duration CAP = Duration.ofSeconds(30);
  private static final Duration RESET = Duration.ofMinutes(2);

  private final Clock clock;
  private final RandomGenerator random;
  private Duration current = INITIAL;
  private long lastStart;

  BackoffDelay(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
    this.lastStart = clock.nanoTime();
  }

  Duration next() {
    long now = clock.nanoTime();
    if (now - lastStart > RESET.toNanos()) {
      current = INITIAL;
      lastStart = now;
    }
    Duration base = current;
    Duration doubled = current.multipliedBy(2);
    current = doubled.compareTo(CAP) > 0 ? CAP : doubled;
    return base.plusNanos((long) (random.nextDouble() * base.toNanos()));
  }
}
