package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.drain;
import static dev.clientgo.workqueue.Queues.take;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * Items that wait for their time in a priority queue. Upstream names are as in {@link
 * PriorityQueueTest}.
 */
final class PriorityQueueDelayTest extends PriorityQueueFixture {

  /** Upstream: "retains the lowest after duration". */
  @Test
  void addAfter_itemIsReady_staysReady() throws Exception {
    queue.add("foo");
    queue.addAfter("foo", Duration.ofHours(1));

    assertThat(drain(queue)).containsExactly("foo");
    clock.advance(Duration.ofHours(2));
    assertThat(queue.size()).isZero();
    assertMetrics(1, 1);
  }

  @Test
  void addAfter_twoDelays_keepsTheEarlierTime() throws Exception {
    queue.addAfter("foo", ofMillis(50));
    queue.addAfter("foo", ofMillis(30));
    queue.addAfter("foo", ofMillis(70));

    clock.advance(ofMillis(29));
    assertThat(queue.size()).isZero();
    clock.advance(ofMillis(1));
    assertThat(drain(queue)).containsExactly("foo");
    clock.advance(ofSeconds(1));
    assertThat(queue.size()).isZero();
  }

  /** Upstream: "doesn't include non-ready items in Len()". */
  @Test
  void size_itemsThatWait_areNotCounted() {
    queue.addAfter("foo", ofMinutes(1));
    queue.add("baz");
    queue.addAfter("bar", ofMinutes(1));
    queue.add("bal");

    assertThat(queue.size()).isEqualTo(2);
    assertThat(depth(0)).isEqualTo(2);
  }

  /** Upstream: "updates metrics correctly for an item that gets initially added with after …". */
  @Test
  void add_itemThatWaits_isReadyNowAndOnlyOnce() throws Exception {
    queue.addAfter("foo", Duration.ofHours(1));
    assertThat(queue.size()).isZero();
    assertThat(depth(0)).isZero();

    queue.add("foo");
    assertThat(queue.size()).isEqualTo(1);
    assertThat(depth(0)).isEqualTo(1);

    assertThat(drain(queue)).containsExactly("foo");
    assertThat(depth(0)).isZero();
    clock.advance(Duration.ofHours(1));
    assertThat(queue.size()).isZero();
    assertMetrics(1, 1);
  }

  /** Upstream: "… when an item with after is re-added with higher priority and no after". */
  @Test
  void add_itemThatWaitsWithHigherPriority_isCountedThereOnly() throws Exception {
    queue.add("foo", priority(0).after(Duration.ofHours(1)));
    queue.add("foo", priority(1));

    assertThat(depth(0)).isZero();
    assertThat(depth(1)).isEqualTo(1);
    assertThat(take(queue).priority()).isEqualTo(1);
    assertThat(depth(1)).isZero();
  }

  /** Immediate and not raised: it keeps the place that it had when it began to wait. */
  @Test
  void add_itemThatWaits_keepsItsPlaceAmongPeers() throws Exception {
    queue.addAfter("first", ofSeconds(1));
    queue.add("second");
    queue.add("first");

    assertThat(drain(queue)).containsExactly("first", "second");
  }

  /** Upstream: TestItemIsOnlyReturnedAfterAfterHasPassed. */
  @Test
  void get_itemWaits_blocksUntilItsTimeComes() throws Exception {
    queue.addAfter("foo", ofSeconds(1));
    Call<String> call = Call.start(() -> queue.get().orElseThrow().value());
    clock.awaitWaiters(1);
    assertThat(call.isDone()).isFalse();

    clock.advance(ofSeconds(1));

    assertThat(call.result()).isEqualTo("foo");
    assertMetrics(1, 1);
  }

  /** Upstream: TestHighPriorityItemThatBecameReadyIsReturnedBeforeLowPriorityItem. */
  @Test
  void get_itemOfHighPriorityHasBecomeReady_comesFirst() throws Exception {
    queue.add("foo", priority(PriorityQueue.LOW_PRIORITY));
    queue.add("prio", priority(0).after(ofSeconds(1)));
    clock.advance(ofSeconds(1));

    WorkItem<String> first = take(queue);

    assertThat(first.value()).isEqualTo("prio");
    assertThat(first.priority()).isZero();
    assertThat(depth(-100)).isEqualTo(1);
    assertThat(depth(0)).isZero();
    assertMetrics(2, 1);
  }

  /** Upstream: TestWaitingItemIsReturnedRightAfterReadWithoutAfter. */
  @Test
  void add_itemThatWaitsAndWorkerWaits_wakesIt() throws Exception {
    Call<String> call = Call.start(() -> queue.get().orElseThrow().value()).awaitBlocked();
    queue.addAfter("foo", ofMinutes(1));
    clock.awaitWaiters(1);
    assertThat(call.isDone()).isFalse();

    queue.add("foo");

    assertThat(call.result()).isEqualTo("foo");
    assertMetrics(1, 1);
  }

