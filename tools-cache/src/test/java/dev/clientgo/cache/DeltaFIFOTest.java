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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.KeyException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The deltas of a DeltaFIFO. {@link DeltaQueueTest} tests the common part of both queues. */
@Timeout(300)
final class DeltaFIFOTest {

  private static final KnownObjects<Item> THREE_KNOWN =
      known(item("foo", 5), item("bar", 6), item("baz", 7));

  private static DeltaFIFO<Item> create(@Nullable KnownObjects<Item> known) {
    DeltaFIFO.Builder<Item> builder = DeltaFIFO.builder(Item.KEY);
    if (known != null) {
      builder.knownObjects(known);
    }
    return builder.build();
  }

  /** Two producers at once: the queue keeps the order of each (TestDeltaFIFO_basic). */
  @Test
  void pop_oneItemAddedByEachOfTwoProducers_keepsTheOrderOfEach() throws Exception {
    DeltaFIFO<Item> queue = create(null);
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
   * The deltas that come out after a sequence of operations (TestDeltaFIFO_addUpdate,
   * TestDeltaFIFO_enqueueingNoLister, TestDeltaFIFO_enqueueingWithLister, TestDeltaFIFO_addReplace,
   * TestDeltaFIFO_replaceWithDeleteDeltaIn, TestDeltaFIFO_ResyncNonExisting, TestDeltaFIFO_Resync,
   * TestDeltaFIFO_DeleteExistingNonPropagated, TestDeltaFIFO_UpdateResyncRace,
   * TestDeltaFIFO_ReplaceMakesDeletions, TestDeltaFIFO_ReplaceMakesDeletionsReplaced,
   * TestDeltaFIFO_ReplaceDeltaType).
   */
  static Stream<Arguments> operations() {
    return Stream.of(
        row(
            "the deltas of an object are collected",
            null,
            queue -> {
              queue.add(item("foo", 10));
              queue.update(item("foo", 12));
              queue.delete(item("foo", 15));
            },
            List.of(added("foo", 10), updated("foo", 12), deleted("foo", 15))),
        row(
            "a deletion of an unknown object is ignored",
            null,
            queue -> {
              queue.add(item("foo", 10));
              queue.update(item("bar", 15));
              queue.add(item("qux", 17));
              queue.delete(item("qux", 18));
              queue.delete(item("baz", 20));
            },
            List.of(added("foo", 10)),
            List.of(updated("bar", 15)),
            List.of(added("qux", 17), deleted("qux", 18))),
        row(
            "a deletion of a known object is queued",
            THREE_KNOWN,
            queue -> {
              queue.add(item("foo", 10));
              queue.update(item("bar", 15));
              queue.delete(item("baz", 20));
              queue.delete(item("unknown", 1));
            },
            List.of(added("foo", 10)),
            List.of(updated("bar", 15)),
            List.of(deleted("baz", 20))),
        row(
            "a listed object follows the queued deltas",
            null,
            queue -> {
              queue.add(item("foo", 10));
              queue.replace(List.of(item("foo", 15)), "0");
            },
            List.of(added("foo", 10), replaced("foo", 15))),
        row(
            "a deleted object that is listed again is a new object (kubernetes#83810)",
            known(item("foo", 1)),
            queue -> {
              queue.delete(item("foo", 1));
              queue.replace(List.of(item("foo", 2)), "");
            },
            List.of(deleted("foo", 1), replaced("foo", 2))),
        row(
            "a deleted object is not synced",
            known(item("foo", 5)),
            queue -> {
              queue.delete(item("foo", 10));
              queue.resync();
            },
            List.of(deleted("foo", 10))),
        row(
            "a known object is synced",
            known(item("foo", 5)),
            DeltaFIFO::resync,
            List.of(sync("foo", 5))),
        row("nothing is synced if nothing is known", null, DeltaFIFO::resync),
        row(
            "an added object that is deleted is deleted",
            known(),
            queue -> {
              queue.add(item("foo", 5));
              queue.delete(item("foo", 6));
            },
            List.of(added("foo", 5), deleted("foo", 6))),
        row(
            "a sync does not overtake an update",
            known(item("foo", 5)),
            queue -> {
              queue.update(item("foo", 6));
              queue.resync();
            },
            List.of(updated("foo", 6))),
        row(
            "a list deletes the known objects that it lacks, unless queued as deleted",
            THREE_KNOWN,
            queue -> {
              queue.delete(item("baz", 10));
              queue.replace(List.of(item("foo", 6)), "0");
            },
            List.of(deleted("baz", 10)),
            List.of(replaced("foo", 6)),
            List.of(gone("bar", 6))),
        row(
            "the last state of a deleted object is the queued one, not the stored one",
            THREE_KNOWN,
            queue -> {
              queue.add(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            List.of(added("baz", 10), gone("baz", 10)),
            List.of(replaced("foo", 5)),
            List.of(gone("bar", 6))),
        row(
            "a queued deletion does not count if the object was added again",
            THREE_KNOWN,
            queue -> {
              queue.delete(item("bar", 6));
              queue.add(item("bar", 100));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            List.of(deleted("bar", 6), added("bar", 100), gone("bar", 100)),
            List.of(replaced("foo", 5)),
            List.of(gone("baz", 7))),
        row(
            "a list is compared with the list before, which is still queued",
            THREE_KNOWN,
            queue -> {
              queue.replace(List.of(item("bar", 100), item("foo", 5)), "0");
              queue.replace(List.of(item("foo", 5)), "0");
            },
            List.of(replaced("bar", 100), gone("bar", 100)),
            List.of(replaced("foo", 5), replaced("foo", 5)),
            List.of(gone("baz", 7))),
        row(
            "a list deletes the objects that are only in the queue",
            null,
            queue -> {
              queue.add(item("baz", 10));
              queue.replace(List.of(item("foo", 5)), "0");
            },
            List.of(added("baz", 10), gone("baz", 10)),
            List.of(replaced("foo", 5))),
        row(
            "a list reports a deletion once",
            THREE_KNOWN,
            queue -> {
              queue.replace(List.of(item("foo", 5), item("bar", 6)), "0");
              queue.replace(List.of(item("foo", 5), item("bar", 6)), "1");
            },
            List.of(replaced("foo", 5), replaced("foo", 5)),
            List.of(replaced("bar", 6), replaced("bar", 6)),
            List.of(gone("baz", 7))));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Arguments row(
      String name,
      @Nullable KnownObjects<Item> known,
      Consumer<DeltaFIFO<Item>> operations,
      List<Delta<Item>>... expected) {
    return argumentSet(name, known, operations, List.of(expected));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void pop_givesWhatHappenedToEachObject(
      @Nullable KnownObjects<Item> known,
      Consumer<DeltaFIFO<Item>> operations,
      List<List<Delta<Item>>> expected)
      throws Exception {
    DeltaFIFO<Item> queue = create(known);

    operations.accept(queue);

    assertThat(drain(queue)).isEqualTo(expected);
  }

  /**
   * A list deletes objects that are only in the queue
   * (TestDeltaFIFOW_ReplaceMakesDeletionsForObjectsOnlyInQueue).
   */
  static Stream<Arguments> operationsOnOneObject() {
    return Stream.of(
        one(
            "an empty list deletes an added object",
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            gone("foo", 2)),
        one(
            "a replaced object is deleted once",
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(item("foo", 2)), "0");
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            replaced("foo", 2),
            gone("foo", 2)),
        one(
            "a deleted object is deleted once, and its final state is kept",
            queue -> {
              queue.add(item("foo", 2));
              queue.delete(item("foo", 2));
              queue.replace(List.of(), "0");
            },
            added("foo", 2),
            deleted("foo", 2)),
        one(
            "replaced objects are deleted once",
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
        one(
            "two empty lists delete once",
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(), "0");
              queue.replace(List.of(), "1");
            },
            added("foo", 2),
            gone("foo", 2)),
        one(
            "an object that was deleted and added again is deleted",
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
        one(
            "a deletion with the final state takes the place of one without",
            queue -> {
              queue.add(item("foo", 2));
              queue.replace(List.of(), "0");
              queue.delete(item("foo", 3));
            },
            added("foo", 2),
            deleted("foo", 3)),
        one(
            "of two final states the first stays",
            queue -> {
              queue.add(item("foo", 2));
              queue.delete(item("foo", 3));
              queue.delete(item("foo", 4));
            },
            added("foo", 2),
            deleted("foo", 3)));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Arguments one(
      String name, Consumer<DeltaFIFO<Item>> operations, Delta<Item>... expected) {
    return argumentSet(name, operations, List.of(expected));
  }

  @ParameterizedTest
  @MethodSource("operationsOnOneObject")
  void pop_ofObjectOnlyInTheQueue_mergesDeletions(
      Consumer<DeltaFIFO<Item>> operations, List<Delta<Item>> expected) throws Exception {
    for (KnownObjects<Item> known : Arrays.asList(null, known())) {
      DeltaFIFO<Item> queue = create(known);

      operations.accept(queue);

      assertThat(drain(queue)).containsExactly(expected);
    }
  }

  /**
   * Without Replaced deltas, a list becomes Sync deltas (TestDeltaFIFO_replaceWithDeleteDeltaIn and
   * others, with EmitDeltaTypeReplaced=false).
   */
  @Test
  void replace_withoutReplacedDeltas_givesSyncs() throws Exception {
    DeltaFIFO<Item> queue =
        DeltaFIFO.<Item>builder(Item.KEY)
            .knownObjects(known(item("foo", 1)))
            .emitReplaced(false)
            .build();

    queue.delete(item("foo", 1));
    queue.replace(List.of(item("foo", 2)), "");

    assertThat(drain(queue)).containsExactly(List.of(deleted("foo", 1), sync("foo", 2)));
  }

  /** An object that is already queued keeps its place (TestDeltaFIFO_detectLineJumpers). */
  @Test
  void add_ofObjectThatIsQueued_keepsItsPlace() throws Exception {
    DeltaFIFO<Item> queue = create(null);
    queue.add(item("foo", 10));
    queue.add(item("bar", 1));
    queue.add(item("foo", 11));
    queue.add(item("foo", 13));
    queue.add(item("zab", 30));

    List<List<Delta<Item>>> first = pop(queue, 1);
    queue.add(item("foo", 14));

    assertThat(first)
        .containsExactly(List.of(added("foo", 10), added("foo", 11), added("foo", 13)));
    assertThat(drain(queue))
        .containsExactly(
            List.of(added("bar", 1)), List.of(added("zab", 30)), List.of(added("foo", 14)));
  }

  /**
   * Deletions that the first list causes belong to the first list
   * (TestDeltaFIFO_HasSyncedCorrectOnDeletion).
   */
  @Test
  void hasSynced_withDeletionsInTheFirstList_countsThemIn() throws Exception {
    DeltaFIFO<Item> queue = create(THREE_KNOWN);
    queue.replace(List.of(item("foo", 5)), "0");

    for (Delta<Item> expected : List.of(replaced("foo", 5), gone("bar", 6), gone("baz", 7))) {
      assertThat(queue.hasSynced()).isFalse();
      queue.pop(
          (deltas, isInInitialList) -> {
            assertThat(deltas).containsExactly(expected);
            assertThat(isInInitialList).isTrue();
          });
    }

    assertThat(queue.hasSynced()).isTrue();
  }

  @Test
  void replace_ofObjectWithoutKey_takesNothing() throws Exception {
    DeltaFIFO<Item> queue =
        DeltaFIFO.<Item>builder(
                item -> {
                  if (item.value() < 0) {
                    throw new UnsupportedOperationException("negative");
                  }
                  return item.name();
                })
            .knownObjects(THREE_KNOWN)
            .build();

    assertThatThrownBy(() -> queue.replace(List.of(item("foo", 1), item("broken", -1)), "0"))
        .isInstanceOf(KeyException.class);

    assertThat(drain(queue)).isEmpty();
  }

  @Test
  void popBatch_givesOneObjectAtATime() throws Exception {
    DeltaFIFO<Item> queue = create(null);
    queue.add(item("foo", 1));
    queue.update(item("foo", 2));
    queue.add(item("bar", 1));
    queue.bookmark("5");
    queue.close();

    List<List<Delta<Item>>> popped = new ArrayList<>();
    while (queue.popBatch(
        (deltas, isInInitialList) -> {
          throw new AssertionError("not a batch: " + deltas);
        },
        (deltas, isInInitialList) -> popped.add(deltas))) {}

    assertThat(popped)
        .containsExactly(List.of(added("foo", 1), updated("foo", 2)), List.of(added("bar", 1)));
  }
}
