package dev.clientgo.workqueue;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WorkersTest {

  private final FakeClock clock = FakeClock.create();
  private final RateLimitingQueue<String> queue =
      RateLimitingQueue.create(
          RateLimiter.itemExponentialFailure(ofMillis(5), ofSeconds(1)),
          QueueConfig.builder().clock(clock).build());
  private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

  @Test
  void start_items_areHandledAndMarkedDone() throws Exception {
    try (Workers workers = Workers.start(queue, 3, handled::put)) {
      queue.add("a");
      queue.add("b");
      queue.shutDownWithDrain();

      assertThat(handled).containsExactlyInAnyOrder("a", "b");
      assertThat(workers.failures()).isZero();
    }
  }

  @Test
  void handle_throws_isTriedAgainAfterTheBackoffAndForgottenOnSuccess() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (Workers workers =
        Workers.start(
            queue,
            1,
            item -> {
              handled.put(item);
              if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet, as this test wants");
              }
            })) {
      queue.add("a");
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      clock.awaitWaiters(1); // For the first backoff to pass.
      assertThat(queue.numRequeues("a")).isEqualTo(1);
      clock.advance(ofMillis(5));
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      clock.awaitWaiters(1);
      assertThat(queue.numRequeues("a")).isEqualTo(2);
      clock.advance(ofMillis(10));
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      queue.shutDownWithDrain();

      assertThat(queue.numRequeues("a")).isZero();
      assertThat(workers.failures()).isEqualTo(2);
    }
  }

  @Test
  void handle_throwsAnError_doesNotCostAWorker() throws Exception {
    try (Workers workers =
        Workers.start(
            queue,
            1,
            item -> {
              handled.put(item);
              if (item.equals("bad")) {
                throw new StackOverflowError("as this test wants");
              }
            })) {
      queue.add("bad");
      queue.add("good");

      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("bad");
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("good");
      assertThat(workers.failures()).isEqualTo(1);
    }
  }

  @Test
  void handle_leavesTheThreadInterrupted_doesNotCostAWorker() throws Exception {
    try (Workers workers =
        Workers.start(
            queue,
            1,
            item -> {
              handled.put(item);
              Thread.currentThread().interrupt();
            })) {
      queue.add("a");
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      queue.add("b");
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("b");
      assertThat(workers.failures()).isZero();
    }
  }

  @Test
  void handle_throwsOnAPriorityQueue_keepsThePriority() throws Exception {
    PriorityQueue<String> priorities =
        PriorityQueue.create(QueueConfig.builder().clock(clock).build());
    try (Workers workers =
        Workers.start(
            priorities,
            1,
            item -> {
              handled.put(item);
              throw new IllegalStateException("as this test wants");
            })) {
      priorities.add("a", AddOptions.create().priority(-100));
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      clock.awaitWaiters(1);
      assertThat(workers.failures()).isEqualTo(1);
    }

    clock.advance(ofMillis(5));

    assertThat(Queues.take(priorities).priority()).isEqualTo(-100);
  }

  @Test
  void close_handlerIsInterrupted_itemIsAddedAgain() throws Exception {
    CountDownLatch inHandler = new CountDownLatch(1);
    Workers workers =
        Workers.start(
            queue,
            1,
            item -> {
              inHandler.countDown();
              new CountDownLatch(1).await();
            });
    queue.add("a");
    assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();

    workers.close();

    assertThat(workers.failures()).isEqualTo(1);
    clock.advance(ofMillis(5));
    assertThat(Queues.drain(queue)).containsExactly("a");
  }

  @Test
  void close_byAHandler_endsAllWorkersButWaitsForTheOthersOnly() throws Exception {
    CompletableFuture<Workers> self = new CompletableFuture<>();
    Workers workers =
        Workers.start(
            queue,
            2,
            item -> {
              self.get(30, TimeUnit.SECONDS).close();
              handled.put(item);
            });
    self.complete(workers);

    queue.add("a");
    assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
    workers.close();
    queue.add("b");

    assertThat(workers.failures()).isZero();
    assertThat(queue).hasToString("queue[size=1, processing=0, waiting=0, shuttingDown=false]");
  }

  @Test
  void start_ownThreadFactory_isUsedForEachWorker() throws Exception {
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    try (Workers workers =
        Workers.start(
            queue,
            3,
            handled::put,
            task -> {
              Thread thread = new Thread(task);
              threads.add(thread);
              return thread;
            })) {
      queue.add("a");
      queue.shutDownWithDrain();
      assertThat(workers.failures()).isZero();
    }

    assertThat(threads).hasSize(3).noneMatch(Thread::isAlive);
  }

  @Test
  void start_noThreadFactory_usesDaemonsWhichAreVirtualOn21() throws Exception {
    BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
    try (Workers workers = Workers.start(queue, 1, item -> threads.put(Thread.currentThread()))) {
      queue.add("a");
      Thread thread = threads.poll(30, TimeUnit.SECONDS);

      assertThat(thread.getName()).isEqualTo("workqueue-worker-0");
      assertThat(thread.isDaemon()).isTrue();
      assertThat(thread.getClass().getSimpleName())
          .isEqualTo(Runtime.version().feature() >= 21 ? "VirtualThread" : "Thread");
      assertThat(workers.failures()).isZero();
    }
  }

  @Test
  void start_noWorkers_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Workers.start(queue, 0, handled::put))
        .withMessage("there must be at least one worker: 0");
  }
}
