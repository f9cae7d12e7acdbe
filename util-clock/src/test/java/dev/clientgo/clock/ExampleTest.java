package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of the package page. */
@Timeout(300)
final class ExampleTest {

  private final AtomicBoolean done = new AtomicBoolean();
  private final CountDownLatch ran = new CountDownLatch(1);

  @Test
  void page_fakeClock_movesWhenTold() throws Exception {
    FakeClock clock = FakeClock.create();
    Thread worker = new Thread(() -> backOff(clock)); // sleeps 30 s on that clock
    worker.start();
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(30)); // the worker goes on at once
    worker.join();

    assertThat(done).isTrue();
  }

  @Test
  void page_daemonThreads_haveNames() throws Exception {
    ThreadFactory threads = DaemonThreads.named("reflector-pods-");
    threads.newThread(this::listAndWatch).start(); // reflector-pods-0, virtual on Java 21

    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private void listAndWatch() {
    ran.countDown();
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
