package dev.clientgo.cache;

import static dev.clientgo.cache.Item.added;
import static dev.clientgo.cache.Item.drainEach;
import static dev.clientgo.cache.Item.item;
import static dev.clientgo.cache.Item.known;
import static dev.clientgo.cache.Item.pop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.cache.Delta.Bookmark;
import dev.clientgo.cache.Delta.ReplacedAll;
import dev.clientgo.cache.Delta.SyncAll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The deltas of a RealFIFO. {@link DeltaQueueTest} tests the common part of both queues. */
@Timeout(300)
final class RealFIFOTest {

  private static RealFIFO<Item> withKnownObjects(KnownObjects<Item> known) {
    return RealFIFO.<Item>builder(Item.KEY).knownObjects(known).build();
  }

  private static RealFIFO<Item> atomic() {
    return RealFIFO.<Item>builder(Item.KEY).emitBookmarks(true).build();
  }

  /** Two producers at once: the queue keeps the order of each (TestRealFIFO_basic). */
  @Test
  void pop_oneItemAddedByEachOfTwoProducers_keepsTheOrderOfEach() throws Exception {
    RealFIFO<Item> queue = withKnownObjects(known());
    int amount = 500;
    List<Thread> producers = new ArrayList<>();
    for (String producer : List.of("a", "b")) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 1; i <= amount; i++) {
                  queue.add(item(producer + i, i));
                }
              });
      thread.start();
      producers.add(thread);
    }

    Map<Character, Integer> last = new HashMap<>();
    for (List<Delta<Item>> deltas : pop(queue, 2 * amount)) {
      Item item = ((Delta.Added<Item>) deltas.get(0)).value();
      assertThat(item.value()).isEqualTo(last.merge(item.name().charAt(0), 1, Integer::sum));
    }
    for (Thread producer : producers) {
      producer.join(TimeUnit.SECONDS.toMillis(30));
    }
  }

  /**
   * With atomic events, a list and a resync are one delta each (TestRealFIFO_ReplaceAtomic,
   * TestRealFIFO_ReplaceAtomicPop, TestRealFIFO_ResyncAtomic).
   */
  static Stream<Arguments> operationsWithAtomicEvents() {
    Item foo = item("foo", 2);
    return Stream.of(
        row(
            "an empty list is an event",
            queue -> queue.replace(List.of(), "123"),
            replacedAll("123")),
        row(
            "an added object stays in front of a list without it",
            queue -> {
              queue.add(foo);
              queue.replace(List.of(), "123");
            },
            added("foo", 2),
            replacedAll("123")),
        row(
            "lists stay in order",
            queue -> {
              queue.add(foo);
              queue.replace(List.of(foo), "10");
              queue.replace(List.of(foo), "20");
              queue.replace(List.of(), "56");
            },
            added("foo", 2),
            replacedAll("10", foo),
            replacedAll("20", foo),
            replacedAll("56")),
        row(
            "a bookmark is no part of a list",
            queue -> {
              queue.bookmark("123");
              queue.replace(List.of(), "1234");
            },
            new Bookmark<>("123"),
            replacedAll("1234")),
        row("a resync is an event", RealFIFO::resync, new SyncAll<>()),
        row(
            "a resync follows the queued deltas",
            queue -> {
              queue.add(foo);
              queue.resync();
            },
            added("foo", 2),
            new SyncAll<>()));
  }

  private static Delta<Item> replacedAll(String version, Item... items) {
    Map<String, Item> byKey = new LinkedHashMap<>();
    for (Item item : items) {
      byKey.put(item.name(), item);
    }
    return new ReplacedAll<>(byKey, Set.of(), version);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Arguments row(
      String name, Consumer<RealFIFO<Item>> operations, Delta<Item>... expected) {
    return argumentSet(name, operations, List.of(expected));
  }

  @ParameterizedTest
  @MethodSource("operationsWithAtomicEvents")
  void pop_withAtomicEvents_givesListsAndResyncsAsOne(
      Consumer<RealFIFO<Item>> operations, List<Delta<Item>> expected) throws Exception {
    RealFIFO<Item> queue = atomic();

    operations.accept(queue);

    assertThat(drainEach(queue)).isEqualTo(expected);
  }

  @Test
  void bookmark_notEmitted_isDropped() throws Exception {
    RealFIFO<Item> queue = RealFIFO.<Item>builder(Item.KEY).build();

    queue.bookmark("123");

    assertThat(drainEach(queue)).isEmpty();
  }

  /** The consumer gets the keys with the list, so it need not compute them again. */
  @Test
  void replace_withAtomicEvents_makesEachKeyOnce() throws Exception {
    List<Item> asked = new ArrayList<>();
    RealFIFO<Item> queue =
        RealFIFO.<Item>builder(
                item -> {
                  asked.add(item);
                  return item.name();
                })
            .build();
    List<Item> listed = new ArrayList<>(List.of(item("foo", 1), item("bar", 2)));

    queue.replace(listed, "1");
    listed.clear();

    assertThat(drainEach(queue)).containsExactly(replacedAll("1", item("foo", 1), item("bar", 2)));
    assertThat(asked).containsExactly(item("foo", 1), item("bar", 2));
  }

  /** A new event of a queued object goes to the end (TestRealFIFO_detectLineJumpers). */
  @Test
  void add_ofObjectThatIsQueued_goesToTheEnd() throws Exception {
    RealFIFO<Item> queue = withKnownObjects(known());
    queue.add(item("foo", 10));
    queue.add(item("bar", 1));
    queue.add(item("foo", 11));
    queue.add(item("foo", 13));
    queue.add(item("zab", 30));

    List<List<Delta<Item>>> first = pop(queue, 1);
    queue.add(item("foo", 14));

    assertThat(first).containsExactly(List.of(added("foo", 10)));
    assertThat(drainEach(queue))
        .containsExactly(
            added("bar", 1),
            added("foo", 11),
            added("foo", 13),
            added("zab", 30),
            added("foo", 14));
  }

  /**
   * The queue refuses an object without a key when it is put in. client-go finds it when it is
   * taken out (TestRealFIFO_PopBrokenItemsInBatch).
   */
  @Test
  void add_ofObjectWithoutKey_isRefusedAndTheOthersArePopped() throws Exception {
    KeyFunction<Item> brokenForSome =
        item -> {
          if (item.value() < 0) {
            throw new UnsupportedOperationException("negative");
          }
          return item.name();
        };
    for (RealFIFO<Item> queue :
        List.of(
            RealFIFO.<Item>builder(brokenForSome).build(),
            RealFIFO.<Item>builder(brokenForSome).knownObjects(known()).build())) {
      queue.add(item("foo1", 5));

      for (Consumer<Item> refusal :
          List.<Consumer<Item>>of(
              queue::add,
              queue::update,
              queue::delete,
              item -> queue.replace(List.of(item("foo3", 5), item), "1"))) {
        assertThatThrownBy(() -> refusal.accept(item("broken", -1)))
            .isInstanceOf(KeyException.class)
            .hasMessageContaining("negative");
      }
      queue.add(item("foo2", 5));

      assertThat(drainEach(queue)).containsExactly(added("foo1", 5), added("foo2", 5));
    }
  }

  @Test
  void hasSynced_afterEmptyListAsAtomicEvent_isTrueOnceItIsProcessed() throws Exception {
    RealFIFO<Item> queue = atomic();
    queue.bookmark("1");
    queue.resync();
    assertThat(queue.hasSynced()).isFalse();

    queue.replace(List.of(), "2");
    assertThat(queue.hasSynced()).isFalse();
    pop(queue, 2);
    assertThat(queue.hasSynced()).isFalse();
    pop(queue, 1);

    assertThat(queue.hasSynced()).isTrue();
  }

  @Test
  void add_whileProcessingWithUnlock_doesNotWait() throws Exception {
    RealFIFO<Item> queue =
        RealFIFO.<Item>builder(Item.KEY).unlockWhileProcessing(true).batchSize(2).build();
    queue.replace(List.of(), "1");
    for (int i = 0; i < 4; i++) {
      queue.add(item("foo" + i, i));
    }

    // Four are left, which is twice the batch size: producers wait. Then three, and they need not.
    List<Boolean> entered = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      queue.pop((deltas, isInInitialList) -> entered.add(canLock(queue)));
    }

    assertThat(entered).containsExactly(false, true);
  }

  @Test
  void add_whileProcessingWithoutUnlock_waits() throws Exception {
    RealFIFO<Item> queue = withKnownObjects(known());
    queue.add(item("foo", 1));

    queue.pop((deltas, isInInitialList) -> assertThat(canLock(queue)).isFalse());

    assertThat(canLock(queue)).isTrue();
  }

  /** Returns whether another thread gets the lock, as a producer would have to. */
  private static boolean canLock(RealFIFO<?> queue) throws InterruptedException {
    boolean[] locked = new boolean[1];
    Thread producer =
        new Thread(
            () -> {
              locked[0] = queue.lock.tryLock();
              if (locked[0]) {
                queue.lock.unlock();
              }
            });
    producer.start();
    producer.join(TimeUnit.SECONDS.toMillis(30));
    return locked[0];
  }

  @Test
  void build_withContradictingOptions_fails() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                RealFIFO.<Item>builder(Item.KEY)
                    .unlockWhileProcessing(true)
                    .knownObjects(known())
                    .build())
        .withMessageContaining("unlockWhileProcessing");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                RealFIFO.<Item>builder(Item.KEY).emitBookmarks(true).knownObjects(known()).build())
        .withMessageContaining("emitBookmarks");
  }
}
