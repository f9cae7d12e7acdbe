package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.cache.internal.reflector.ReflectorHealth;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

final class ReflectorHealthTest {

  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final SimClock time = new SimClock();
  private Duration set = Duration.ZERO;

  /** A wall clock that is set during the test, beside a monotonic one. */
  private final Clock clock =
      new Clock() {
        @Override
        public Instant now() {
          return time.now().plus(set);
        }

        @Override
        public long nanoTime() {
          return time.nanoTime();
        }

        @Override
        public void sleep(Duration duration) {
          time.sleep(duration);
        }

        @Override
        public boolean await(Lock lock, Condition condition, Duration timeout) {
          return time.await(lock, condition, timeout);
        }
      };

  private final ReflectorHealth health = new ReflectorHealth(clock);

  private void notFound() {
    health.failed(FakeServer.error(StatusReason.NOT_FOUND, 404, "no such resource"));
  }

  @Test
  void isMissingFor_clockIsSet_countsTheTimeThatHasPassed() {
    notFound();
    set = Duration.ofHours(1);
    notFound();
    assertThat(health.isMissingFor(LIMIT)).isFalse();

    time.advance(LIMIT);
    set = Duration.ofHours(-1);
    notFound();
    assertThat(health.isMissingFor(LIMIT)).isTrue();
  }

  @Test
  void isMissingFor_otherErrorInBetween_countsAnew() {
    notFound();
    time.advance(LIMIT);
    health.failed(ReflectorFixture.forbidden());
    assertThat(health.isMissingFor(Duration.ZERO)).isFalse();

    notFound();
    assertThat(health.isMissingFor(Duration.ZERO)).isTrue();
    assertThat(health.isMissingFor(LIMIT)).isFalse();
  }
}
