package dev.clientgo.cache;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Interleaves producers and the consumer in many ways, and checks that each result is also possible
 * without concurrency.
 */
@Timeout(600)
final class DeltaQueueLincheckTest {

  /**
   * A queue and its consumer, which puts all taken objects into a store. The queue is closed from
   * the start, so the consumer does not wait if it is empty.
   */
  public abstract static class QueueWithConsumer {

    private final Indexer<Item> store = Indexer.create(Item.KEY);
    private final Queue<Item> queue;

    QueueWithConsumer() {
      queue = create(store);
      queue.close();
    }

    abstract Queue<Item> create(KnownObjects<Item> known);

    @Operation
    public void update(@Param(gen = IntGen.class, conf = "1:2") int value) {
      queue.update(new Item("a", value));
    }

    @Operation
    public void delete(@Param(gen = IntGen.class, conf = "1:2") int value) {
      queue.delete(new Item("b", value));
    }

    @Operation
    public void replace(@Param(gen = IntGen.class, conf = "1:2") int value) {
      queue.replace(List.of(new Item("b", value)), "1");
    }

    @Operation
    public void resync() {
      queue.resync();
    }

    @Operation
    public boolean hasSynced() {
      return queue.hasSynced();
    }

    @Operation(nonParallelGroup = "consumer")
    public String pop() throws InterruptedException {
      List<Delta<Item>> popped = new ArrayList<>();
      queue.pop((deltas, isInInitialList) -> process(deltas, popped));
      return popped.toString();
    }

    /** As an informer takes them out. */
    @Operation(nonParallelGroup = "consumer")
    public String popBatch() throws InterruptedException {
      List<Delta<Item>> popped = new ArrayList<>();
      queue.popBatch(
          (deltas, isInInitialList) -> process(deltas, popped),
          (deltas, isInInitialList) -> process(deltas, popped));
      return popped.toString();
    }

    private void process(List<Delta<Item>> deltas, List<Delta<Item>> popped) {
      popped.addAll(deltas);
      for (Delta<Item> delta : deltas) {
        if (delta instanceof Delta.Upserted<Item> upserted) {
          store.update(upserted.value());
        } else if (delta instanceof Delta.Deleted<Item> deleted) {
          store.deleteByKey(deleted.key());
        }
      }
    }

    @Operation
    public void bookmark() {
      queue.bookmark("2");
    }
  }

  /** With atomic events. */
  public static final class AtomicRealFIFO extends QueueWithConsumer {
    @Override
    Queue<Item> create(KnownObjects<Item> known) {
      return RealFIFO.<Item>builder(Item.KEY)
          .unlockWhileProcessing(true)
          .emitBookmarks(true)
          .build();
    }
  }

  /** With known objects. */
  public static final class RealFIFOWithKnownObjects extends QueueWithConsumer {
    @Override
    Queue<Item> create(KnownObjects<Item> known) {
      return RealFIFO.<Item>builder(Item.KEY).knownObjects(known).build();
    }
  }

  /** With known objects. */
  public static final class DeltaFIFOWithKnownObjects extends QueueWithConsumer {
    @Override
    Queue<Item> create(KnownObjects<Item> known) {
      return DeltaFIFO.<Item>builder(Item.KEY).knownObjects(known).build();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        AtomicRealFIFO.class,
        RealFIFOWithKnownObjects.class,
        DeltaFIFOWithKnownObjects.class
      })
  void operations_areLinearizable(Class<?> operations) {
    Lincheck.options()
        // A list arrives while the consumer is between taking out and storing.
        .addCustomScenario(scenario("update:1", "pop", "replace:2", "pop pop pop"))
        .addCustomScenario(scenario("update:1", "pop", "resync", "pop pop"))
        .addCustomScenario(scenario("replace:1", "pop", "update:1 hasSynced", "hasSynced pop"))
        .addCustomScenario(scenario("", "update:1", "update:2 pop", "pop"))
        .addCustomScenario(scenario("replace:1 update:1", "popBatch", "delete:1", "popBatch"))
        .addCustomScenario(scenario("update:1", "popBatch", "delete:2 bookmark", "popBatch pop"))
        .check(operations);
  }

  private static ExecutionScenario scenario(
      String before, String thread1, String thread2, String after) {
    return Lincheck.scenario(QueueWithConsumer.class, before, thread1, thread2, after);
  }
}
