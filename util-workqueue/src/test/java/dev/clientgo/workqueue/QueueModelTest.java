package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Does the same at random to a queue and to its model, and compares after each step. */
final class QueueModelTest {

  private static final int STEPS = 1_000;

  static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void workQueue_atRandom_doesAsItsModel(long seed) throws Exception {
    FakeClock clock = FakeClock.create();
    run(
        seed,
        WorkQueue.create(QueueConfig.builder().clock(clock).build()),
        clock,
        new QueueModel.Dirty());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void delayingQueue_atRandom_doesAsItsModel(long seed) throws Exception {
    FakeClock clock = FakeClock.create();
    run(
        seed,
        DelayingQueue.create(QueueConfig.builder().clock(clock).build()),
        clock,
        new QueueModel.Dirty());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void priorityQueue_atRandom_doesAsItsModel(long seed) throws Exception {
    FakeClock clock = FakeClock.create();
    run(
        seed,
        PriorityQueue.create(QueueConfig.builder().clock(clock).build()),
        clock,
        new QueueModel.Priority());
  }

  private static void run(long seed, WorkQueue<Integer> queue, FakeClock clock, QueueModel model)
      throws InterruptedException {
    Random random = new Random(seed);
    int items = 1 + random.nextInt(12);
    int end = STEPS - random.nextInt(100);
    Map<Integer, WorkItem<Integer>> held = new HashMap<>();
    for (int step = 0; step < STEPS; step++) {
      String at = "seed " + seed + ", step " + step;
      int item = random.nextInt(items);
      switch (step == end ? 9 : random.nextInt(9)) {
        case 0, 1 -> add(queue, model, item, random.nextInt(3), 0);
        case 2, 3 -> add(queue, model, item, random.nextInt(3), random.nextInt(4));
        case 4 -> {
          int time = random.nextInt(3);
          clock.advance(Duration.ofSeconds(time));
          model.advance(time);
        }
        case 5, 6 -> {
          WorkItem<Integer> work = held.remove(item);
          if (work != null) {
            work.done();
            model.done(item);
          }
        }
        case 7, 8 -> {
          Optional<WorkItem<Integer>> taken = poll(queue);
          assertThat(taken.map(work -> new QueueModel.Handed(work.value(), work.priority())))
              .as(at)
              .isEqualTo(model.get());
          taken.ifPresent(work -> assertThat(held.put(work.value(), work)).as(at).isNull());
        }
        default -> {
          queue.shutDown();
          model.shutDown();
        }
      }
      assertThat(queue.size()).as(at).isEqualTo(model.size());
      Consistency.check(queue);
    }
  }

  private static void add(
      WorkQueue<Integer> queue, QueueModel model, int item, int priority, int delay) {
    if (queue instanceof PriorityQueue<Integer> priorities) {
      priorities.add(item, AddOptions.create().priority(priority).after(Duration.ofSeconds(delay)));
      model.add(item, priority, delay);
    } else if (delay > 0 && queue instanceof DelayingQueue<Integer> delaying) {
      delaying.addAfter(item, Duration.ofSeconds(delay));
      model.add(item, 0, delay);
    } else {
      queue.add(item);
      model.add(item, 0, 0);
    }
  }

  private static Optional<WorkItem<Integer>> poll(WorkQueue<Integer> queue)
      throws InterruptedException {
    try {
      return queue.get(Duration.ZERO);
    } catch (TimeoutException e) {
      return Optional.empty();
    }
  }
}
