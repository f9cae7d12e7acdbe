package dev.clientgo.cache;

import static dev.clientgo.cache.Item.item;
import static dev.clientgo.cache.Item.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The batches of a RealFIFO. */
@Timeout(300)
final class RealFIFOBatchTest {

  private static RealFIFO<Item> atomic() {
    return RealFIFO.<Item>builder(Item.KEY).emitBookmarks(true).build();
  }

  /**
   * A batch has at most one delta of each object, and does not reach beyond the first list
   * (TestRealFIFO_PopMultipleDeltaInBatch).
   */
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
}
