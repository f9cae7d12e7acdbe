package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.take;
import static dev.clientgo.workqueue.Queues.takeAndFinish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways in which queues end. Each test runs on each of them. */
final class ShutDownTest {

  private final WorkQueue<String> queue = WorkQueue.create();

  static List<WorkQueue<String>> all() {
    return List.of(
        WorkQueue.create(),
        DelayingQueue.create(),
        RateLimitingQueue.create(RateLimiter.defaultController()),
        PriorityQueue.create());
  }

  @Test
  void get_afterShutDown_handsOutWhatIsLeftThenNothing() throws Exception {
    queue.add("a");
    queue.add("b");
    queue.shutDown();
    queue.add("c");

    assertThat(takeAndFinish(queue)).isEqualTo("a");
    assertThat(takeAndFinish(queue)).isEqualTo("b");
    assertThat(queue.get()).isEmpty();
    assertThat(queue.get()).isEmpty();
  }

  @Test
  void done_afterShutDown_requeuesWhatWasAddedBefore() throws Exception {
    queue.add("a");
    WorkItem<String> work = take(queue);
    queue.add("a");
    queue.shutDown();

    work.done();

    assertThat(takeAndFinish(queue)).isEqualTo("a");
    assertThat(queue.get()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDown_workersWait_wakesThemAll(WorkQueue<String> any) throws Exception {
    Call<Boolean> first = Call.start(() -> any.get().isEmpty()).awaitBlocked();
    Call<Boolean> second = Call.start(() -> any.get().isEmpty()).awaitBlocked();

    any.shutDown();

    assertThat(first.result()).isTrue();
    assertThat(second.result()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDown_again_isHarmless(WorkQueue<String> any) throws Exception {
    assertThat(any.shuttingDown()).isFalse();
    any.shutDown();
    any.shutDown();
    any.shutDownWithDrain();
    any.close();
    any.close();

    assertThat(any.shuttingDown()).isTrue();
    assertThat(any.get()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void add_afterShutDown_isIgnored(WorkQueue<String> any) throws Exception {
    any.shutDown();

    any.add("a");
    if (any instanceof DelayingQueue<String> delaying) {
      delaying.addAfter("b", Duration.ZERO);
      delaying.addAfter("c", Duration.ofSeconds(1));
    }
    if (any instanceof RateLimitingQueue<String> limiting) {
      limiting.addRateLimited("d");
    }
    if (any instanceof PriorityQueue<String> priorities) {
      priorities.addAll(List.of("e"), AddOptions.create().priority(1));
    }

    assertThat(any.size()).isZero();
    assertThat(any.get()).isEmpty();
    assertThat(any.toString()).contains("size=0, processing=0, waiting=0");
  }

  @ParameterizedTest
  @MethodSource("all")
  void close_always_shutsDown(WorkQueue<String> any) throws Exception {
    any.close();

    assertThat(any.shuttingDown()).isTrue();
    assertThat(any.get()).isEmpty();
  }

  /** Upstream: TestNoQueueDrainageUsingShutDown. */
  @ParameterizedTest
  @MethodSource("all")
  void shutDown_itemsAreProcessed_doesNotWait(WorkQueue<String> any) throws Exception {
    any.add("foo");
    any.add("bar");
    take(any);
    take(any);

    any.shutDown();

    assertThat(any.get()).isEmpty();
  }

  /** Upstream: TestQueueDrainageUsingShutDownWithDrain. */
  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_itemsAreProcessed_waitsForThem(WorkQueue<String> any) throws Exception {
    any.add("foo");
    any.add("bar");
    WorkItem<String> first = take(any);
    WorkItem<String> second = take(any);
    Call<Boolean> drain = startDrain(any);

    assertThat(any.get()).isEmpty();
    first.done();
    assertThat(drain.isDone()).isFalse();
    second.done();

    assertThat(drain.result()).isTrue();
  }

  /** Upstream: TestQueueDrainageUsingShutDownWithDrainWithDirtyItem. */
  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_itemWasAddedAgain_waitsForThatToo(WorkQueue<String> any) throws Exception {
    any.add("foo");
    WorkItem<String> work = take(any);
    any.add("foo");
    Call<Boolean> drain = startDrain(any);

    work.done();
    assertThat(drain.isDone()).isFalse();
    WorkItem<String> again = take(any);
    assertThat(drain.isDone()).isFalse();
    again.done();

    assertThat(drain.result()).isTrue();
    assertThat(any.get()).isEmpty();
  }

  /** Unlike upstream, which returns as soon as no item happens to be in a worker's hands. */
  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_itemsAreQueued_waitsForThemToo(WorkQueue<String> any) throws Exception {
    any.add("a");
    any.add("b");
    Call<Boolean> drain = startDrain(any);

    takeAndFinish(any);
    assertThat(drain.isDone()).isFalse();
    takeAndFinish(any);

    assertThat(drain.result()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_nothingToDo_returnsAtOnce(WorkQueue<String> any) throws Exception {
    any.shutDownWithDrain();

    assertThat(any.shuttingDown()).isTrue();
  }

  /** Upstream: TestForceQueueShutdownUsingShutDown. */
  @ParameterizedTest
  @MethodSource("all")
  void shutDown_duringDrain_endsTheWait(WorkQueue<String> any) throws Exception {
    any.add("foo");
    any.add("bar");
    take(any);
    take(any);
    Call<Boolean> drain = startDrain(any);

    any.shutDown();

    assertThat(drain.result()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_byTwo_bothWait(WorkQueue<String> any) throws Exception {
    any.add("a");
    WorkItem<String> work = take(any);
    Call<Boolean> first = startDrain(any);
    Call<Boolean> second = startDrain(any);

    work.done();

    assertThat(first.result()).isTrue();
    assertThat(second.result()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_afterShutDown_waits(WorkQueue<String> any) throws Exception {
    any.add("a");
    WorkItem<String> work = take(any);
    any.shutDown();
    Call<Boolean> drain = startDrain(any);

    work.done();

    assertThat(drain.result()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_interrupted_throwsAndIsShutDown(WorkQueue<String> any) throws Exception {
    any.add("a");
    WorkItem<String> work = take(any);
    Call<Boolean> drain = startDrain(any);

    drain.interrupt();

    assertThatThrownBy(drain::result).hasCauseInstanceOf(InterruptedException.class);
    assertThat(any.shuttingDown()).isTrue();
    work.done();
  }

  /* --------------- With a deadline --------------- */

  static List<Function<QueueConfig, WorkQueue<String>>> kinds() {
    return List.of(
        WorkQueue::create,
        DelayingQueue::create,
        config -> RateLimitingQueue.create(RateLimiter.defaultController(), config),
        PriorityQueue::create);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shutDownWithDrain_timeIsUp_returnsWhatIsLeft(Function<QueueConfig, WorkQueue<String>> kind)
      throws Exception {
    FakeClock clock = FakeClock.create();
    WorkQueue<String> any = kind.apply(QueueConfig.builder().clock(clock).build());
    any.add("first");
    any.add("second");
    WorkItem<String> first = take(any);
    WorkItem<String> second = take(any);
    any.add("second");
    any.add("third");
    Call<WorkQueue.Unfinished<String>> drain =
        Call.start(() -> any.shutDownWithDrain(Duration.ofSeconds(5)));
    clock.awaitWaiters(1);

    clock.advance(Duration.ofSeconds(5).minusNanos(1));
    assertThat(drain.isDone()).isFalse();
    clock.advance(Duration.ofNanos(1));

    WorkQueue.Unfinished<String> left = drain.result();
    assertThat(left.processing()).containsExactlyInAnyOrder("first", "second");
    assertThat(left.queued()).containsExactlyInAnyOrder("second", "third");
    assertThat(left.isEmpty()).isFalse();
    // The workers continue with what is left.
    first.done();
    second.done();
    assertThat(Queues.drain(any)).containsExactlyInAnyOrder("second", "third");
    assertThat(any.get()).isEmpty();
    assertThat(clock.waiters()).isZero();
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_doneInTime_leavesNothing(WorkQueue<String> any) throws Exception {
    any.add("a");
    WorkItem<String> work = take(any);
    Call<WorkQueue.Unfinished<String>> drain =
        Call.start(() -> any.shutDownWithDrain(Duration.ofMinutes(5))).awaitBlocked();

    work.done();

    assertThat(drain.result().isEmpty()).isTrue();
    assertThat(drain.result()).hasToString("nothing");
  }

  @ParameterizedTest
  @MethodSource("all")
  void shutDownWithDrain_noTime_doesNotWait(WorkQueue<String> any) throws Exception {
    any.add("a");

    assertThat(any.shutDownWithDrain(Duration.ofSeconds(-1)).queued()).containsExactly("a");
    assertThat(any.shuttingDown()).isTrue();
  }

  @Test
  void shutDownWithDrain_shutDownMeanwhile_returnsWhatIsLeft() throws Exception {
    queue.add("a");
    take(queue);
    Call<WorkQueue.Unfinished<String>> drain =
        Call.start(() -> queue.shutDownWithDrain(Duration.ofMinutes(5))).awaitBlocked();

    queue.shutDown();

    assertThat(drain.result().processing()).containsExactly("a");
  }

  @Test
  void shutDownWithDrain_muchIsLeft_isToldInOneLine() throws Exception {
    for (int i = 0; i < 12; i++) {
      queue.add("item-" + i);
    }
    take(queue);

    String told = queue.shutDownWithDrain(Duration.ZERO).toString();

    assertThat(told)
        .startsWith("1 (item-0) in process, 11 (")
        .endsWith(", and 1 more) queued")
        .hasSizeLessThan(150);
  }

  /* --------------- What waits --------------- */

  @Test
  void shutDown_itemsWait_dropsThem() throws Exception {
    FakeClock clock = FakeClock.create();
    DelayingQueue<String> delaying =
        DelayingQueue.create(QueueConfig.builder().clock(clock).build());
    delaying.addAfter("due", Duration.ofSeconds(1));
    delaying.addAfter("waits", Duration.ofSeconds(2));
    clock.advance(Duration.ofSeconds(1));

    delaying.shutDown();
    clock.advance(Duration.ofSeconds(1));

    assertThat(takeAndFinish(delaying)).isEqualTo("due");
    assertThat(delaying.get()).isEmpty();
    assertThat(delaying.toString()).contains("waiting=0");
  }

  @Test
  void shutDownWithDrain_itemsWait_dropsThem() throws Exception {
    FakeClock clock = FakeClock.create();
    DelayingQueue<String> delaying =
        DelayingQueue.create(QueueConfig.builder().clock(clock).build());
    delaying.addAfter("waits", Duration.ofSeconds(2));

    delaying.shutDownWithDrain();
    clock.advance(Duration.ofSeconds(2));

    assertThat(delaying.get()).isEmpty();
  }

  private static Call<Boolean> startDrain(WorkQueue<String> queue) {
    return Call.start(
            () -> {
              queue.shutDownWithDrain();
              return true;
            })
        .awaitBlocked();
  }
}
