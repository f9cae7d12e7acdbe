package dev.clientgo.cache;

import static dev.clientgo.cache.Item.added;
import static dev.clientgo.cache.Item.deleted;
import static dev.clientgo.cache.Item.drain;
import static dev.clientgo.cache.Item.gone;
import static dev.clientgo.cache.Item.item;
import static dev.clientgo.cache.Item.known;
import static dev.clientgo.cache.Item.pop;
import static dev.clientgo.cache.Item.replaced;
import static dev.clientgo.cache.Item.sync;
import static dev.clientgo.cache.Item.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.cache.Delta.Bookmark;
import dev.clientgo.cache.Delta.ReplacedAll;
import dev.clientgo.cache.Delta.SyncAll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes out of the queue. {@link DeltaQueueTest} has what both queues have in common. */
@Timeout(20)
final class RealFIFOTest {

  private static final KnownObjects<Item> THREE_KNOWN =
      known(item("foo", 5), item("bar", 6), item("baz", 7));

  private static RealFIFO<Item> withKnownObjects(KnownObjects<Item> known) {
    return RealFIFO.<Item>builder(Item.KEY).knownObjects(known).build();
  }

  private static RealFIFO<Item> atomic() {
    return RealFIFO.<Item>builder(Item.KEY).emitBookmarks(true).build();
  }

  private static List<Delta<Item>> popEach(RealFIFO<Item> queue) throws InterruptedException {
    List<List<Delta<Item>>> popped = drain(queue);
    assertThat(popped).allMatch(deltas -> deltas.size() == 1);
    return popped.stream().flatMap(List::stream).toList();
  }

