package dev.clientgo.cache;

import static dev.clientgo.cache.Item.item;
import static dev.clientgo.cache.Item.known;
import static dev.clientgo.cache.Item.pop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.cache.synctrack.DoneChecker;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The common part of both queues. */
@Timeout(300)
final class DeltaQueueTest {

  static Stream<Arguments> queues() {
    return Stream.of(
        argumentSet(
            "RealFIFO",
            (Supplier<Queue<Item>>)
                () -> RealFIFO.<Item>builder(Item.KEY).knownObjects(known()).build()),
        argumentSet(
            "RealFIFO, atomic",
            (Supplier<Queue<Item>>)
                () -> RealFIFO.<Item>builder(Item.KEY).unlockWhileProcessing(true).build()),
        argumentSet(
            "DeltaFIFO",
            (Supplier<Queue<Item>>)
                () -> DeltaFIFO.<Item>builder(Item.KEY).knownObjects(known()).build()));
  }

  /**
   * Closing an empty queue wakes its consumer (TestRealFIFO_PopShouldUnblockWhenClosed,
   * TestDeltaFIFO_PopShouldUnblockWhenClosed).
   */
  @ParameterizedTest
  @MethodSource("queues")
  void pop_ofEmptyQueue_returnsFalseWhenClosed(Supplier<Queue<Item>> create) throws Exception {
    Queue<Item> queue = create.get();
    ExecutorService consumers = Executors.newFixedThreadPool(10);
    try {
      List<Future<Boolean>> waiting = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        waiting.add(consumers.submit(() -> queue.pop((deltas, isInInitialList) -> {})));
      }

      queue.close();

      for (Future<Boolean> consumer : waiting) {
        assertThat(consumer.get(30, TimeUnit.SECONDS)).isFalse();
      }
    } finally {
      consumers.shutdownNow();
    }
  }

  @ParameterizedTest
  @MethodSource("queues")
  void pop_ofClosedQueue_givesWhatIsLeft(Supplier<Queue<Item>> create) throws Exception {
    Queue<Item> queue = create.get();
    queue.add(item("foo", 1));
    assertThat(queue.isClosed()).isFalse();

    queue.close();
    queue.close();

    assertThat(queue.isClosed()).isTrue();
    assertThat(queue.pop((deltas, isInInitialList) -> {})).isTrue();
    assertThat(queue.pop((deltas, isInInitialList) -> {})).isFalse();
  }

  @ParameterizedTest
  @MethodSource("queues")
  void pop_interrupted_throws(Supplier<Queue<Item>> create) {
    Queue<Item> queue = create.get();

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> queue.pop((deltas, isInInitialList) -> {}))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("queues")
  void pop_whoseProcessorFails_throwsTheSameAndTheItemIsGone(Supplier<Queue<Item>> create)
      throws Exception {
    Queue<Item> queue = create.get();
    queue.replace(List.of(item("foo", 1)), "1");
    queue.add(item("bar", 1));

    assertThatThrownBy(
            () ->
                queue.pop(
                    (deltas, isInInitialList) -> {
                      throw new UnsupportedOperationException("broken");
                    }))
        .isInstanceOf(UnsupportedOperationException.class);

    assertThat(queue.hasSynced()).isTrue();
    queue.pop(
        (deltas, isInInitialList) -> {
          assertThat(deltas).containsExactly(Item.added("bar", 1));
          assertThat(isInInitialList).isFalse();
        });
  }

  /**
   * A queue is synced once its first list is processed. The queues have known objects, so they
   * split the list (TestRealFIFO_HasSynced, TestDeltaFIFO_HasSynced).
   */
  static Stream<Arguments> actionsBeforeHasSynced() {
    Consumer<Queue<Item>> popOne = DeltaQueueTest::popOne;
    Consumer<Queue<Item>> listOfTwo =
        queue -> queue.replace(List.of(item("a", 1), item("b", 2)), "0");
    Consumer<Queue<Item>> listOfTheSameTwice =
        queue -> queue.replace(List.of(item("a", 1), item("a", 2)), "0");
    return Stream.of(
        argumentSet("nothing", List.of(), false, false),
        argumentSet(
            "add", List.<Consumer<Queue<Item>>>of(queue -> queue.add(item("a", 1))), true, true),
        argumentSet(
            "update",
            List.<Consumer<Queue<Item>>>of(queue -> queue.update(item("a", 1))),
            true,
            true),
        argumentSet(
            "delete",
            List.<Consumer<Queue<Item>>>of(queue -> queue.delete(item("a", 1))),
            true,
            true),
        argumentSet(
            "empty list",
            List.<Consumer<Queue<Item>>>of(queue -> queue.replace(List.of(), "0")),
            true,
            true),
        argumentSet("list", List.of(listOfTwo), false, false),
        argumentSet("list, half popped", List.of(listOfTwo, popOne), false, false),
        argumentSet("list, popped", List.of(listOfTwo, popOne, popOne), true, true),
        argumentSet(
            "list with a key twice, popped once", List.of(listOfTheSameTwice, popOne), false, true),
        argumentSet(
            "list with a key twice, in turn",
            List.of(listOfTheSameTwice, queue -> queue.add(item("c", 1)), popOne, popOne),
            true,
            true),
        argumentSet(
            "list, popped, and another list",
            List.of(listOfTwo, popOne, popOne, listOfTwo),
            true,
            true),
        argumentSet(
            "another list and an update before the first is popped",
            List.of(listOfTwo, listOfTwo, queue -> queue.update(item("b", 3)), popOne),
            false,
            false));
  }

  private static void popOne(Queue<Item> queue) {
    try {
      pop(queue, 1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("actionsBeforeHasSynced")
  void hasSynced_isTrueOnceTheFirstListIsProcessed(
      List<Consumer<Queue<Item>>> actions, boolean realFIFOSynced, boolean deltaFIFOSynced) {
    Queue<Item> realFIFO = RealFIFO.<Item>builder(Item.KEY).knownObjects(known()).build();
    Queue<Item> deltaFIFO = DeltaFIFO.<Item>builder(Item.KEY).build();

    actions.forEach(action -> action.accept(realFIFO));
    actions.forEach(action -> action.accept(deltaFIFO));

    assertThat(realFIFO.hasSynced()).isEqualTo(realFIFOSynced);
    assertThat(realFIFO.hasSyncedChecker().isDone()).isEqualTo(realFIFOSynced);
    assertThat(deltaFIFO.hasSynced()).isEqualTo(deltaFIFOSynced);
    assertThat(deltaFIFO.hasSyncedChecker().isDone()).isEqualTo(deltaFIFOSynced);
  }

  @Test
  void hasSyncedChecker_hasTheNameOfTheQueueAndCanBeWaitedFor() throws Exception {
    RealFIFO<Item> queue = RealFIFO.<Item>builder(Item.KEY).name("RealFIFO v1/pods").build();
    DoneChecker checker = queue.hasSyncedChecker();
    queue.replace(List.of(), "1");
    ExecutorService waiter = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> done = waiter.submit(() -> checker.await(Duration.ofSeconds(30)));

      pop(queue, 1);

      assertThat(done.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(checker.name()).isEqualTo("RealFIFO v1/pods");
    } finally {
      waiter.shutdownNow();
    }
  }

  @Test
  void metrics_tellLengthAndDuration() throws Exception {
    FakeClock clock = FakeClock.create();
    List<String> reported = new ArrayList<>();
    InformerMetrics metrics =
        new InformerMetrics() {
          @Override
          public void queueLength(int length) {
            reported.add("length " + length);
          }

          @Override
          public void processed(Duration duration) {
            reported.add("processed " + duration);
          }
        };
    RealFIFO<Item> queue = RealFIFO.<Item>builder(Item.KEY).metrics(metrics).clock(clock).build();

    queue.replace(List.of(item("foo", 1)), "1");
    queue.add(item("foo", 2));
    queue.pop((deltas, isInInitialList) -> clock.advance(Duration.ofMillis(30)));

    assertThat(reported).containsExactly("length 1", "length 2", "length 1", "processed PT0.03S");
  }

  @Test
  void metrics_thatFail_costNoEvent() throws Exception {
    InformerMetrics broken =
        new InformerMetrics() {
          @Override
          public void queueLength(int length) {
            throw new UnsupportedOperationException("queueLength");
          }

          @Override
          public void processed(Duration duration) {
            throw new UnsupportedOperationException("processed");
          }
        };
    RealFIFO<Item> queue =
        RealFIFO.<Item>builder(Item.KEY).metrics(broken).unlockWhileProcessing(true).build();

    queue.add(item("foo", 1));
    queue.add(item("bar", 2));

    assertThat(Item.drain(queue))
        .containsExactly(List.of(Item.added("foo", 1)), List.of(Item.added("bar", 2)));
  }
}
