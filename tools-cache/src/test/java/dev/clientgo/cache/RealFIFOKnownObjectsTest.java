package dev.clientgo.cache;

import static dev.clientgo.cache.Item.added;
import static dev.clientgo.cache.Item.deleted;
import static dev.clientgo.cache.Item.drainEach;
import static dev.clientgo.cache.Item.gone;
import static dev.clientgo.cache.Item.item;
import static dev.clientgo.cache.Item.known;
import static dev.clientgo.cache.Item.replaced;
import static dev.clientgo.cache.Item.sync;
import static dev.clientgo.cache.Item.updated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue that splits lists and resyncs, by the objects in the store and in the queue. */
@Timeout(300)
final class RealFIFOKnownObjectsTest {

  private static final KnownObjects<Item> THREE_KNOWN =
      known(item("foo", 5), item("bar", 6), item("baz", 7));

  private static RealFIFO<Item> withKnownObjects(KnownObjects<Item> known) {
    return RealFIFO.<Item>builder(Item.KEY).knownObjects(known).build();
  }

  /**
   * The deltas that come out after a sequence of operations (TestRealFIFO_addUpdate,
   * TestRealFIFO_enqueueingNoLister, TestRealFIFO_enqueueingWithLister, TestRealFIFO_addReplace,
   * TestRealFIFO_replaceWithDeleteDeltaIn, TestRealFIFO_ResyncNonExisting, TestRealFIFO_Resync,
   * TestRealFIFO_DeleteExistingNonPropagated, TestRealFIFO_UpdateResyncRace,
   * TestRealFIFO_ReplaceMakesDeletions, TestRealFIFO_ReplaceMakesDeletionsReplaced,
   * TestRealFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue).
   */
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
            "a deletion of an unknown object is queued",
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
            "a list follows the queued deltas",
            known(),
            queue -> {
              queue.add(item("foo", 10));
              queue.replace(List.of(item("foo", 15)), "0");
            },
            added("foo", 10),
            replaced("foo", 15)),
        row(
            "a deleted object that is listed again is a new object (kubernetes#83810)",
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
            "a list deletes the known objects that it lacks, unless queued as deleted",
            THREE_KNOWN,
            queue -> {
              queue.delete(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            deleted("baz", 10),
            gone("bar", 6),
            replaced("foo", 5)),
        row(
            "the last state of a deleted object is the queued one, not the stored one",
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
            "a list deletes the objects that are only in the queue",
            known(),
            queue -> {
              queue.add(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            added("baz", 10),
            gone("baz", 10),
            replaced("foo", 5)),
        row(
            "an empty list deletes an added object",
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
            "a replaced object is deleted once",
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
            "an object that was deleted and added again is deleted",
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

    assertThat(drainEach(queue)).isEqualTo(expected);
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

    assertThat(drainEach(queue))
        .containsExactly(
            new Delta.Deleted<>(DeletedObject.ofUnknownFinalState("just-gone", null)),
            gone("foo", 1));
  }

  /**
   * Deletions that the first list causes belong to the first list
   * (TestRealFIFO_HasSyncedCorrectOnDeletion).
   */
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
}
