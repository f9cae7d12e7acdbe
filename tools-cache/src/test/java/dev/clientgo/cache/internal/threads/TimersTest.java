package dev.clientgo.cache.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class TimersTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeClock clock = FakeClock.create();
  private final List<Thread> threads = new ArrayList<>();
  private final SharedThreads shared = new SharedThreads(clock, this::newThread);
  private final Timers timers = shared.timers();
  private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();

  private synchronized Thread newThread(Runnable runnable) {
    Thread thread = new Thread(runnable);
    threads.add(thread);
    return thread;
  }

  @BeforeEach
  void retain() {
    shared.retain();
  }

  @AfterEach
  void release() throws InterruptedException {
    shared.release();
    assertThreadsEnd();
  }

  /** Stopping the timers takes up to a second, which a busy machine may need. */
  private void assertThreadsEnd() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(30));
    }
    assertThat(threads).noneMatch(Thread::isAlive);
  }

  private Timers.Timer once(String name, Duration delay) {
    return timers.after(
        name,
        delay,
        () -> {
          ran.add(name);
          return Optional.empty();
        });
  }

  private String next() throws InterruptedException {
    return ran.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void withoutTimers_thereIsNoThread() {
    assertThat(threads).isEmpty();
  }

  @Test
  void after_runsAtItsTimeAndNotBefore() throws InterruptedException {
    once("late", Duration.ofSeconds(3));
    once("early", Duration.ofSeconds(2));
    clock.awaitWaiterWithin(Duration.ofSeconds(2));
    clock.advance(Duration.ofMillis(1999));
    assertThat(ran).isEmpty();

    clock.advance(Duration.ofMillis(1));
    assertThat(next()).isEqualTo("early");
    clock.awaitWaiters(1);
    clock.advance(SECOND);
    assertThat(next()).isEqualTo("late");
  }

  @Test
  void after_anEarlierOneThanThoseThatWait_isNotMissed() throws InterruptedException {
    once("late", Duration.ofHours(1));
    clock.awaitWaiters(1);
    once("early", Duration.ZERO);

    assertThat(next()).isEqualTo("early");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void action_thatWantsToRunAgain_doesSoUntilItDoesNot(int times) throws InterruptedException {
    int[] left = {times};
    timers.after(
        "again",
        SECOND,
        () -> {
          ran.add("run");
          return --left[0] > 0 ? Optional.of(SECOND) : Optional.empty();
        });
    for (int i = 0; i < times; i++) {
      clock.awaitWaiters(1);
      clock.advance(SECOND);
      assertThat(next()).isEqualTo("run");
    }

    once("last", SECOND);
    clock.awaitWaiters(1);
    clock.advance(SECOND);
    assertThat(next()).isEqualTo("last");
    assertThat(ran).isEmpty();
  }

  @Test
  void cancel_beforeItsTime_runsNever() throws InterruptedException {
    once("other", Duration.ofSeconds(2));
    clock.awaitWaiters(1);
    Timers.Timer cancelled = once("cancelled", SECOND);
    clock.awaitWaiterWithin(SECOND);
    cancelled.cancel();
    clock.advance(Duration.ofSeconds(2));

    assertThat(next()).isEqualTo("other");
    assertThat(ran).isEmpty();
  }

  @Test
  void cancel_byTheActionItself_isTheEndOfIt() throws InterruptedException {
    Timers.Timer[] own = new Timers.Timer[1];
    own[0] =
        timers.after(
            "own",
            SECOND,
            () -> {
              ran.add("own");
              own[0].cancel();
              return Optional.of(SECOND);
            });
    clock.awaitWaiters(1);
    clock.advance(SECOND);
    assertThat(next()).isEqualTo("own");
    once("other", Duration.ofSeconds(5));
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(5));

    assertThat(next()).isEqualTo("other");
    assertThat(ran).isEmpty();
  }

  /** The action of one informer may have to wait for a lock, which must not delay the others. */
  @Test
  void action_thatBlocks_delaysNoOther() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    timers.after(
        "blocking",
        SECOND,
        () -> {
          ran.add("blocking");
          awaitUninterruptibly(release);
          return Optional.empty();
        });
    once("other", SECOND);
    clock.awaitWaiters(1);
    clock.advance(SECOND);
    assertThat(List.of(next(), next())).containsExactlyInAnyOrder("blocking", "other");

    once("later", SECOND);
    clock.awaitWaiters(1);
    clock.advance(SECOND);
    assertThat(next()).isEqualTo("later");
    release.countDown();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void stop_endsTheThreadsAndLaterTimersRunNever() throws InterruptedException {
    once("never", SECOND);
    clock.awaitWaiters(1);

    timers.stop();
    once("neither", Duration.ZERO);
    clock.advance(Duration.ofHours(1));
    shared.release();
    assertThreadsEnd();
    shared.retain();

    assertThat(ran).isEmpty();
    once("again", Duration.ZERO);
    assertThat(next()).isEqualTo("again");
  }
}
