package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.drain;
import static dev.clientgo.workqueue.Queues.take;
import static dev.clientgo.workqueue.Queues.takeAndFinish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WorkQueueTest {

  private final WorkQueue<String> queue = WorkQueue.create();

  /** The four properties' first: fair. */
  @Test
  void get_severalItems_comeInTheOrderOfTheirFirstAdd() throws Exception {
    queue.add("a");
    queue.add("b");
    queue.add("c");
    queue.add("a");

    assertThat(drain(queue)).containsExactly("a", "b", "c");
  }

  /** Upstream: TestLen. */
  @Test
  void size_itemAddedTwice_countsOnce() {
    queue.add("foo");
    assertThat(queue.size()).isEqualTo(1);

    queue.add("bar");
    assertThat(queue.size()).isEqualTo(2);

    queue.add("foo");
    assertThat(queue.size()).isEqualTo(2);
  }

  /** Upstream: TestReinsert. */
  @Test
  void add_whileProcessing_requeuesOnDone() throws Exception {
    queue.add("foo");
    WorkItem<String> work = take(queue);

    queue.add("foo");
    assertThat(queue.size()).isZero();
    work.done();

    assertThat(queue.size()).isEqualTo(1);
    assertThat(takeAndFinish(queue)).isEqualTo("foo");
    assertThat(queue.size()).isZero();
  }

  /** Upstream: TestCollapse. */
  @Test
  void add_twiceBeforeProcessing_isProcessedOnceAndTouched() throws Exception {
    RecordingOrder order = new RecordingOrder();
    WorkQueue<String> ordered = WorkQueue.create(QueueConfig.defaults(), order);

    ordered.add("bar");
    ordered.add("bar");

    assertThat(takeAndFinish(ordered)).isEqualTo("bar");
    assertThat(ordered.size()).isZero();
    assertThat(order.touched).containsExactly("bar");
  }

  /** Upstream: TestCollapseWhileProcessing. */
  @Test
  void add_twiceWhileProcessing_isProcessedOnceMoreAndNotTouched() throws Exception {
    RecordingOrder order = new RecordingOrder();
    WorkQueue<String> ordered = WorkQueue.create(QueueConfig.defaults(), order);
    ordered.add("foo");
    WorkItem<String> work = take(ordered);

    ordered.add("foo");
    ordered.add("foo");
    Call<String> other = Call.start(() -> takeNext(ordered)).awaitBlocked();
    work.done();

    assertThat(other.result()).isEqualTo("foo");
    assertThat(ordered.size()).isZero();
    assertThat(order.touched).isEmpty();
  }

  /** Upstream: TestGarbageCollection. */
  @Test
  void done_itemOfNobodyElse_canBeCollected() throws Exception {
    WorkQueue<Object> objects = WorkQueue.create();
    objects.add(new Object());
    objects.add("stays");
    WeakReference<Object> reference = new WeakReference<>(takeAndFinish(objects));

    for (int i = 0; i < 1000 && reference.get() != null; i++) {
      System.gc();
      Thread.onSpinWait();
    }

    assertThat(reference.get()).isNull();
    assertThat(objects.size()).isEqualTo(1);
  }

  @Test
  void done_twice_doesNotReleaseTheItemFromTheNextWorker() throws Exception {
    queue.add("a");
    WorkItem<String> first = take(queue);
    queue.add("a");
    first.done();
    WorkItem<String> second = take(queue);
    queue.add("a");

    first.done();
    first.close();

    assertThatThrownBy(() -> queue.get(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    second.done();
    assertThat(takeAndFinish(queue)).isEqualTo("a");
  }

  @Test
  void get_handedOut_tellsValueAndPriority() throws Exception {
    queue.add("a");
    WorkItem<String> work = take(queue);

    assertThat(work.value()).isEqualTo("a");
    assertThat(work.priority()).isZero();
    assertThat(work).hasToString("WorkItem[a]");
  }

  @Test
  void get_empty_blocksUntilAnItemIsAdded() throws Exception {
    Call<String> call = Call.start(() -> takeNext(queue)).awaitBlocked();

    queue.add("a");

    assertThat(call.result()).isEqualTo("a");
  }

  @Test
  void get_interruptedWhileWaiting_throws() {
    Call<String> call = Call.start(() -> takeNext(queue)).awaitBlocked();

    call.interrupt();

    assertThatThrownBy(call::result).hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void get_interruptedWaiter_leavesTheItemToAnother() throws Exception {
    Call<String> first = Call.start(() -> takeNext(queue)).awaitBlocked();
    Call<String> second = Call.start(() -> takeNext(queue)).awaitBlocked();

    first.interrupt();
    queue.add("a");

    // Either of them has it: the interrupt may have come too late.
    List<String> taken = new ArrayList<>();
    try {
      taken.add(first.result());
      queue.shutDown();
      second.result();
    } catch (java.util.concurrent.ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(InterruptedException.class);
      taken.add(second.result());
    }
    assertThat(taken).containsExactly("a");
  }

  @Test
  void getWithTimeout_nothingThere_throwsWhenTheTimeIsUp() throws Exception {
    FakeClock clock = FakeClock.create();
    WorkQueue<String> timed = WorkQueue.create(QueueConfig.builder().clock(clock).build());
    Call<String> call = Call.start(() -> timed.get(Duration.ofSeconds(5)).orElseThrow().value());
    clock.awaitWaiters(1);

    clock.advance(Duration.ofMillis(4999));
    assertThat(call.isDone()).isFalse();
    clock.advance(Duration.ofMillis(1));

    assertThatThrownBy(call::result)
        .hasCauseInstanceOf(TimeoutException.class)
        .hasMessageContaining("no item in time");
  }

  @Test
  void getWithTimeout_itemComesInTime_returnsIt() throws Exception {
    FakeClock clock = FakeClock.create();
    WorkQueue<String> timed = WorkQueue.create(QueueConfig.builder().clock(clock).build());
    Call<String> call = Call.start(() -> timed.get(Duration.ofSeconds(5)).orElseThrow().value());
    clock.awaitWaiters(1);

    timed.add("a");

    assertThat(call.result()).isEqualTo("a");
  }

  @Test
  void getWithTimeout_noTimeAtAll_takesWhatIsThere() throws Exception {
    queue.add("a");

    assertThat(queue.get(Duration.ofSeconds(-1)).map(WorkItem::value)).contains("a");
    assertThatThrownBy(() -> queue.get(Duration.ofSeconds(-1)))
        .isInstanceOf(TimeoutException.class);
    queue.shutDown();
    assertThat(queue.get(Duration.ZERO)).isEmpty();
  }

  @Test
  void processNext_handlerThrows_marksTheItemDoneAndThrows() throws Exception {
    queue.add("a");

    assertThatThrownBy(
            () ->
                queue.processNext(
                    item -> {
                      queue.add(item);
                      throw new java.io.IOException("no route to " + item);
                    }))
        .isInstanceOf(java.io.IOException.class)
        .hasMessage("no route to a");

    assertThat(takeAndFinish(queue)).isEqualTo("a");
  }

  @Test
  void processNext_untilShutDown_isAWholeWorker() throws Exception {
    List<String> processed = new ArrayList<>();
    queue.add("a");
    queue.add("b");
    queue.shutDown();

    while (queue.processNext(processed::add)) {}

    assertThat(processed).containsExactly("a", "b");
  }

  @Test
  void add_null_isRefused() {
    assertThatNullPointerException().isThrownBy(() -> queue.add(null)).withMessage("item");
    assertThat(queue.size()).isZero();
  }

  @Test
  void toString_always_tellsWhatIsInThere() throws Exception {
    WorkQueue<String> named = WorkQueue.create(QueueConfig.builder().name("pods").build());
    named.add("a");
    named.add("b");
    take(named);

    assertThat(named).hasToString("pods[size=1, processing=1, waiting=0, shuttingDown=false]");
  }

  /* --------------- Orders of a caller's own --------------- */

  @Test
  void create_withAnOrder_handsOutInThatOrder() throws Exception {
    WorkQueue<String> smallestFirst =
        WorkQueue.create(
            QueueConfig.defaults(),
            new QueueOrder<>() {
              private final java.util.PriorityQueue<String> items = new java.util.PriorityQueue<>();

              @Override
              public void push(String item) {
                items.add(item);
              }

              @Override
              public String pop() {
                return items.remove();
              }
            });
    List.of("c", "a", "b").forEach(smallestFirst::add);

    assertThat(drain(smallestFirst)).containsExactly("a", "b", "c");
  }

  @Test
  void add_orderRefusesTheItem_throwsAndCanBeTriedAgain() throws Exception {
    RecordingOrder order = new RecordingOrder();
    WorkQueue<String> ordered = WorkQueue.create(QueueConfig.defaults(), order);
    order.broken = true;

    assertThatIllegalStateException().isThrownBy(() -> ordered.add("a")).withMessage("broken");
    order.broken = false;
    ordered.add("a");

    assertThat(drain(ordered)).containsExactly("a");
  }

  @Test
  void done_orderRefusesTheItem_throwsFreesItAndTriesAgainLater() throws Exception {
    FakeClock clock = FakeClock.create();
    RecordingOrder order = new RecordingOrder();
    WorkQueue<String> ordered = WorkQueue.create(QueueConfig.builder().clock(clock).build(), order);
    ordered.add("a");
    WorkItem<String> work = take(ordered);
    ordered.add("a");
    order.broken = true;

    assertThatIllegalStateException().isThrownBy(work::done).withMessage("broken");
    assertThat(ordered.toString()).contains("processing=0", "waiting=1");
    order.broken = false;
    work.done();
    assertThat(ordered.size()).isZero();
    clock.advance(PlainWorkQueue.RETRY);

    assertThat(drain(ordered)).containsExactly("a");
  }

  /** Neither the item that a worker finishes nor the others wait for the one that is refused. */
  @Test
  void orderRefusesAnItemThatIsDue_othersGoOn() throws Exception {
    FakeClock clock = FakeClock.create();
    RecordingOrder order = new RecordingOrder();
    DelayingQueue<String> ordered =
        DelayingQueue.create(QueueConfig.builder().clock(clock).build(), order);
    ordered.add("a");
    WorkItem<String> work = take(ordered);
    ordered.addAfter("bad", PlainWorkQueue.RETRY);
    clock.advance(PlainWorkQueue.RETRY);
    order.broken = true;

    assertThatIllegalStateException().isThrownBy(work::done).withMessage("broken");
    assertThat(ordered.toString()).contains("processing=0", "waiting=1");
    order.broken = false;
    ordered.add("b");

    assertThat(take(ordered).value()).isEqualTo("b");
    clock.advance(PlainWorkQueue.RETRY);
    assertThat(drain(ordered)).containsExactly("bad");
  }

  @Test
  void get_orderMakesUpAnItem_saysSo() {
    WorkQueue<String> ordered =
        WorkQueue.create(
            QueueConfig.defaults(),
            new QueueOrder<>() {
              @Override
              public void push(String item) {}

              @Override
              public String pop() {
                return "made up";
              }
            });
    ordered.add("a");

    assertThatIllegalStateException()
        .isThrownBy(() -> ordered.get(Duration.ZERO))
        .withMessageContaining("pop() returned an item that is not queued: made up");
  }

  @Test
  void done_itemHasChangedItsHashCode_saysSoAndReleasesTheWorker() throws Exception {
    WorkQueue<List<String>> lists = WorkQueue.create();
    List<String> item = new ArrayList<>();
    lists.add(item);
    WorkItem<List<String>> work = take(lists);
    item.add("changed");

    assertThatIllegalStateException()
        .isThrownBy(work::done)
        .withMessageContaining("equals and hashCode must not change");
    assertThat(lists.toString()).contains("processing=0");
  }

  /* --------------- Many threads --------------- */

  static List<Consumer<WorkQueue<?>>> endings() {
    return List.of(WorkQueue::shutDown, WorkQueueTest::drainUninterrupted);
  }

  /** Upstream: TestBasic. */
  @ParameterizedTest
  @MethodSource("endings")
  void add_fiftyProducersAndTenWorkers_everyItemIsProcessedByOneAtATime(
      Consumer<WorkQueue<?>> ending) throws Exception {
    WorkQueue<Integer> shared = WorkQueue.create();
    Map<Integer, Boolean> processing = new ConcurrentHashMap<>();
    Map<Integer, AtomicInteger> deliveries = new ConcurrentHashMap<>();
    List<Call<Void>> producers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int item = i;
      producers.add(
          Call.start(
              () -> {
                for (int j = 0; j < 50; j++) {
                  shared.add(item);
                }
                return null;
              }));
    }
    List<Call<Void>> workers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      workers.add(
          Call.start(
              () -> {
                while (shared.processNext(
                    item -> {
                      assertThat(processing.put(item, true)).isNull();
                      deliveries
                          .computeIfAbsent(item, any -> new AtomicInteger())
                          .incrementAndGet();
                      processing.remove(item);
                    })) {}
                return null;
              }));
    }

    for (Call<Void> producer : producers) {
      producer.result();
    }
    ending.accept(shared);
    shared.add(-1); // Upstream: "added after shutdown!"
    for (Call<Void> worker : workers) {
      worker.result();
    }

    assertThat(shared.size()).isZero();
    assertThat(deliveries.keySet()).hasSize(50).doesNotContain(-1);
    assertThat(deliveries.values()).allSatisfy(count -> assertThat(count.get()).isBetween(1, 50));
  }

  /** Upstream: TestAddWhileProcessing. */
  @ParameterizedTest
  @MethodSource("endings")
  void add_byTheWorkersThemselves_nothingIsLeft(Consumer<WorkQueue<?>> ending) throws Exception {
    WorkQueue<Integer> shared = WorkQueue.create();
    for (int i = 0; i < 50; i++) {
      shared.add(i);
    }
    List<Call<Void>> workers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      workers.add(
          Call.start(
              () -> {
                Map<Integer, Integer> seen = new ConcurrentHashMap<>();
                while (shared.processNext(
                    item -> {
                      if (seen.merge(item, 1, Integer::sum) < 2) {
                        shared.add(item);
                      }
                    })) {}
                return null;
              }));
    }

    ending.accept(shared);
    for (Call<Void> worker : workers) {
      worker.result();
    }

    assertThat(shared.size()).isZero();
  }

  private static void drainUninterrupted(WorkQueue<?> queue) {
    try {
      queue.shutDownWithDrain();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String takeNext(WorkQueue<String> queue) throws InterruptedException {
    Optional<WorkItem<String>> next = queue.get();
    if (next.isEmpty()) {
      return "shut down";
    }
    try (WorkItem<String> work = next.get()) {
      return work.value();
    }
  }

  /** First in, first out. Upstream: traceQueue. */
  private static final class RecordingOrder implements QueueOrder<String> {
    final List<String> items = new ArrayList<>();
    final List<String> touched = new ArrayList<>();
    boolean broken;

    @Override
    public void push(String item) {
      if (broken) {
        throw new IllegalStateException("broken");
      }
      items.add(item);
    }

    @Override
    public String pop() {
      return items.remove(0);
    }

    @Override
    public void touch(String item) {
      touched.add(item);
    }
  }
}
