package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.INFO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real threads, real time, every add and every delivery counted. Takes 8 seconds for all queues
 * together; {@code -Dstress.seconds=3600} for an hour, {@code -Dstress.seed=…} to repeat the
 * choices of a run.
 */
@Tag("stress")
final class QueueStressTest {

  private static final System.Logger LOG = System.getLogger(QueueStressTest.class.getName());
  private static final int SECONDS = Integer.getInteger("stress.seconds", 4);
  private static final long SEED = Long.getLong("stress.seed", Clock.system().nanoTime());
  private static final int KINDS = 4;
  private static final Duration ROUND = Duration.ofMillis(500);

  static Stream<Arguments> queues() {
    return Stream.of(
        kind("WorkQueue", WorkQueue::create),
        kind("DelayingQueue", DelayingQueue::create),
        kind("RateLimitingQueue", () -> RateLimitingQueue.create(limiter())),
        kind("PriorityQueue", () -> PriorityQueue.create(limiter(), QueueConfig.defaults())));
  }

  /** Other than the usual one it lets no item wait for longer than a round. */
  private static RateLimiter<Integer> limiter() {
    return RateLimiter.itemExponentialFailure(Duration.ofNanos(1000), Duration.ofMillis(2));
  }

  private static Arguments kind(String name, Supplier<WorkQueue<Integer>> queue) {
    return Arguments.argumentSet(name, name, queue);
  }

