package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.drain;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RateLimitingQueueTest {

  private final FakeClock clock = FakeClock.create();
  private final RateLimitingQueue<String> queue =
      RateLimitingQueue.create(
          RateLimiter.itemExponentialFailure(ofMillis(1), ofSeconds(1)),
          QueueConfig.builder().clock(clock).build());

  /** Upstream: TestRateLimitingQueue. */
  @Test
  void addRateLimited_eachFailure_waitsTwiceAsLong() throws Exception {
    queue.addRateLimited("one");
    assertComesAfter(ofMillis(1), "one");
    queue.addRateLimited("one");
    assertComesAfter(ofMillis(2), "one");
    assertThat(queue.numRequeues("one")).isEqualTo(2);

    queue.addRateLimited("two");
    assertComesAfter(ofMillis(1), "two");
    queue.addRateLimited("two");
    assertComesAfter(ofMillis(2), "two");

    queue.forget("one");
    assertThat(queue.numRequeues("one")).isZero();
    queue.addRateLimited("one");
    assertComesAfter(ofMillis(1), "one");
  }

  @Test
  void addRateLimited_itemWaitsAlready_isCountedButDoesNotMoveLater() throws Exception {
    queue.addRateLimited("a");
    queue.addRateLimited("a");
    queue.addRateLimited("a");

    assertThat(queue.numRequeues("a")).isEqualTo(3);
    assertComesAfter(ofMillis(1), "a");
    clock.advance(ofSeconds(1));
    assertThat(queue.size()).isZero();
  }

  @Test
  void forget_itemWaits_doesNotTakeItOut() throws Exception {
    queue.addRateLimited("a");
    queue.forget("a");

    assertComesAfter(ofMillis(1), "a");
  }

  @Test
  void null_isRefused() {
    assertThatNullPointerException().isThrownBy(() -> queue.addRateLimited(null));
    assertThatNullPointerException().isThrownBy(() -> queue.addAfter(null, ofMillis(1)));
    assertThatNullPointerException().isThrownBy(() -> queue.addAfter("a", null));
    assertThatNullPointerException().isThrownBy(() -> queue.forget(null));
    assertThatNullPointerException().isThrownBy(() -> queue.numRequeues(null));
    assertThatNullPointerException().isThrownBy(() -> RateLimitingQueue.create(null));
  }

  private void assertComesAfter(Duration delay, String item) throws InterruptedException {
    clock.advance(delay.minus(ofNanos(1)));
    assertThat(queue.size()).isZero();
    clock.advance(ofNanos(1));
    assertThat(drain(queue)).containsExactly(item);
  }
}
