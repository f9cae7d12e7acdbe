package dev.clientgo.simulation.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

final class SimulatedConditionTest {

  private final Scheduler scheduler =
      new Scheduler(size -> 0, java.time.Instant.EPOCH, problem -> {});
  private final ThreadOwner owner = scheduler.newOwner("test");
  private final Clock clock = owner.clock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition condition = clock.newCondition(lock);
  private final Instant start = clock.now();
  private final List<String> waits = new ArrayList<>();

  /** Waits until a date, and notes whether it was signalled, and when. */
  @SuppressWarnings("WaitNotInLoop") // The test is about what a single wait returns.
  private void awaitUntil(Instant deadline) {
    owner
        .newThread(
            () -> {
              lock.lock();
              try {
                boolean signalled = condition.awaitUntil(Date.from(deadline));
                waits.add(signalled + " after " + Duration.between(start, clock.now()));
              } catch (InterruptedException e) {
                waits.add("interrupted");
              } finally {
                lock.unlock();
              }
            })
        .start();
  }

  private void run() {
    while (scheduler.step()) {
      // Until no thread can run, and no time is awaited.
    }
  }

  @Test
  void awaitUntil_dateComes_returnsFalseThen() {
    awaitUntil(start.plusSeconds(5));

    run();

    assertThat(waits).containsExactly("false after PT5S");
  }

  @Test
  void awaitUntil_datePast_returnsAtOnce() {
    awaitUntil(start.minusSeconds(1));

    run();

    assertThat(waits).containsExactly("false after PT0S");
  }

  @Test
  void awaitUntil_signalled_returnsTrue() {
    awaitUntil(start.plusSeconds(5));
    owner
        .newThread(
            () -> {
              try {
                clock.sleep(Duration.ofSeconds(2));
              } catch (InterruptedException e) {
                waits.add("interrupted");
              }
              lock.lock();
              try {
                condition.signal();
              } finally {
                lock.unlock();
              }
            })
        .start();

    run();

    assertThat(waits).containsExactly("true after PT2S");
  }
}
