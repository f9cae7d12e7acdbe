package dev.clientgo.apimachinery.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FakeClockTest {

  private final FakeClock clock = FakeClock.create();
  private final BlockingQueue<Integer> woken = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private void sleep(int minutes) {
    threads.execute(
        () -> {
          try {
            clock.sleep(Duration.ofMinutes(minutes));
            woken.add(minutes);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Test
  void awaitWaiterWithin_othersWaitForLater_waitsForTheNearOne() throws InterruptedException {
    sleep(10);
    clock.awaitWaiters(1);
    sleep(2);
    clock.awaitWaiterWithin(Duration.ofMinutes(2));
    clock.advance(Duration.ofMinutes(2));

    assertThat(woken.poll(30, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(woken).isEmpty();
    clock.awaitWaiterWithin(Duration.ofMinutes(8));
    clock.advance(Duration.ofMinutes(8));
    assertThat(woken.poll(30, TimeUnit.SECONDS)).isEqualTo(10);
  }

  /** Whoever works out how long to wait, and is overtaken by the test, would wait for too long. */
  @Test
  void await_timeHasMovedSinceItWasRead_waitsFromTheReadingOn() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Condition condition = lock.newCondition();
    lock.lock();
    try {
      clock.nanoTime();
      threads.submit(() -> clock.advance(Duration.ofSeconds(5))).get(30, TimeUnit.SECONDS);

      assertThat(clock.await(lock, condition, Duration.ofSeconds(5))).isFalse();
    } finally {
      lock.unlock();
    }
  }
}