  @ParameterizedTest
  @MethodSource("queues")
  @Timeout(value = 2, unit = TimeUnit.DAYS) // It is asked to run for as long as one likes.
  void queue_underLoad_losesNothingAndDoublesNothing(
      String name, Supplier<WorkQueue<Integer>> queues) throws Exception {
    Clock clock = Clock.system();
    Random random = new Random(SEED);
    long start = clock.nanoTime();
    long adds = 0;
    long deliveries = 0;
    int rounds = 0;
    do {
      Round round = new Round(queues.get(), random);
      round.run();
      adds += round.adds.sum();
      deliveries += round.deliveries.sum();
      rounds++;
    } while (clock.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS) / KINDS);
    LOG.log(
        INFO,
        "Stress run: queue={0} rounds={1} adds={2} deliveries={3} lost=0 doubled=0 seed={4}",
        name,
        rounds,
        adds,
        deliveries,
        Long.toString(SEED));
  }

  /** One queue, from its first add to its end. */
  @SuppressWarnings("ThreadPriorityCheck") // It yields for more turns, nothing relies on it.
  private static final class Round {
    final LongAdder adds = new LongAdder();
    final LongAdder deliveries = new LongAdder();

    private final WorkQueue<Integer> queue;
    private final boolean drain;
    private final int producers;
    private final int workers;
    private final long seed;

    /** How often each item was wanted to be processed; counted before it is added. */
    private final AtomicLong[] wanted;

    /** Which of these wants a worker has seen, at the latest. */
    private final AtomicLong[] seen;

    /** How many workers hold each item. */
    private final AtomicInteger[] holders;

    private final AtomicBoolean stop = new AtomicBoolean();

    /** How many workers are about to add an item, unless it is time to stop. */
    private final AtomicInteger adding = new AtomicInteger();

    private final CompletableFuture<Void> failure = new CompletableFuture<>();

    Round(WorkQueue<Integer> queue, Random random) {
      this.queue = queue;
      this.drain = random.nextBoolean();
      this.producers = 1 + random.nextInt(8);
      this.workers = 1 + random.nextInt(8);
      this.seed = random.nextLong();
      int items = 1 << random.nextInt(13);
      wanted = Stream.generate(AtomicLong::new).limit(items).toArray(AtomicLong[]::new);
      seen = Stream.generate(AtomicLong::new).limit(items).toArray(AtomicLong[]::new);
      holders = Stream.generate(AtomicInteger::new).limit(items).toArray(AtomicInteger[]::new);
    }

    void run() throws Exception {
      List<Call<Void>> working = start(workers, this::work);
      List<Call<Void>> producing = start(producers, this::produce);
      try {
        failure.get(ROUND.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        stop.set(true); // Nothing has failed.
      }
      for (Call<Void> producer : producing) {
        producer.result();
      }
      end();
      for (Call<Void> worker : working) {
        worker.result();
      }

      for (int item = 0; item < wanted.length; item++) {
        assertThat(seen[item].get()).as("%s, item %d", this, item).isEqualTo(wanted[item].get());
        assertThat(holders[item].get()).as("%s, item %d", this, item).isZero();
      }
      assertThat(deliveries.sum()).as("%s", this).isLessThanOrEqualTo(adds.sum());
      assertThat(queue.size()).as("%s", this).isZero();
      Consistency.check(queue);
    }

    private List<Call<Void>> start(int threads, Body body) {
      List<Call<Void>> calls = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Random random = new Random(seed + 31L * i);
        calls.add(
            Call.start(
                () -> {
                  body.run(random);
                  return null;
                }));
      }
      return calls;
    }

    /** Shuts the queue down, when that must not drop anything. */
    private void end() throws InterruptedException {
      Clock clock = Clock.system();
      long start = clock.nanoTime();
      while (adding.get() > 0) {
        Thread.yield(); // A later add would be dropped, and the test expects it.
      }
      // Waiting items would be dropped, so let them come first; so would those of a priority queue.
      while (queue instanceof DelayingQueue && !isAllSeen()) {
        assertThat(clock.nanoTime() - start)
            .as("%s: an item is lost", this)
            .isLessThan(TimeUnit.SECONDS.toNanos(60));
        Thread.yield();
      }
      if (drain) {
        queue.shutDownWithDrain();
        assertThat(isAllSeen()).as("%s: drained", this).isTrue();
      } else {
        queue.shutDown();
      }
    }

    private boolean isAllSeen() {
      for (int item = 0; item < wanted.length; item++) {
        if (seen[item].get() != wanted[item].get()) {
          return false;
        }
      }
      return true;
    }

    private void produce(Random random) {
      while (!stop.get()) {
        add(random.nextInt(wanted.length), random);
        if (random.nextInt(4) == 0) {
          Thread.yield(); // Or the workers would hardly get a turn.
        }
      }
    }

    private void add(int item, Random random) {
      wanted[item].incrementAndGet();
      adds.increment();
      int choice = random.nextInt(4);
      if (choice == 0 && queue instanceof PriorityQueue<Integer> priorities) {
        priorities.add(
            item,
            AddOptions.create()
                .priority(random.nextInt(3))
                .after(Duration.ofNanos(random.nextInt(1_000_000))));
      } else if (choice == 1 && queue instanceof RateLimitingQueue<Integer> limiting) {
        limiting.addRateLimited(item);
      } else if (choice == 2 && queue instanceof DelayingQueue<Integer> delaying) {
        delaying.addAfter(item, Duration.ofNanos(random.nextInt(1_000_000)));
      } else {
        queue.add(item);
      }
    }

    private void work(Random random) {
      while (true) {
        try {
          if (random.nextInt(1000) == 0) {
            Thread.currentThread().interrupt(); // An interrupted get() must not lose an item.
          }
          Optional<WorkItem<Integer>> next =
              random.nextInt(10) == 0
                  ? queue.get(Duration.ofNanos(random.nextInt(100_000)))
                  : queue.get();
          if (next.isEmpty()) {
            return;
          }
          try (WorkItem<Integer> work = next.get()) {
            process(work.value(), random);
          }
        } catch (TimeoutException | InterruptedException e) {
          Thread.onSpinWait();
        }
      }
    }

    private void process(int item, Random random) {
      if (holders[item].incrementAndGet() != 1) {
        failure.completeExceptionally(new AssertionError(this + ": two workers hold item " + item));
      }
      deliveries.increment();
      long want = wanted[item].get();
      if (random.nextInt(8) == 0) {
        adding.incrementAndGet();
        if (!stop.get()) {
          add(item, random);
        }
        adding.decrementAndGet();
      }
      if (queue instanceof RateLimitingQueue<Integer> limiting && random.nextBoolean()) {
        limiting.forget(item);
      }
      seen[item].set(want);
      holders[item].decrementAndGet();
    }

    @Override
    public String toString() {
      return "round[producers=%d, workers=%d, items=%d, drain=%b, stress.seed=%d]"
          .formatted(producers, workers, wanted.length, drain, SEED);
    }
  }

  /** The work of one thread. */
  private interface Body {
    void run(Random random);
  }
}
