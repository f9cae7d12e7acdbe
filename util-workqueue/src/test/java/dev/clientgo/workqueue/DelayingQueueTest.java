package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.drain;
import static dev.clientgo.workqueue.Queues.take;
import static dev.clientgo.workqueue.Queues.takeAndFinish;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DelayingQueueTest {

  private final FakeClock clock = FakeClock.create();
  private final DelayingQueue<String> queue =
      DelayingQueue.create(QueueConfig.builder().clock(clock).build());

  /** Upstream: TestSimpleQueue. */
  @Test
  void addAfter_item_comesOnceWhenTheDelayIsOver() throws Exception {
    queue.addAfter("foo", ofMillis(50));
    assertThat(queue.size()).isZero();

    clock.advance(ofMillis(60));
    assertThat(queue.size()).isEqualTo(1);
    assertThat(takeAndFinish(queue)).isEqualTo("foo");

    clock.advance(ofSeconds(10));
    assertThat(queue.size()).isZero();
  }

  @Test
  void addAfter_item_neverComesEarly() {
    queue.addAfter("a", ofMillis(50));

    clock.advance(Duration.ofNanos(49_999_999));
    assertThat(queue.size()).isZero();
    clock.advance(Duration.ofNanos(1));
    assertThat(queue.size()).isEqualTo(1);
  }

  /** Upstream: TestDeduping, first half. */
  @Test
  void addAfter_againLater_keepsTheEarlierTime() throws Exception {
    queue.addAfter("foo", ofMillis(50));
    queue.addAfter("foo", ofMillis(70));
    assertThat(queue.size()).isZero();

    clock.advance(ofMillis(60));
    assertThat(takeAndFinish(queue)).isEqualTo("foo");

    clock.advance(ofMillis(20));
    assertThat(queue.size()).isZero();
  }

  /** Upstream: TestDeduping, second half. */
  @Test
  void addAfter_againSooner_movesEarlier() throws Exception {
    queue.addAfter("foo", ofMillis(50));
    queue.addAfter("foo", ofMillis(30));
    assertThat(queue.size()).isZero();

    clock.advance(ofMillis(40));
    assertThat(takeAndFinish(queue)).isEqualTo("foo");

    clock.advance(ofMillis(20));
    assertThat(queue.size()).isZero();
  }

  /** Upstream: TestAddTwoFireEarly. */
  @Test
  void addAfter_severalItems_comeIndependently() throws Exception {
    queue.addAfter("foo", ofSeconds(1));
    queue.addAfter("bar", ofMillis(50));
    assertThat(queue.size()).isZero();

    clock.advance(ofMillis(60));
    assertThat(takeAndFinish(queue)).isEqualTo("bar");
    queue.addAfter("baz", ofSeconds(2));

    clock.advance(ofSeconds(1));
    assertThat(takeAndFinish(queue)).isEqualTo("foo");

    clock.advance(ofSeconds(2));
    assertThat(takeAndFinish(queue)).isEqualTo("baz");
  }

  /** Upstream: TestCopyShifting. */
  @Test
  void addAfter_severalDueAtOnce_comeInTheOrderOfTheirTimes() throws Exception {
    queue.addAfter("foo", ofSeconds(1));
    queue.addAfter("bar", ofMillis(500));
    queue.addAfter("baz", ofMillis(250));
    assertThat(queue.size()).isZero();

    clock.advance(ofSeconds(2));

    assertThat(queue.size()).isEqualTo(3);
    assertThat(drain(queue)).containsExactly("baz", "bar", "foo");
  }

  @Test
  void addAfter_sameTime_comeInTheOrderOfTheirAdds() throws Exception {
    List<String> items = IntStream.range(0, 1000).mapToObj(Integer::toString).toList();
    items.forEach(item -> queue.addAfter(item, ofSeconds(1)));

    clock.advance(ofSeconds(1));

    assertThat(drain(queue)).containsExactlyElementsOf(items);
  }

  @Test
  void add_afterAnothersTimeHasCome_queuesBehindIt() throws Exception {
    queue.addAfter("waited", ofSeconds(1));
    clock.advance(ofSeconds(1));
    queue.add("added");

    assertThat(drain(queue)).containsExactly("waited", "added");
  }

  @Test
  void addAfter_zeroOrLess_addsAtOnce() throws Exception {
    queue.addAfter("zero", Duration.ZERO);
    queue.addAfter("less", ofSeconds(-1));

    assertThat(drain(queue)).containsExactly("zero", "less");
  }

  /** As in client-go, kubernetes issue 126027: controllers rely on the reminder. */
  @Test
  void add_itemThatWaits_comesNowAndOnceMoreWhenItsTimeHasCome() throws Exception {
    queue.addAfter("a", ofSeconds(1));
    queue.add("a");

    assertThat(drain(queue)).containsExactly("a");
    clock.advance(ofSeconds(1));
    assertThat(drain(queue)).containsExactly("a");
  }

  @Test
  void addAfter_itemIsProcessedWhenItsTimeComes_comesWhenItIsDone() throws Exception {
    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.addAfter("a", ofSeconds(1));
    clock.advance(ofSeconds(1));

    assertThat(queue.size()).isZero();
    work.done();
    assertThat(drain(queue)).containsExactly("a");
  }

  @Test
  void addAfter_longerThanTheClockGoes_waitsForEver() {
    queue.addAfter("a", Duration.ofSeconds(Long.MAX_VALUE));
    clock.advance(ofSeconds(1));
    queue.addAfter("b", Duration.ofNanos(Long.MAX_VALUE));

    clock.advance(Duration.ofDays(365 * 200));

    assertThat(queue.size()).isZero();
    assertThat(queue.toString()).contains("waiting=2");
  }

  /** A port of client-go that handed over through a queue of 1000 lost 16,066 of these. */
  @Test
  void addAfter_twentyThousandInATightLoop_losesNone() throws Exception {
    Set<String> expected = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      queue.addAfter("item-" + i, ofMillis(1 + i % 7));
      expected.add("item-" + i);
    }

    clock.advance(ofMillis(7));
    List<String> delivered = drain(queue);

    assertThat(delivered).hasSize(20_000);
    assertThat(new HashSet<>(delivered)).isEqualTo(expected);
  }

  @Test
  void addAfter_twentyThousandOnTheRealClockWithWorkers_losesNone() throws Exception {
    DelayingQueue<Integer> real = DelayingQueue.create();
    Set<Integer> delivered = Collections.synchronizedSet(new HashSet<>());
    List<Call<Void>> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      workers.add(
          Call.start(
              () -> {
                while (delivered.size() < 20_000 && real.processNext(delivered::add)) {}
                real.shutDown();
                return null;
              }));
    }

    for (int i = 0; i < 20_000; i++) {
      real.addAfter(i, ofMillis(1 + i % 7));
    }

    for (Call<Void> worker : workers) {
      worker.result();
    }
    assertThat(delivered).hasSize(20_000);
  }

  /** Upstream has BenchmarkDelayingQueue_AddAfter as its only large mixture. */
  @Test
  void addAfter_largeMixture_comesInTheOrderOfTimes() throws Exception {
    Random random = new Random(42);
    record Entry(String item, int millis) {}
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      Entry entry = new Entry("item-" + i, 1 + random.nextInt(600_000));
      entries.add(entry);
      // First later, then sooner, then later again: the soonest counts.
      queue.addAfter(entry.item, ofMillis(entry.millis + random.nextInt(1000)));
      queue.addAfter(entry.item, ofMillis(entry.millis));
      queue.addAfter(entry.item, ofMillis(entry.millis + random.nextInt(1000)));
    }

    clock.advance(ofMinutes(5));
    List<String> delivered = new ArrayList<>(drain(queue));
    assertThat(delivered).hasSize((int) entries.stream().filter(e -> e.millis <= 300_000).count());
    clock.advance(ofMinutes(5));
    delivered.addAll(drain(queue));

    List<Integer> times =
        delivered.stream()
            .map(item -> entries.get(Integer.parseInt(item.substring(5))).millis)
            .toList();
    assertThat(delivered).hasSize(5000).doesNotHaveDuplicates();
    assertThat(times).isSortedAccordingTo(Comparator.naturalOrder());
  }

  /* --------------- Workers that wait --------------- */

  @Test
  void get_itemWaits_blocksUntilItsTimeComes() throws Exception {
    queue.addAfter("a", ofSeconds(30));
    Call<String> call = Call.start(() -> queue.get().orElseThrow().value());
    clock.awaitWaiters(1);

    clock.advance(ofMillis(29_999));
    assertThat(call.isDone()).isFalse();
    clock.advance(ofMillis(1));

    assertThat(call.result()).isEqualTo("a");
  }

  @Test
  void get_aSoonerItemIsAdded_wakesForThat() throws Exception {
    queue.addAfter("late", ofSeconds(30));
    Call<String> call = Call.start(() -> queue.get().orElseThrow().value());
    clock.awaitWaiters(1);

    queue.addAfter("soon", ofSeconds(10));
    clock.advance(ofSeconds(10));

    assertThat(call.result()).isEqualTo("soon");
  }

  @Test
  void get_severalWorkersWait_onlyOneWatchesTheTime() throws Exception {
    queue.addAfter("a", ofSeconds(1));
    queue.addAfter("b", ofSeconds(2));
    Call<String> first = Call.start(() -> queue.get().orElseThrow().value());
    clock.awaitWaiters(1);
    Call<String> second = Call.start(() -> queue.get().orElseThrow().value()).awaitBlocked();
    assertThat(clock.waiters()).isEqualTo(1);

    clock.advance(ofSeconds(1));
    clock.awaitWaiters(1); // The other one has taken over.
    clock.advance(ofSeconds(1));

    assertThat(List.of(first.result(), second.result())).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void get_leaderIsInterrupted_anotherTakesOver() throws Exception {
    queue.addAfter("a", ofSeconds(1));
    Call<String> leader = Call.start(() -> queue.get().orElseThrow().value());
    clock.awaitWaiters(1);
    Call<String> follower = Call.start(() -> queue.get().orElseThrow().value()).awaitBlocked();

    leader.interrupt();
    assertThatThrownBy(leader::result).hasCauseInstanceOf(InterruptedException.class);
    clock.awaitWaiters(1);
    clock.advance(ofSeconds(1));

    assertThat(follower.result()).isEqualTo("a");
  }

  @Test
  void get_leaderRunsOutOfTime_anotherTakesOver() throws Exception {
    queue.addAfter("a", ofSeconds(10));
    Call<String> leader = Call.start(() -> queue.get(ofSeconds(1)).orElseThrow().value());
    clock.awaitWaiters(1);
    Call<String> follower = Call.start(() -> queue.get().orElseThrow().value()).awaitBlocked();

    clock.advance(ofSeconds(1));
    assertThatThrownBy(leader::result).hasCauseInstanceOf(TimeoutException.class);
    clock.awaitWaiters(1);
    clock.advance(ofSeconds(9));

    assertThat(follower.result()).isEqualTo("a");
  }
}
