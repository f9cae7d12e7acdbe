package dev.clientgo.workqueue;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.testing.CapturedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  /** Starts a worker, and returns when its handler waits, which only an interruption ends. */
  private Workers startAndBlockOn(String item) throws InterruptedException {
    CountDownLatch inHandler = new CountDownLatch(1);
    Workers workers =
        Workers.start(
            queue,
            1,
            each -> {
              inHandler.countDown();
              new CountDownLatch(1).await();
            });
    queue.add(item);
    assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();
    return workers;
  }

  @Test
  void close_handlerIsInterrupted_itemIsAddedAgain() throws Exception {
    Workers workers = startAndBlockOn("a");

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

  /** What a server or a user puts into an error or an item is one line, and soon. */
  @Test
  @Timeout(60)
  void failure_withAHostileText_isOneLineInTheLog() throws Exception {
    String forged = "x" + " ".repeat(200_000) + "y\nERROR forged \u001b[2J";
    CountDownLatch told = new CountDownLatch(1);
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL);
        Workers workers =
            Workers.builder(
                    queue,
                    item -> {
                      throw new IOException(forged);
                    })
                .maxRetries(0)
                .onFailure(failure -> told.countDown())
                .start()) {
      queue.add("a\nb");
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(workers.close(ofSeconds(30))).isEmpty();

      assertThat(log.texts(Level.WARNING))
          .singleElement()
          .asString()
          .contains("item=a b ", "error=java.io.IOException: x y ERROR forged ?[2J")
          .doesNotContain("\n");
    }
  }

  @Test
  void close_handlerDoesNotComeBack_isBoundedAndNamesTheItem() throws Exception {
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL)) {
      Workers workers =
          Workers.builder(queue, deafHandler(inHandler, release))
              .count(2)
              .closeTimeout(ofMillis(50))
              .start();
      queue.add("deaf");
      assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();

      assertThat(workers.close(ofMillis(50))).containsExactly("deaf");
      workers.close();

      assertThat(log.texts(Level.WARNING))
          .singleElement()
          .asString()
          .contains("left behind", "timeout=PT0.05S", "items=[deaf]");
      release.countDown();
      assertThat(workers.close(ofSeconds(30))).isEmpty();
    }
  }

  @Test
  void drain_workersFinish_nothingIsLeftAndBothAreClosed() throws Exception {
    Workers workers = Workers.start(queue, 2, handled::put);
    queue.add("a");
    queue.add("b");

    assertThat(workers.drain(ofSeconds(30)).isEmpty()).isTrue();

    assertThat(handled).containsExactlyInAnyOrder("a", "b");
    assertThat(queue.shuttingDown()).isTrue();
    assertThat(workers.drain(ofSeconds(30)).isEmpty()).isTrue();
  }

  @Test
  void drain_timeIsUp_interruptsHandlersAndNamesWhatIsLeft() throws Exception {
    Workers workers = startAndBlockOn("a");
    queue.add("b");

    WorkQueue.Unfinished<?> left = workers.drain(Duration.ZERO);

    assertThat(left).hasToString("1 (a) in process, 1 (b) queued");
    assertThat(workers.failures()).isEqualTo(1);
    assertThat(workers.close(ofSeconds(30))).isEmpty();
  }

  @Test
  void drain_callerIsInterrupted_doesNotWaitAndStaysInterrupted() throws Exception {
    CountDownLatch inHandler = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Workers workers = Workers.start(queue, 1, deafHandler(inHandler, release));
    queue.add("deaf");
    assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();

    Thread.currentThread().interrupt();
    WorkQueue.Unfinished<?> left = workers.drain(ofSeconds(1000));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(left.processing()).hasSize(1);
    release.countDown();
    assertThat(workers.close(ofSeconds(30))).isEmpty();
  }

  private static ItemHandler<String, RuntimeException> deafHandler(
      CountDownLatch inHandler, CountDownLatch release) {
    return item -> {
      inHandler.countDown();
      boolean released = false;
      while (!released) {
        try {
          released = release.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          // Deaf, as this test wants.
        }
      }
    };
  }

  /* --------------- Failures --------------- */

  /** An error of the API or the like: not a class of the JDK. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  /** Lets one item fail that many times, with backoffs, and returns what the hook has heard. */
  private List<WorkFailure<String>> failTimes(
      int times, Supplier<Throwable> error, UnaryOperator<Workers.Builder<String>> settings)
      throws Exception {
    List<WorkFailure<String>> told = new CopyOnWriteArrayList<>();
    AtomicInteger attempts = new AtomicInteger();
    try (Workers workers =
        settings
            .apply(
                Workers.builder(
                    queue,
                    item -> {
                      if (attempts.getAndIncrement() < times) {
                        throwAny(error.get());
                      }
                      handled.put(item);
                    }))
            .onFailure(told::add)
            .start()) {
      queue.add("a");
      for (int i = 0; i < times; i++) {
        clock.awaitWaiters(1);
        clock.advance(ofSeconds(1));
      }
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      assertThat(workers.failures()).isEqualTo(times);
      queue.shutDownWithDrain(ofSeconds(30));
    }
    return told;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void throwAny(Throwable error) throws X {
    throw (X) error;
  }

  @Test
  void onFailure_handlerFails_hearsOfItemErrorAndRequeues() throws Exception {
    Refused error = new Refused("as this test wants");

    List<WorkFailure<String>> told = failTimes(3, () -> error, builder -> builder);

    assertThat(told)
        .containsExactly(
            new WorkFailure<>("a", error, 0, false),
            new WorkFailure<>("a", error, 1, false),
            new WorkFailure<>("a", error, 2, false));
  }

  @Test
  void onFailure_throws_costsNoWorker() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL);
        Workers workers =
            Workers.builder(
                    queue,
                    item -> {
                      handled.put(item);
                      if (item.equals("bad")) {
                        throw new Refused("as this test wants");
                      }
                    })
                .onFailure(
                    failure -> {
                      calls.incrementAndGet();
                      throw new StackOverflowError("as this test wants");
                    })
                .start()) {
      queue.add("bad");
      queue.add("good");
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("bad");
      assertThat(handled.poll(30, TimeUnit.SECONDS)).isEqualTo("good");

      assertThat(calls).hasValue(1);
      assertThat(workers.failures()).isEqualTo(1);
      assertThat(log.texts(Level.WARNING))
          .containsExactly("A failure of a handler could not be told");
    }
  }

  @Test
  void maxRetries_usedUp_dropsTheItemAndTells() throws Exception {
    BlockingQueue<WorkFailure<String>> told = new LinkedBlockingQueue<>();
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL);
        Workers workers =
            Workers.builder(
                    queue,
                    item -> {
                      throw new Refused("as this test wants");
                    })
                .maxRetries(2)
                .onFailure(told::add)
                .start()) {
      queue.add("a");
      for (int requeues = 0; requeues < 2; requeues++) {
        WorkFailure<String> failure = told.poll(30, TimeUnit.SECONDS);
        assertThat(failure.requeues()).isEqualTo(requeues);
        assertThat(failure.dropped()).isFalse();
        clock.awaitWaiters(1);
        clock.advance(ofSeconds(1));
      }
      WorkFailure<String> last = told.poll(30, TimeUnit.SECONDS);
      assertThat(last.requeues()).isEqualTo(2);
      assertThat(last.dropped()).isTrue();
      assertThat(queue.numRequeues("a")).isZero();
      assertThat(queue).asString().contains("size=0").contains("waiting=0");
      assertThat(log.texts(Level.WARNING))
          .last()
          .asString()
          .startsWith("A handler failed; the item is dropped, its retries are used up. item=a");

      queue.add("a");
      assertThat(told.poll(30, TimeUnit.SECONDS).requeues()).isZero();
      assertThat(workers.failures()).isEqualTo(4);
    }
  }

  /** A limiter that does not count must not make an item immortal, nor its failures silent. */
  @Test
  void maxRetries_rateLimiterDoesNotCount_holdsAllTheSame() throws Exception {
    RateLimitingQueue<String> unlimited = RateLimitingQueue.create(RateLimiter.bucket(1000, 1000));
    BlockingQueue<WorkFailure<String>> told = new LinkedBlockingQueue<>();
    try (Workers workers =
        Workers.builder(
                unlimited,
                item -> {
                  throw new Refused("as this test wants");
                })
            .maxRetries(1)
            .onFailure(told::add)
            .start()) {
      unlimited.add("a");

      assertThat(told.poll(30, TimeUnit.SECONDS).dropped()).isFalse();
      assertThat(told.poll(30, TimeUnit.SECONDS).dropped()).isTrue();
      assertThat(workers.failures()).isEqualTo(2);
    }
  }

  @Test
  void maxRetries_closing_isNotReachedByTheInterrupt() throws Exception {
    CountDownLatch inHandler = new CountDownLatch(1);
    Workers workers =
        Workers.builder(
                queue,
                item -> {
                  inHandler.countDown();
                  new CountDownLatch(1).await();
                })
            .maxRetries(0)
            .start();
    queue.add("a");
    assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();

    workers.close();

    clock.advance(ofMillis(5));
    assertThat(Queues.drain(queue)).containsExactly("a");
  }

  @Test
  void maxRetries_negative_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Workers.builder(queue, handled::put).maxRetries(-1))
        .withMessage("maxRetries must not be negative: -1");
  }

  @Test
  void log_errorThatRepeats_isOneLineFromTheSecondOn() throws Exception {
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL)) {
      failTimes(3, () -> new Refused("pods \"web\" is\n  forbidden"), builder -> builder);

      assertThat(log.records(Level.WARNING))
          .extracting(LogRecord::getMessage)
          .containsExactly(
              "A handler failed; the item is tried again. item=a requeues=1 error="
                  + Refused.class.getName()
                  + ": pods \"web\" is forbidden",
              "A handler failed; the item is tried again. item=a requeues=2 error="
                  + Refused.class.getName()
                  + ": pods \"web\" is forbidden");
      assertThat(log.records(Level.WARNING)).extracting(LogRecord::getThrown).containsOnlyNulls();
      // The traces are at DEBUG, which java.util.logging calls FINE.
      assertThat(log.records(Level.FINE))
          .extracting(LogRecord::getThrown)
          .hasSize(3)
          .allMatch(Refused.class::isInstance);
    }
  }

  @Test
  void log_bug_isAWarningWithItsTraceAtOnce() throws Exception {
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL)) {
      failTimes(1, () -> new NullPointerException("as this test wants"), builder -> builder);

      assertThat(log.records(Level.WARNING))
          .singleElement()
          .extracting(LogRecord::getThrown)
          .isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void log_routineFailure_isQuietUnlessItLasts() throws Exception {
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL)) {
      failTimes(
          5,
          () -> new Refused("conflict"),
          builder -> builder.routine(error -> error.getMessage().equals("conflict")));
      assertThat(log.texts(Level.WARNING)).isEmpty();
      assertThat(log.texts(Level.FINE)).hasSize(5);
    }
  }

  @Test
  void log_routineFailureThatLasts_isAWarning() throws Exception {
    try (CapturedLog log = CapturedLog.of(Workers.class, Level.ALL)) {
      failTimes(6, () -> new Refused("conflict"), builder -> builder.routine(error -> true));

      assertThat(log.texts(Level.WARNING)).singleElement().asString().contains("requeues=5");
    }
  }

  /* --------------- Threads --------------- */

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