  /** Upstream: TestMultipleItemsWithAfterAreReturnedInCorrectOrder. */
  @Test
  void get_severalDueAtOnce_comeInTheOrderOfTheirTimes() throws Exception {
    queue.addAfter("foo", ofSeconds(1));
    queue.addAfter("bar", ofMillis(200));

    clock.advance(ofSeconds(1));

    assertThat(drain(queue)).containsExactly("bar", "foo");
    assertMetrics(2, 2);
  }

  /** Upstream: TestItemsAreInludedInLenAndMetricsOnceTheyAreReady. */
  @Test
  void size_itemsBecomeReady_countsThemTwiceOver() throws Exception {
    for (int round = 0; round < 2; round++) {
      queue.addAfter("foo", ofMillis(500));
      queue.add("baz");
      queue.addAfter("bar", ofMillis(500));
      queue.add("bal");
      assertThat(queue.size()).isEqualTo(2);
      assertThat(depth(0)).isEqualTo(2);

      clock.advance(ofSeconds(1));
      assertThat(queue.size()).isEqualTo(4);
      assertThat(depth(0)).isEqualTo(4);

      assertThat(drain(queue)).hasSize(4);
      assertThat(queue.size()).isZero();
      assertThat(depth(0)).isZero();
    }
  }

  /**
   * Upstream:
   * TestMetricsAreUpdatedForItemWhoseRequeueAfterExpiredThatGetsAddedAgainWithoutRequeueAfter.
   */
  @Test
  void add_itemWhoseTimeHasCome_isCountedOnce() throws Exception {
    queue.addAfter("foo", ofMillis(50));
    clock.advance(ofMillis(50));
    assertThat(depth(0)).isEqualTo(1);

    queue.add("foo");
    assertThat(queue.size()).isEqualTo(1);
    assertThat(depth(0)).isEqualTo(1);

    assertThat(drain(queue)).containsExactly("foo");
    assertThat(depth(0)).isZero();
  }

  /** Upstream: TestWhenAddingMultipleItemsWithRatelimitTrueTheyDontAffectEachOther. */
  @Test
  void addAll_rateLimited_eachHasADelayOfItsOwn() throws Exception {
    RateLimiter<String> limiter = RateLimiter.itemExponentialFailure(ofMillis(5), ofSeconds(1000));
    PriorityQueue<String> limited =
        PriorityQueue.create(limiter, QueueConfig.builder().clock(clock).build());
    for (int i = 0; i < 7; i++) {
      limiter.delayFor("bar"); // The next delay is 640 ms.
    }

    limited.addAll(List.of("foo", "bar"), AddOptions.create().rateLimited());
    assertThat(limited.size()).isZero();

    clock.advance(ofMillis(5));
    assertThat(drain(limited)).containsExactly("foo");
    clock.advance(ofMillis(634));
    assertThat(limited.size()).isZero();
    clock.advance(ofMillis(1));
    assertThat(drain(limited)).containsExactly("bar");
    assertThat(limited.numRequeues("bar")).isEqualTo(8);
    limited.forget("bar");
    assertThat(limited.numRequeues("bar")).isZero();
  }

  @Test
  void add_rateLimitedAndAfter_takesTheSmallerDelay() throws Exception {
    queue.add("limited", AddOptions.create().rateLimited().after(ofSeconds(1)));
    queue.add("after", AddOptions.create().rateLimited().after(ofMillis(1)));
    queue.add("at once", AddOptions.create().rateLimited().after(ofMillis(-1)));

    assertThat(drain(queue)).containsExactly("at once");
    clock.advance(ofMillis(1));
    assertThat(drain(queue)).containsExactly("after");
    clock.advance(ofMillis(4));
    assertThat(drain(queue)).containsExactly("limited");
  }

  /** The default limiter is per item, from 5 ms to 1000 s, and without a bucket for all. */
  @Test
  void addRateLimited_byDefault_waits5MillisecondsAnd1000SecondsAtMost() {
    for (int i = 0; i < 200; i++) {
      queue.addRateLimited("item-" + i);
    }
    clock.advance(ofMillis(5));
    assertThat(queue.size()).isEqualTo(200);

    for (int i = 0; i < 10_000; i++) {
      queue.addRateLimited("slow");
    }
    assertThat(queue.numRequeues("slow")).isEqualTo(10_000);
  }

  @Test
  void addAfter_itemIsProcessed_isAnEntryOfItsOwn() throws Exception {
    queue.add("a", priority(7));
    WorkItem<String> work = take(queue);
    queue.add("a", priority(-3).after(ofSeconds(1)));

    work.done();
    assertThat(queue.size()).isZero();
    clock.advance(ofSeconds(1));

    assertThat(take(queue).priority()).isEqualTo(-3);
  }

  @Test
  void addAfter_itemIsStillProcessedWhenItsTimeComes_comesWhenItIsDone() throws Exception {
    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.addAfter("a", ofSeconds(1));
    clock.advance(ofSeconds(1));

    assertThat(queue.size()).isEqualTo(1);
    assertThatThrownBy(() -> queue.get(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    work.done();

    assertThat(drain(queue)).containsExactly("a");
  }
}
