package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.drain;
import static dev.clientgo.workqueue.Queues.take;
import static dev.clientgo.workqueue.Queues.takeAndFinish;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.workqueue.metrics.MetricId;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Upstream names are those of controller-runtime's priorityqueue_test.go. */
final class PriorityQueueTest extends PriorityQueueFixture {

  /** Upstream: "returns an item". */
  @Test
  void get_item_returnsIt() throws Exception {
    queue.add("foo");

    assertThat(take(queue).value()).isEqualTo("foo");
    assertMetrics(1, 0);
    assertThat(depth(0)).isZero();
  }

  /** Upstream: "returns items in order". */
  @Test
  void get_equalPriorities_comeInOrder() throws Exception {
    queue.add("foo");
    queue.add("bar");

    assertThat(drain(queue)).containsExactly("foo", "bar");
    assertMetrics(2, 0);
  }

  /** Upstream: "doesn't return an item that is currently locked", "enqueues a locked item". */
  @Test
  void add_whileProcessing_isCountedButNotHandedOutBeforeDone() throws Exception {
    queue.add("foo");
    WorkItem<String> foo = take(queue);

    queue.add("foo");
    assertThat(queue.size()).isEqualTo(1);
    assertThatThrownBy(() -> queue.get(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    queue.add("bar");
    assertThat(takeAndFinish(queue)).isEqualTo("bar");
    assertMetrics(3, 0);
    assertThat(depth(0)).isEqualTo(1);

    foo.done();
    assertThat(takeAndFinish(queue)).isEqualTo("foo");
    assertThat(depth(0)).isZero();
  }

  /** Upstream: "returns an item as soon as its unlocked". */
  @Test
  void done_itemWasAddedAgain_keepsThePlaceOfThatAdd() throws Exception {
    queue.add("foo");
    WorkItem<String> foo = take(queue);
    queue.add("foo");
    queue.add("bar");
    assertThat(takeAndFinish(queue)).isEqualTo("bar");
    queue.add("baz");

    foo.done();

    assertThat(drain(queue)).containsExactly("foo", "baz");
    assertMetrics(4, 0);
  }

  /** Upstream: "de-duplicates items". */
  @Test
  void add_twice_isOneItem() {
    queue.add("foo");
    queue.add("foo");

    assertThat(queue.size()).isEqualTo(1);
    assertMetrics(1, 0);
    assertThat(depth(0)).isEqualTo(1);
  }

  /** Upstream: "retains the highest priority", "will not decrease the priority". */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void add_withTwoPriorities_keepsTheHigher(boolean risingOrder) throws Exception {
    queue.add("foo", priority(risingOrder ? 1 : 2));
    queue.add("foo", priority(risingOrder ? 2 : 1));

    WorkItem<String> work = take(queue);

    assertThat(work.priority()).isEqualTo(2);
    assertThat(queue.size()).isZero();
    assertMetrics(1, 0);
    assertThat(depth(1)).isZero();
    assertThat(depth(2)).isZero();
  }

  /** Upstream: "gets pushed to the front if the priority increases". */
  @Test
  void add_withHigherPriority_overtakes() throws Exception {
    queue.add("foo");
    queue.add("bar");
    queue.add("baz");
    queue.add("baz", priority(1));

    WorkItem<String> first = take(queue);

    assertThat(first.value()).isEqualTo("baz");
    assertThat(first.priority()).isEqualTo(1);
    assertThat(depth(0)).isEqualTo(2);
    assertThat(depth(1)).isZero();
    assertMetrics(3, 0);
  }

  /** Upstream: "follows FIFO order in the new priority queue when item priority changes". */
  @Test
  void add_withHigherPriority_goesBehindItsNewPeers() throws Exception {
    queue.add("foo", priority(0));
    queue.add("bar", priority(1));
    queue.add("foo", priority(1));

    assertThat(drain(queue)).containsExactly("bar", "foo");
  }

  @Test
  void add_withEqualPriority_keepsItsPlace() throws Exception {
    queue.add("foo", priority(1));
    queue.add("bar", priority(1));
    queue.add("foo", priority(1));

    assertThat(drain(queue)).containsExactly("foo", "bar");
  }

  /** Upstream: "Get from priority queue might get stuck when the priority queue is shut down". */
  @Test
  void get_afterShutDown_returnsNothingThoughItemsWereLeft() throws Exception {
    queue.add("baz");
    queue.addAfter("bar", ofSeconds(1));
    queue.shutDown();
    queue.addAfter("foo", ofSeconds(1));

    assertThat(queue.get()).isEmpty();
    assertThat(queue.get()).isEmpty();
    assertThat(queue.size()).isZero();
    assertThat(depth(0)).isZero();
  }

  @Test
  void shutDown_itemIsProcessedAndWasAddedAgain_dropsOnlyTheSecond() throws Exception {
    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.add("a");

    queue.shutDown();
    work.done();

    assertThat(queue.get()).isEmpty();
    assertThat(queue.toString()).contains("size=0, processing=0, waiting=0");
  }

  /** Unlike upstream, where this is the same as shutDown. */
  @Test
  void shutDownWithDrain_someAreReadyAndSomeWait_handsOutTheReady() throws Exception {
    queue.add("processed");
    WorkItem<String> processed = take(queue);
    queue.add("held");
    queue.add("processed");
    queue.addAfter("waits", ofSeconds(1));
    Call<Void> drain =
        Call.start(
            () -> {
              queue.shutDownWithDrain();
              return null;
            });
    drain.awaitBlocked();

    assertThat(takeAndFinish(queue)).isEqualTo("held");
    processed.done();
    assertThat(takeAndFinish(queue)).isEqualTo("processed");

    drain.result();
    clock.advance(ofSeconds(1));
    assertThat(queue.get()).isEmpty();
  }

  /** If an item is processed and also waits, the end drops only the waiting one. */
  @Test
  void shutDownWithDrain_processedItemWaitsAsWell_isDoneAfterOne() throws Exception {
    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.addAfter("a", ofSeconds(1));
    Call<Void> drain =
        Call.start(
            () -> {
              queue.shutDownWithDrain();
              return null;
            });
    drain.awaitBlocked();

    work.done();

    drain.result();
    assertThat(queue.get()).isEmpty();
  }

  /** Upstream: TestHighPriorityItemsAreReturnedBeforeLowPriorityItemMultipleTimes. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void get_fiveThousandItems_comeByPriorityAndThenInOrder(int afterSeconds) throws Exception {
    int[] priorities = {10, 5, 0, -5, -10};
    for (int i = 0; i < 1000; i++) {
      for (int priority : priorities) {
        queue.add(priority + "/" + i, priority(priority).after(ofSeconds(afterSeconds)));
      }
    }
    clock.advance(ofSeconds(Math.max(0, afterSeconds)));

    List<String> expected = new ArrayList<>();
    for (int priority : priorities) {
      for (int i = 0; i < 1000; i++) {
        expected.add(priority + "/" + i);
      }
    }
    assertThat(drain(queue)).isEqualTo(expected);
    assertMetrics(5000, afterSeconds > 0 ? 5000 : 0);
    for (int priority : priorities) {
      assertThat(depth(priority)).isZero();
    }
  }

  /** Upstream: TestItemIsReturnedAsSoonAsPossible. */
  @Test
  void add_workerWaits_wakesIt() throws Exception {
    Call<String> call = Call.start(() -> queue.get().orElseThrow().value()).awaitBlocked();

    queue.add("foo");

    assertThat(call.result()).isEqualTo("foo");
  }

  /** Upstream: "returns many items". */
  @Test
  void get_manyWorkersAndAMixture_deliversAll() throws Exception {
    PriorityQueue<String> real = PriorityQueue.create();
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 1000; i++) {
        int choice = random.nextInt(100);
        AddOptions options =
            choice < 10 ? AddOptions.create().after(ofMillis(choice)) : priority(choice);
        real.add("foo" + i, options);
      }
      List<Call<Void>> workers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        workers.add(
            Call.start(
                () -> {
                  for (int j = 0; j < 100; j++) {
                    real.processNext(item -> {});
                  }
                  return null;
                }));
      }
      for (Call<Void> worker : workers) {
        worker.result();
      }
      assertThat(real.size()).isZero();
    }
  }

  /** Upstream: TestPriorityQueueDoesNotDeadlockOnShutdownWhileHandingOutItems. */
  @Test
  void shutDown_whileItemsAreHandedOut_endsAllWorkers() throws Exception {
    for (int round = 0; round < 50; round++) {
      PriorityQueue<String> real = PriorityQueue.create();
      List<Call<Void>> workers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Random random = new Random(31L * round + i);
        workers.add(
            Call.start(
                () -> {
                  do {
                    real.add(Integer.toString(random.nextInt(1000)), priority(random.nextInt(100)));
                  } while (real.get().isPresent());
                  return null;
                }));
      }
      real.shutDown();
      for (Call<Void> worker : workers) {
        worker.result();
      }
    }
  }

  @Test
  void add_moreThanTwentyFivePriorities_sharesALabelAmongTheOthers() {
    for (int i = 0; i < 30; i++) {
      queue.add("item-" + i, priority(i));
    }

    assertThat(depth(24)).isEqualTo(1);
    assertThat(depth("exceeded_cardinality_limit")).isEqualTo(5);
    assertThat(metrics.snapshot().value(NAME, QueueMetric.DEPTH)).isEqualTo(30);
  }

  @Test
  void close_gaugesWereShown_takesThemBack() {
    queue.add("a");
    queue.close();

    assertThat(metrics.snapshot().values().keySet())
        .extracting(MetricId::metric)
        .containsExactlyInAnyOrder(QueueMetric.ADDS_TOTAL, QueueMetric.RETRIES_TOTAL);
  }

  @Test
  void null_isRefused() {
    assertThatNullPointerException().isThrownBy(() -> queue.add(null));
    assertThatNullPointerException().isThrownBy(() -> queue.add("a", null));
    assertThatNullPointerException().isThrownBy(() -> AddOptions.create().after(null));
  }

  @Test
  void addOptions_always_canBePrinted() {
    assertThat(priority(3).after(ofSeconds(1)).rateLimited())
        .hasToString("AddOptions[priority=3, after=PT1S, rateLimited=true]");
  }
}