  // TestRealFIFO_basic
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
      Item item = ((Delta.Added<Item>) deltas.get(0)).object();
      assertThat(item.value()).isEqualTo(last.merge(item.name().charAt(0), 1, Integer::sum));
    }
    for (Thread producer : producers) {
      producer.join(TimeUnit.SECONDS.toMillis(10));
    }
  }

  // TestRealFIFO_addUpdate, TestRealFIFO_enqueueingNoLister, TestRealFIFO_enqueueingWithLister,
  // TestRealFIFO_addReplace, TestRealFIFO_replaceWithDeleteDeltaIn, TestRealFIFO_ResyncNonExisting,
  // TestRealFIFO_Resync, TestRealFIFO_DeleteExistingNonPropagated, TestRealFIFO_UpdateResyncRace,
  // TestRealFIFO_ReplaceMakesDeletions, TestRealFIFO_ReplaceMakesDeletionsReplaced,
  // TestRealFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue
  static Stream<Arguments> operationsWithKnownObjects() {
    return Stream.of(
        row(
            "nothing is merged",
            known(),
            queue -> {
              queue.add(item("foo", 10));
              queue.update(item("foo", 12));
              queue.delete(item("foo", 15));
            },
            added("foo", 10),
            updated("foo", 12),
            deleted("foo", 15)),
        row(
            "a deletion is queued though nobody knows the object",
            known(),
            queue -> {
              queue.add(item("foo", 10));
              queue.update(item("bar", 15));
              queue.add(item("qux", 17));
              queue.delete(item("qux", 18));
              queue.delete(item("baz", 20));
            },
            added("foo", 10),
            updated("bar", 15),
            added("qux", 17),
            deleted("qux", 18),
            deleted("baz", 20)),
        row(
            "a deletion of a known object is queued",
            THREE_KNOWN,
            queue -> {
              queue.add(item("foo", 10));
              queue.update(item("bar", 15));
              queue.delete(item("baz", 20));
            },
            added("foo", 10),
            updated("bar", 15),
            deleted("baz", 20)),
        row(
            "a list comes behind what is queued",
            known(),
            queue -> {
              queue.add(item("foo", 10));
              queue.replace(List.of(item("foo", 15)), "0");
            },
            added("foo", 10),
            replaced("foo", 15)),
        row(
            "a deleted object that is listed again is created anew (kubernetes#83810)",
            known(item("foo", 1)),
            queue -> {
              queue.delete(item("foo", 1));
              queue.replace(List.of(item("foo", 2)), "0");
            },
            deleted("foo", 1),
            replaced("foo", 2)),
        row(
            "a deleted object is not synced",
            known(item("foo", 5)),
            queue -> {
              queue.delete(item("foo", 10));
              queue.resync();
            },
            deleted("foo", 10)),
        row("a known object is synced", known(item("foo", 5)), RealFIFO::resync, sync("foo", 5)),
        row(
            "an added object that is deleted is deleted",
            known(),
            queue -> {
              queue.add(item("foo", 5));
              queue.delete(item("foo", 6));
            },
            added("foo", 5),
            deleted("foo", 6)),
        row(
            "a sync does not overtake an update",
            known(item("foo", 5)),
            queue -> {
              queue.update(item("foo", 6));
              queue.resync();
            },
            updated("foo", 6)),
        row(
            "known objects that are not listed are gone, unless queued as deleted",
            THREE_KNOWN,
            queue -> {
              queue.delete(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            deleted("baz", 10),
            gone("bar", 6),
            replaced("foo", 5)),
        row(
            "what is gone was last seen in the queue rather than in the store",
            THREE_KNOWN,
            queue -> {
              queue.add(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            added("baz", 10),
            gone("baz", 10),
            gone("bar", 6),
            replaced("foo", 5)),
        row(
            "a queued deletion does not count if the object was added again",
            THREE_KNOWN,
            queue -> {
              queue.delete(item("bar", 6));
              queue.add(item("bar", 100));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            deleted("bar", 6),
            added("bar", 100),
            gone("bar", 100),
            gone("baz", 7),
            replaced("foo", 5)),
        row(
            "a list is compared with the list before, which is still queued",
            THREE_KNOWN,
            queue -> {
              queue.replace(List.of(item("bar", 100), item("foo", 5)), "0");
              queue.replace(List.of(item("foo", 5)), "0");
            },
            gone("baz", 7),
            replaced("bar", 100),
            replaced("foo", 5),
            gone("bar", 100),
            replaced("foo", 5)),
        row(
            "what is only in the queue is gone if it is not listed",
            known(),
            queue -> {
              queue.add(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            added("baz", 10),
            gone("baz", 10),
            replaced("foo", 5)),
        row(
            "an added object is gone with an empty list",
            known(),
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            gone("foo", 2)),
        row(
            "a deleted object is deleted once",
            known(),
            queue -> {
              queue.add(item("foo", 2));
              queue.delete(item("foo", 2));
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            deleted("foo", 2)),
        row(
            "a replaced object is gone once",
            known(),
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(item("foo", 2)), "0");
              queue.replace(List.of(item("foo", 2)), "0");
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            replaced("foo", 2),
            replaced("foo", 2),
            gone("foo", 2)),
        row(
            "two empty lists delete once",
            known(),
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(), "0");
              queue.replace(List.of(), "1");
            },
            added("foo", 2),
            gone("foo", 2)),
        row(
            "an object deleted and added again is gone",
            known(),
            queue -> {
              queue.add(item("foo", 2));
              queue.delete(item("foo", 2));
              queue.add(item("foo", 3));
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            deleted("foo", 2),
            added("foo", 3),
            gone("foo", 3)),
        row(
            "bookmarks are dropped",
            known(),
            queue -> {
              queue.bookmark("123");
              queue.replace(List.of(), "0");
              queue.replace(List.of(), "1");
            }));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Arguments row(
      String name,
      KnownObjects<Item> known,
      Consumer<RealFIFO<Item>> operations,
      Delta<Item>... expected) {
    return argumentSet(name, known, operations, List.of(expected));
  }

  @ParameterizedTest
  @MethodSource("operationsWithKnownObjects")
  void pop_withKnownObjects_takesListsAndResyncsApart(
      KnownObjects<Item> known, Consumer<RealFIFO<Item>> operations, List<Delta<Item>> expected)
      throws Exception {
    RealFIFO<Item> queue = withKnownObjects(known);

    operations.accept(queue);

    assertThat(popEach(queue)).isEqualTo(expected);
  }

  // TestRealFIFO_ReplaceAtomic, TestRealFIFO_ReplaceAtomicPop, TestRealFIFO_ResyncAtomic
  static Stream<Arguments> operationsWithAtomicEvents() {
    Item foo = item("foo", 2);
    return Stream.of(
        row(
            "an empty list is an event",
            queue -> queue.replace(List.of(), "123"),
            new ReplacedAll<>(List.of(), "123")),
        row(
            "an added object stays in front of a list without it",
            queue -> {
              queue.add(foo);
              queue.replace(List.of(), "123");
            },
            added("foo", 2),
            new ReplacedAll<>(List.of(), "123")),
        row(
            "lists stay in order",
            queue -> {
              queue.add(foo);
              queue.replace(List.of(foo), "10");
              queue.replace(List.of(foo), "20");
              queue.replace(List.of(), "56");
            },
            added("foo", 2),
            new ReplacedAll<>(List.of(foo), "10"),
            new ReplacedAll<>(List.of(foo), "20"),
            new ReplacedAll<>(List.of(), "56")),
        row(
            "a bookmark is no part of a list",
            queue -> {
              queue.bookmark("123");
              queue.replace(List.of(), "1234");
            },
            new Bookmark<>("123"),
            new ReplacedAll<>(List.of(), "1234")),
        row("a resync is an event", RealFIFO::resync, new SyncAll<>()),
        row(
            "a resync comes behind what is queued",
            queue -> {
              queue.add(foo);
              queue.resync();
            },
            added("foo", 2),
            new SyncAll<>()));
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

    assertThat(popEach(queue)).isEqualTo(expected);
  }

  @Test
  void bookmark_notEmitted_isDropped() throws Exception {
    RealFIFO<Item> queue = RealFIFO.<Item>builder(Item.KEY).build();

    queue.bookmark("123");

    assertThat(popEach(queue)).isEmpty();
  }

  @Test
  void replace_withAtomicEvents_doesNotCopyTheList() throws Exception {
    List<Item> listed = new ArrayList<>(List.of(item("foo", 1)));
    RealFIFO<Item> queue = atomic();

    queue.replace(listed, "1");

    listed.add(item("bar", 2));
    assertThat(popEach(queue)).containsExactly(new ReplacedAll<>(listed, "1"));
  }

  // TestRealFIFO_detectLineJumpers
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
    assertThat(popEach(queue))
        .containsExactly(
            added("bar", 1),
            added("foo", 11),
            added("foo", 13),
            added("zab", 30),
            added("foo", 14));
  }

  // TestRealFIFO_transformer
  @Test
  void transformer_isAppliedOnceToWhatComesIn_andNotToTombstonesAndSyncs() throws Exception {
    // Objects have values below 100 before, and above after.
    TransformFunction<Item> add100 =
        item -> {
          assertThat(item.value()).as("%s is transformed twice", item).isLessThan(100);
          return item(item.name(), item.value() + 100);
        };
    RealFIFO<Item> queue =
        RealFIFO.<Item>builder(Item.KEY)
            .knownObjects(known(item("known", 101), item("qux", 102)))
            .transformer(add100)
            .build();

    queue.add(item("foo", 10));
    queue.add(item("bar", 11));
    queue.update(item("foo", 12));
    queue.delete(item("foo", 15));
    queue.replace(List.of(item("known", 1)), "");
    queue.add(item("bar", 16));
    queue.replace(List.of(), "");
    queue.resync();

    assertThat(popEach(queue))
        .containsExactly(
            added("foo", 110),
            added("bar", 111),
            updated("foo", 112),
            deleted("foo", 115),
            gone("bar", 111),
            gone("qux", 102),
            replaced("known", 101),
            added("bar", 116),
            gone("bar", 116),
            gone("known", 101));
  }

  @Test
  void replace_withTransformerThatFails_takesNothing() throws Exception {
    RealFIFO<Item> queue =
        RealFIFO.<Item>builder(Item.KEY)
            .transformer(
                item -> {
                  if (item.name().equals("bad")) {
                    throw new UnsupportedOperationException("cannot transform");
                  }
                  return item(item.name(), item.value() + 100);
                })
            .build();

    assertThatThrownBy(() -> queue.replace(List.of(item("foo", 1), item("bad", 2)), "1"))
        .isInstanceOf(UnsupportedOperationException.class);
    queue.replace(List.of(item("foo", 1)), "2");

    assertThat(popEach(queue)).containsExactly(new ReplacedAll<>(List.of(item("foo", 101)), "2"));
  }

  @Test
  void replace_ofKnownKeyWithoutObject_givesTombstoneWithoutObject() throws Exception {
    KnownObjects<Item> known = known(item("foo", 1));
    RealFIFO<Item> queue =
        withKnownObjects(
            new KnownObjects<>() {
              @Override
              public List<String> listKeys() {
                return List.of("just-gone", "foo");
              }

              @Override
              public Optional<Item> getByKey(String key) {
                return known.getByKey(key);
              }
            });

    queue.replace(List.of(), "1");

    assertThat(popEach(queue))
        .containsExactly(
            new Delta.Deleted<>(DeletedObject.ofUnknownFinalState("just-gone", null)),
            gone("foo", 1));
  }

  // TestRealFIFO_PopMultipleDeltaInBatch
  static Stream<Arguments> batches() {
    Consumer<RealFIFO<Item>> nothing = queue -> {};
    return Stream.of(
        argumentSet("the first list", 999_999, 3, nothing, List.of("R1 R2 R3")),
        argumentSet("end of the first list", 999_999, 2, updates(3, 4), List.of("R1 R2", "U3 U4")),
        argumentSet("each object once", 999_999, 1, updates(1, 1), List.of("R1", "U1", "U1")),
        argumentSet(
            "each object once, after the first list",
            999_999,
            2,
            updates(2, 3),
            List.of("R1 R2", "U2 U3")),
        argumentSet("updates alone", 999_999, 3, updates(2), List.of("R1 R2 R3", "U2")),
        argumentSet("size, in the first list", 2, 3, nothing, List.of("R1 R2", "R3")),
        argumentSet("size, in updates", 2, 0, updates(1, 2, 3), List.of("U1 U2", "U3")),
        argumentSet(
            "size and end of the first list", 2, 3, updates(4), List.of("R1 R2", "R3", "U4")),
        argumentSet(
            "each object once, within updates",
            999_999,
            0,
            updates(1, 2, 1, 2, 3),
            List.of("U1 U2", "U1 U2 U3")));
  }

  private static Consumer<RealFIFO<Item>> updates(int... numbers) {
    return queue -> {
      for (int number : numbers) {
        queue.update(item("foo" + number, 5));
      }
    };
  }

  @ParameterizedTest
  @MethodSource("batches")
  void popBatch_takesWhatCanBeProcessedTogether(
      int batchSize, int initialItems, Consumer<RealFIFO<Item>> operations, List<String> expected)
      throws Exception {
    RealFIFO<Item> queue =
        RealFIFO.<Item>builder(Item.KEY).knownObjects(known()).batchSize(batchSize).build();
    List<Item> initial = new ArrayList<>();
    for (int i = 1; i <= initialItems; i++) {
      initial.add(item("foo" + i, 5));
    }
    queue.replace(initial, "123");
    operations.accept(queue);

    Batches batches = new Batches();
    batches.drain(queue);

    assertThat(batches.popped).isEqualTo(expected);
    assertThat(batches.initial)
        .isEqualTo(expected.stream().filter(b -> b.startsWith("R")).toList());
  }

  @Test
  void popBatch_ofDeltaOfTheWholeCollection_takesItAlone() throws Exception {
    RealFIFO<Item> queue = atomic();
    updates(1, 2).accept(queue);
    queue.replace(List.of(item("foo1", 5)), "1");
    queue.bookmark("2");
    updates(1, 2).accept(queue);
    queue.resync();
    queue.resync();

    Batches batches = new Batches();
    batches.drain(queue);

    assertThat(batches.popped)
        .containsExactly("U1 U2", "REPLACED_ALL", "BOOKMARK", "U1 U2", "SYNC_ALL", "SYNC_ALL");
  }

  /** Records batches as, for instance, {@code "R1 U2"}. */
  private static final class Batches {
    final List<String> popped = new ArrayList<>();
    final List<String> initial = new ArrayList<>();

    void drain(RealFIFO<Item> queue) throws InterruptedException {
      queue.close();
      while (queue.popBatch(
          (deltas, isInInitialList) -> {
            assertThat(deltas).hasSizeGreaterThan(1);
            record(deltas, isInInitialList);
          },
          (deltas, isInInitialList) -> {
            assertThat(deltas).hasSize(1);
            record(deltas, isInInitialList);
          })) {}
    }

    private void record(List<Delta<Item>> deltas, boolean isInInitialList) {
      String batch = String.join(" ", deltas.stream().map(Batches::nameOf).toList());
      popped.add(batch);
      if (isInInitialList) {
        initial.add(batch);
      }
    }

    private static String nameOf(Delta<Item> delta) {
      return delta instanceof Delta.Upserted<Item> upserted
          ? delta.type().name().charAt(0) + upserted.key().substring(3)
          : delta.type().name();
    }
  }

  // TestRealFIFO_PopBrokenItemsInBatch, the other way round: there, a broken object is found when
  // it is taken out; here, the key is made when it is put in.
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

      assertThat(popEach(queue)).containsExactly(added("foo1", 5), added("foo2", 5));
    }
  }

  // TestRealFIFO_HasSyncedCorrectOnDeletion
  @Test
  void hasSynced_withDeletionsInTheFirstList_countsThemIn() throws Exception {
    RealFIFO<Item> queue = withKnownObjects(THREE_KNOWN);
    queue.replace(List.of(item("foo", 5)), "0");

    for (Delta<Item> expected : List.of(gone("bar", 6), gone("baz", 7), replaced("foo", 5))) {
      assertThat(queue.hasSynced()).isFalse();
      queue.pop(
          (deltas, isInInitialList) -> {
            assertThat(deltas).containsExactly(expected);
            assertThat(isInInitialList).isTrue();
            assertThat(queue.hasSynced()).isFalse();
          });
    }

    assertThat(queue.hasSynced()).isTrue();
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
    producer.join(TimeUnit.SECONDS.toMillis(10));
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
