package dev.clientgo.workqueue;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Model checks: whatever way the threads interleave, the queues give what their models give in some
 * order of the same calls. So no item is with two workers at once, none is lost, and none is
 * delivered more often than it was added. {@code -Dclientgo.lincheck=20} looks at twenty times as
 * many interleavings.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // It takes half a minute on an idle machine.
final class QueueLincheckTest {

  private static final int THOROUGHNESS = Integer.getInteger("clientgo.lincheck", 1);

  /** The operations, on whatever there is to be checked. Each thread is one worker. */
  public abstract static class Operations {
    private static final int THREADS = 8;
    private static final int NOTHING = -1;
    private static final int BUSY = -2;

    private final int[] held = new int[THREADS];

    @Operation
    public final void add(@Param(gen = IntGen.class, conf = "1:2") int item) {
      apply(item, 0, 0);
    }

    @Operation
    public final int get(@Param(gen = ThreadIdGen.class) int thread) {
      if (held[thread] != 0) {
        return BUSY;
      }
      QueueModel.Handed handed = take(thread).orElse(null);
      if (handed == null) {
        return NOTHING;
      }
      held[thread] = handed.item();
      return handed.item() * 10 + handed.priority();
    }

    @Operation
    public final void done(@Param(gen = ThreadIdGen.class) int thread) {
      if (held[thread] != 0) {
        finish(thread, held[thread]);
        held[thread] = 0;
      }
    }

    @Operation
    public final int size() {
      return count();
    }

    abstract void apply(int item, int priority, int delay);

    abstract Optional<QueueModel.Handed> take(int thread);

    abstract void finish(int thread, int item);

    abstract int count();
  }

  /** The operations on a real queue. */
  public abstract static class OnQueue extends Operations {
    @SuppressWarnings({"unchecked", "rawtypes"})
    private final WorkItem<Integer>[] held = new WorkItem[Operations.THREADS];

    abstract WorkQueue<Integer> queue();

    @Override
    final Optional<QueueModel.Handed> take(int thread) {
      try {
        Optional<WorkItem<Integer>> taken = queue().get(Duration.ZERO);
        taken.ifPresent(work -> held[thread] = work);
        return taken.map(work -> new QueueModel.Handed(work.value(), work.priority()));
      } catch (TimeoutException e) {
        return Optional.empty();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    final void finish(int thread, int item) {
      held[thread].done();
    }

    @Override
    final int count() {
      return queue().size();
    }
  }

  /** The operations on a model. */
  public abstract static class OnModel extends Operations {
    abstract QueueModel model();

    @Override
    final void apply(int item, int priority, int delay) {
      model().add(item, priority, delay);
    }

    @Override
    final Optional<QueueModel.Handed> take(int thread) {
      return model().get();
    }

    @Override
    final void finish(int thread, int item) {
      model().done(item);
    }

    @Override
    final int count() {
      return model().size();
    }
  }

  /* --------------- WorkQueue --------------- */

  /** The subject. */
  public static final class PlainQueue extends OnQueue {
    private final WorkQueue<Integer> queue =
        WorkQueue.create(QueueConfig.builder().clock(new ManualClock()).build());

    @Override
    WorkQueue<Integer> queue() {
      return queue;
    }

    @Override
    void apply(int item, int priority, int delay) {
      queue.add(item);
    }

    @Operation
    public void shutDown() {
      queue.shutDown();
    }
  }

  /** The specification. */
  public static final class PlainModel extends OnModel {
    private final QueueModel model = new QueueModel.Dirty();

    @Override
    QueueModel model() {
      return model;
    }

    @Operation
    public void shutDown() {
      model.shutDown();
    }
  }

  @Test
  void workQueue_anyInterleaving_isLinearizable() {
    check(PlainQueue.class, PlainModel.class);
  }

  /* --------------- DelayingQueue --------------- */

  /** The subject. */
  public static final class DelayedQueue extends OnQueue {
    private final ManualClock clock = new ManualClock();
    private final DelayingQueue<Integer> queue =
        DelayingQueue.create(QueueConfig.builder().clock(clock).build());

    @Override
    WorkQueue<Integer> queue() {
      return queue;
    }

    @Override
    void apply(int item, int priority, int delay) {
      queue.addAfter(item, Duration.ofNanos(delay));
    }

    @Operation
    public void addAfter(
        @Param(gen = IntGen.class, conf = "1:2") int item,
        @Param(gen = IntGen.class, conf = "1:2") int delay) {
      apply(item, 0, delay);
    }

    @Operation
    public void advance() {
      clock.nanos.incrementAndGet();
    }
  }

  /** The specification. */
  public static final class DelayedModel extends OnModel {
    private final QueueModel model = new QueueModel.Dirty();

    @Override
    QueueModel model() {
      return model;
    }

    @Operation
    public void addAfter(int item, int delay) {
      apply(item, 0, delay);
    }

    @Operation
    public void advance() {
      model.advance(1);
    }
  }

  @Test
  void delayingQueue_anyInterleaving_isLinearizable() {
    check(DelayedQueue.class, DelayedModel.class);
  }

  /* --------------- PriorityQueue --------------- */

  /** The subject. */
  public static final class PrioritizedQueue extends OnQueue {
    private final ManualClock clock = new ManualClock();
    private final PriorityQueue<Integer> queue =
        PriorityQueue.create(QueueConfig.builder().clock(clock).build());

    @Override
    WorkQueue<Integer> queue() {
      return queue;
    }

    @Override
    void apply(int item, int priority, int delay) {
      queue.add(item, AddOptions.create().priority(priority).after(Duration.ofNanos(delay)));
    }

    @Operation
    public void addWithOptions(
        @Param(gen = IntGen.class, conf = "1:2") int item,
        @Param(gen = IntGen.class, conf = "0:2") int priority,
        @Param(gen = IntGen.class, conf = "0:1") int delay) {
      apply(item, priority, delay);
    }

    @Operation
    public void advance() {
      clock.nanos.incrementAndGet();
    }
  }

  /** The specification. */
  public static final class PrioritizedModel extends OnModel {
    private final QueueModel model = new QueueModel.Priority();

    @Override
    QueueModel model() {
      return model;
    }

    @Operation
    public void addWithOptions(int item, int priority, int delay) {
      apply(item, priority, delay);
    }

    @Operation
    public void advance() {
      model.advance(1);
    }
  }

  @Test
  void priorityQueue_anyInterleaving_isLinearizable() {
    check(PrioritizedQueue.class, PrioritizedModel.class);
  }

  private static void check(Class<?> subject, Class<?> specification) {
    options()
        .iterations(2 * THOROUGHNESS)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .sequentialSpecification(specification)
        .check(subject);
  }

  private static ModelCheckingOptions options() {
    // The time-out is Lincheck's for one interleaving. It instruments classes within it, which
    // takes long on a busy machine; a deadlock it finds without waiting.
    return new ModelCheckingOptions()
        .invocationTimeout$lincheck(Duration.ofMinutes(5).toMillis())
        // The critical sections are interleaved, not the steps within a map.
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(QueueLincheckTest::isSequential)
                .allMethods()
                .treatAsAtomic());
  }

