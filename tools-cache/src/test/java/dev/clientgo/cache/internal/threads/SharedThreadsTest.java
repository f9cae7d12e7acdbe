package dev.clientgo.cache.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class SharedThreadsTest {

  private final FakeClock clock = FakeClock.create();
  private final List<Thread> made = new ArrayList<>();
  private final SharedThreads threads = new SharedThreads(clock, this::newThread);
  private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private int failingStarts;

  private synchronized Thread newThread(Runnable runnable) {
    if (failingStarts > 0) {
      failingStarts--;
      throw new OutOfMemoryError("no more threads");
    }
    Thread thread = new Thread(runnable);
    made.add(thread);
    return thread;
  }

  @BeforeEach
  void retain() {
    threads.retain();
  }

  @AfterEach
  void everyThreadEnds() throws InterruptedException {
    release.countDown();
    threads.release();
    for (Thread thread : made) {
      thread.join(TimeUnit.SECONDS.toMillis(30));
    }
    assertThat(made).noneMatch(Thread::isAlive);
  }

  private SerialTask recording(String name) {
    return threads.task(name, () -> ran.add(name));
  }

  private SerialTask blocking(String name) {
    return threads.task(
        name,
        () -> {
          ran.add(name);
          assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
        });
  }

  private String next() throws InterruptedException {
    return ran.poll(30, TimeUnit.SECONDS);
  }

  /** Waits until exactly that many threads are idle. */
  private void awaitIdle(int count) {
    Clock real = Clock.system();
    long start = real.nanoTime();
    while (threads.idle() != count && real.nanoTime() - start < TimeUnit.SECONDS.toNanos(30)) {
      Thread.onSpinWait();
    }
    assertThat(threads.idle()).isEqualTo(count);
  }

  // ---- sharing

  @Test
  void tasksWithoutWork_haveNoThread() {
    recording("a");

    assertThat(made).isEmpty();
  }

  @Test
  void tasksOneAfterTheOther_shareOneThread() throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      recording("task " + i).wake();
      assertThat(next()).isEqualTo("task " + i);
      awaitIdle(1);
    }

    assertThat(made).hasSize(1);
  }

  @Test
  void taskThatBlocks_delaysNoOther() throws InterruptedException {
    for (int i = 0; i < 50; i++) {
      blocking("blocking " + i).wake();
      assertThat(next()).isEqualTo("blocking " + i);
    }

    recording("other").wake();

    assertThat(next()).isEqualTo("other");
    assertThat(threads.size()).isEqualTo(51);
  }

  @Test
  void thread_hasTheNameOfItsTask() throws InterruptedException {
    for (String name : List.of("pods handler A", "nodes handler B")) {
      threads.task(name, () -> ran.add(Thread.currentThread().getName())).wake();

      assertThat(next()).isEqualTo(name);
      awaitIdle(1);
    }
  }

  @Test
  void task_comesBackToItsThread() throws InterruptedException {
    SerialTask a = threads.task("a", () -> ran.add("a " + made.indexOf(Thread.currentThread())));
    SerialTask blocking = blocking("blocking");
    a.wake();
    String first = next();
    awaitIdle(1);
    blocking.wake();
    assertThat(next()).isEqualTo("blocking");
    release.countDown();
    awaitIdle(1);

    a.wake();

    assertThat(next()).isEqualTo(first);
  }

  // ---- runs

  /** Work that is reported while the body runs is done in a separate run, after this one. */
  @Test
  void wake_whileTheBodyRuns_runsItOnceMoreAndNeverTwiceAtATime() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    CountDownLatch entered = new CountDownLatch(1);
    SerialTask task =
        threads.task(
            "serial",
            () -> {
              ran.add("run " + inside.incrementAndGet());
              entered.countDown();
              assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
              inside.decrementAndGet();
            });
    task.wake();
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 10; i++) {
      task.wake();
    }
    release.countDown();

    assertThat(next()).isEqualTo("run 1");
    assertThat(next()).isEqualTo("run 1");
    awaitIdle(1);
    assertThat(ran).isEmpty();
  }

  /** No report is lost: after the last one, the body always runs once more. */
  @Test
  void wake_fromManyThreads_missesNoWork() throws InterruptedException {
    int count = 20_000;
    AtomicInteger reported = new AtomicInteger();
    CountDownLatch seenAll = new CountDownLatch(1);
    SerialTask task =
        threads.task(
            "counting",
            () -> {
              if (reported.get() == 2 * count) {
                seenAll.countDown();
              }
            });
    Runnable reporting =
        () -> {
          for (int i = 0; i < count; i++) {
            reported.incrementAndGet();
            task.wake();
          }
        };
    Thread other = new Thread(reporting);
    other.start();
    reporting.run();
    other.join();

    assertThat(seenAll.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void bodyThatFails_runsAgain_inTheSameThread() throws InterruptedException {
    SerialTask task =
        threads.task(
            "failing",
            () -> {
              ran.add("run");
              throw new AssertionError("a bug, on purpose");
            });
    for (int i = 0; i < 3; i++) {
      task.wake();
      assertThat(next()).isEqualTo("run");
      awaitIdle(1);
    }

    assertThat(made).hasSize(1);
  }

  @Test
  void interruptFlagOfABody_doesNotReachTheNextTask() throws InterruptedException {
    threads.task("setting the flag", () -> Thread.currentThread().interrupt()).wake();
    awaitIdle(1);

    threads.task("other", () -> ran.add("flag " + Thread.currentThread().isInterrupted())).wake();

    assertThat(next()).isEqualTo("flag false");
    assertThat(made).hasSize(1);
  }

  // ---- the end of a task

  @Test
  void stop_whileTheBodyRuns_givesItsThreadWhichEndsWithIt() throws InterruptedException {
    SerialTask task = blocking("blocking");
    task.wake();
    assertThat(next()).isEqualTo("blocking");
    task.wake();

    Optional<OwnedThread> running = task.stop();

    assertThat(task.stop()).isEqualTo(running);
    release.countDown();
    assertThat(running.get().join(clock, Duration.ofSeconds(30))).isTrue();
    assertThat(ran).isEmpty();
    recording("other").wake();
    assertThat(next()).isEqualTo("other");
  }

  @Test
  void stop_withoutARun_givesNoThreadAndTheBodyRunsNever() throws InterruptedException {
    SerialTask task = recording("never");
    SerialTask other = recording("other");
    assertThat(task.stop()).isEmpty();

    task.wake();
    other.wake();

    assertThat(next()).isEqualTo("other");
    awaitIdle(1);
    assertThat(ran).isEmpty();
    assertThat(other.stop()).isEmpty();
  }

  // ---- the threads

  @Test
  void threadThatCannotBeStarted_taskWaitsForOneThatBecomesFree() throws InterruptedException {
    SerialTask late = recording("late");
    failingStarts = 1;

    late.wake();
    assertThat(ran).isEmpty();
    recording("other").wake();

    assertThat(List.of(next(), next())).containsExactly("other", "late");
  }

  @Test
  void threadThatCannotBeStarted_isTriedAgain() throws InterruptedException {
    SerialTask late = recording("late");
    failingStarts = 1;
    late.wake();
    clock.awaitWaiters(1);

    clock.advance(SharedThreads.RETRY);

    assertThat(next()).isEqualTo("late");
  }

  /** Even the thread of the timers is missing; the next timer starts it. */
  @Test
  void noThreadCanBeStarted_nextTimerTriesAgain() throws InterruptedException {
    failingStarts = 2;
    recording("late").wake();
    assertThat(failingStarts).isZero();

    threads.timers().after("other", SharedThreads.RETRY, Optional::empty);
    clock.awaitWaiters(1);
    clock.advance(SharedThreads.RETRY);

    assertThat(next()).isEqualTo("late");
  }

  @Test
  void threadsOfABurst_endAfterSomeTimeWithoutWork() throws InterruptedException {
    for (int i = 0; i < 3 * SharedThreads.KEPT; i++) {
      blocking("burst " + i).wake();
    }
    for (int i = 0; i < 3 * SharedThreads.KEPT; i++) {
      assertThat(next()).startsWith("burst");
    }
    release.countDown();
    clock.awaitWaiters(1); // One of them waits for the timer that ends them.
    awaitIdle(3 * SharedThreads.KEPT - 1);
    for (int i = 0; i < 2; i++) {
      clock.awaitWaiters(1);
      clock.advance(SharedThreads.KEEP_ALIVE);
    }

    awaitIdle(SharedThreads.KEPT);
    assertThat(clock.waiters()).isZero();
  }

  @Test
  void release_ofTheLastUser_endsIdleThreads_andTheyStartAgain() throws InterruptedException {
    threads.retain();
    SerialTask task = recording("task");
    task.wake();
    assertThat(next()).isEqualTo("task");
    awaitIdle(1);

    threads.release();
    assertThat(threads.size()).isEqualTo(1);
    threads.release();
    assertThat(made.get(0).isAlive()).isFalse();

    threads.retain();
    task.wake();
    assertThat(next()).isEqualTo("task");
    assertThat(made).hasSize(2);
  }
}
