package dev.clientgo.cache.synctrack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class LazyTest {

  private final AtomicInteger evaluations = new AtomicInteger();
  private final ExecutorService executor = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  /** The value is computed once until it is invalidated (TestLazy, TestLazyOnlyOnce). */
  @Test
  void get_makesTheValueOnceUntilItIsInvalidated() {
    Lazy<Integer> lazy = Lazy.of(evaluations::incrementAndGet);
    assertThat(evaluations).hasValue(0);

    assertThat(lazy.get()).isEqualTo(1);
    assertThat(lazy.get()).isEqualTo(1);
    lazy.invalidate();
    lazy.invalidate();
    assertThat(evaluations).hasValue(1);
    assertThat(lazy.get()).isEqualTo(2);
  }

  /** After a failed computation, the next read computes again (TestLazyError). */
  @Test
  void get_whoseEvaluationFails_keepsNothing() {
    Lazy<Integer> lazy =
        Lazy.of(
            () -> {
              if (evaluations.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
              }
              return evaluations.get();
            });

    assertThatThrownBy(lazy::get).hasMessage("not yet");
    assertThat(lazy.get()).isEqualTo(2);
  }

  /**
   * A value that is invalidated during its computation is computed again for the next reader
   * (TestLazySlowEval, TestLazySlowEval2).
   */
  @Test
  void invalidate_whileTheValueIsMade_makesTheNextAskForAnother() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Lazy<Integer> lazy =
        Lazy.of(
            () -> {
              int number = evaluations.incrementAndGet();
              if (number == 1) {
                begun.countDown();
                awaitQuietly(goOn);
              }
              return number;
            });
    List<Future<Integer>> first = new ArrayList<>();
    first.add(executor.submit(lazy::get));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    lazy.invalidate();
    assertThat(lazy.get()).isEqualTo(2);
    goOn.countDown();

    assertThat(first.get(0).get(30, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(lazy.get()).isEqualTo(2);
  }

  /** Readers that come at the same time share one computation (TestLazyThroughput). */
  @Test
  void get_byManyAtOnce_makesTheValueOnce() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Lazy<Integer> lazy =
        Lazy.of(
            () -> {
              awaitQuietly(goOn);
              return evaluations.incrementAndGet();
            });
    List<Future<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      readers.add(executor.submit(lazy::get));
    }
    goOn.countDown();

    for (Future<Integer> reader : readers) {
      assertThat(reader.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