  private static boolean isSequential(String className) {
    return className.startsWith("java.time.")
        || (className.startsWith("java.util.") && !className.startsWith("java.util.concurrent."));
  }

  /* --------------- Waiting --------------- */

  /** Operations that wait. If a wake-up were lost, the threads would be found in a deadlock. */
  public static final class WaitingQueue {
    private final WorkQueue<Integer> queue =
        WorkQueue.create(QueueConfig.builder().clock(new ManualClock()).build());

    public void add(int item) {
      queue.add(item);
    }

    /** Takes an item and finishes it. */
    public int takeOne() throws InterruptedException {
      int[] taken = new int[1];
      queue.processNext(item -> taken[0] = item);
      return taken[0];
    }

    /** Takes an item, adds it again while it is processed, and finishes it. */
    public int takeAndAddAgain() throws InterruptedException {
      int[] taken = new int[1];
      queue.processNext(
          item -> {
            taken[0] = item;
            queue.add(item);
          });
      return taken[0];
    }

    /** Works until the queue is shut down. */
    public void work() throws InterruptedException {
      while (queue.processNext(item -> {})) {}
    }

    /** Returns what is left: nothing. */
    public int drain() throws InterruptedException {
      queue.shutDownWithDrain();
      return queue.size();
    }
  }

  /** The results of the waiting operations if they need not wait. */
  public static final class WaitingModel {
    private final QueueModel model = new QueueModel.Dirty();

    public void add(int item) {
      model.add(item, 0, 0);
    }

    public int takeOne() {
      Optional<QueueModel.Handed> handed = model.get();
      handed.ifPresent(taken -> model.done(taken.item()));
      return handed.map(QueueModel.Handed::item).orElse(0);
    }

    public int takeAndAddAgain() {
      int item = takeOne();
      add(item);
      return item;
    }

    public void work() {
      while (takeOne() != 0) {}
    }

    public int drain() {
      model.shutDown();
      work();
      return 0;
    }
  }

  @Test
  void get_twoWorkersWaitForTwoItems_bothAreServed() throws Exception {
    checkWaiting(
        List.of(
            List.of(call("takeOne")),
            List.of(call("takeOne")),
            List.of(call("add", 1), call("add", 2))));
  }

  @Test
  void get_anItemIsAddedAgain_reachesAWorkerThatWaits() throws Exception {
    checkWaiting(
        List.of(
            List.of(call("add", 1), call("takeAndAddAgain"), call("takeAndAddAgain")),
            List.of(call("takeAndAddAgain"), call("takeAndAddAgain"))));
  }

  @Test
  void shutDownWithDrain_aWorkerAndAProducer_ends() throws Exception {
    checkWaiting(
        List.of(
            List.of(call("work")),
            List.of(call("add", 1), call("drain")),
            List.of(call("add", 1))));
  }

  private static void checkWaiting(List<List<Actor>> threads) {
    options()
        .iterations(0)
        .invocationsPerIteration(100 * THOROUGHNESS)
        .sequentialSpecification(WaitingModel.class)
        .addCustomScenario(new ExecutionScenario(List.of(), threads, List.of(), null))
        .check(WaitingQueue.class);
  }

  private static Actor call(String name, Object... arguments) throws NoSuchMethodException {
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, int.class);
    return new Actor(WaitingQueue.class.getMethod(name, types), List.of(arguments));
  }

  /** A clock without locks, for operations that do not wait. */
  private static final class ManualClock implements Clock {
    final AtomicLong nanos = new AtomicLong();

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public void sleep(Duration duration) {
      throw new AssertionError("these tests do not sleep");
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout) {
      throw new AssertionError("these tests do not wait");
    }
  }
}
