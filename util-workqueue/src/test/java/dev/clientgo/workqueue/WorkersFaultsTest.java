package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each function of the user throws each kind of error; the one worker handles the next items. */
final class WorkersFaultsTest {

  private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

  private void awaitHandled(String item) throws InterruptedException {
    assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo(item);
  }

  private static RateLimiter<String> limiter() {
    return RateLimiter.itemExponentialFailure(Duration.ofMillis(1), Duration.ofMillis(1));
  }

  @ParameterizedTest
  @EnumSource
  void handlerAndHook_thatThrow_costNoWorker(Fault fault) throws Exception {
    RateLimitingQueue<String> queue = RateLimitingQueue.create(limiter());
    try (Workers workers =
        Workers.<String>builder(
                queue,
                item -> {
                  if (item.equals("bad")) {
                    fault.fail();
                  }
                  handled.put(item);
                })
            .maxRetries(3)
            .onFailure(failure -> fault.fail())
            .start()) {
      queue.add("bad");
      queue.add("good");

      awaitHandled("good");
      queue.shutDownWithDrain();
      assertThat(workers.failures()).isPositive();
    }
  }

  /** The item is handled again, though the rate limiter gives no delay. */
  @ParameterizedTest
  @EnumSource
  void rateLimiter_thatThrows_losesNoItem_andIsAProblem(Fault fault) throws Exception {
    RateLimiter<String> broken =
        new RateLimiter<>() {
          @Override
          public Duration delayFor(String item) {
            return fault.fail();
          }

          @Override
          public void forget(String item) {
            fault.fail();
          }

          @Override
          public int numRequeues(String item) {
            return fault.fail();
          }
        };
    RateLimitingQueue<String> queue = RateLimitingQueue.create(broken);
    AtomicInteger attempts = new AtomicInteger();
    try (Workers workers =
        Workers.start(
            queue,
            1,
            item -> {
              if (item.equals("again") && attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet, as this test wants");
              }
              handled.put(item);
            })) {
      queue.add("again");
      queue.add("other");

      awaitHandled("other");
      awaitHandled("again");
      queue.shutDownWithDrain();
      assertThat(workers.problem().orElseThrow()).contains("3 failures in a row");
    }
  }

  @ParameterizedTest
  @EnumSource
  void observer_thatThrows_stopsNothing(Fault fault) throws Exception {
    QueueObserver observer =
        new QueueObserver() {
          @Override
          public void added(Object item) {
            fault.fail();
          }

          @Override
          public void starting(Object item) {
            fault.fail();
          }

          @Override
          public void done(Object item) {
            fault.fail();
          }

          @Override
          public void forgotten(Object item) {
            fault.fail();
          }
        };
    RateLimitingQueue<String> queue =
        RateLimitingQueue.create(limiter(), QueueConfig.builder().observer(observer).build());
    try (Workers workers = Workers.start(queue, 1, handled::put)) {
      queue.add("a");
      queue.add("b");

      awaitHandled("a");
      awaitHandled("b");
      queue.shutDownWithDrain();
      assertThat(workers.failures()).isZero();
    }
  }

  /** An order that fails now and then: the worker asks again. */
  @ParameterizedTest
  @EnumSource
  void order_thatThrowsOnce_endsNoWorker(Fault fault) throws Exception {
    AtomicInteger pops = new AtomicInteger();
    ArrayDeque<String> items = new ArrayDeque<>();
    QueueOrder<String> order =
        new QueueOrder<>() {
          @Override
          public void push(String item) {
            items.add(item);
          }

          @Override
          public String pop() {
            return pops.incrementAndGet() == 1 ? fault.fail() : items.remove();
          }
        };
    RateLimitingQueue<String> queue =
        RateLimitingQueue.create(limiter(), QueueConfig.defaults(), order);
    try (Workers workers = Workers.start(queue, 1, handled::put)) {
      queue.add("a");

      awaitHandled("a");
      queue.shutDownWithDrain();
      assertThat(workers.failures()).isZero();
    }
  }
}
