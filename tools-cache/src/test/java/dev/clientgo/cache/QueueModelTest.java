package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.Delta.Bookmark;
import dev.clientgo.cache.Delta.Cases;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ReplacedAll;
import dev.clientgo.cache.Delta.SyncAll;
import dev.clientgo.cache.Delta.Upserted;
import dev.clientgo.cache.metrics.InformerMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server that changes at random, a producer that watches it, loses the watch and lists again, and
 * a slow consumer that fills a store. In any order of their steps, the store finally equals the
 * server.
 */
@Timeout(300)
final class QueueModelTest {

  private static final int STEPS = 400;

  static Stream<Arguments> queues() {
    return Stream.of(
        queue(
            "RealFIFO",
            (known, metrics) ->
                RealFIFO.<Item>builder(Item.KEY).knownObjects(known).metrics(metrics).build()),
        queue(
            "RealFIFO, atomic",
            (known, metrics) ->
                RealFIFO.<Item>builder(Item.KEY)
                    .metrics(metrics)
                    .unlockWhileProcessing(true)
                    .emitBookmarks(true)
                    .build()),
        queue(
            "DeltaFIFO",
            (known, metrics) ->
                DeltaFIFO.<Item>builder(Item.KEY).knownObjects(known).metrics(metrics).build()));
  }

  /** Creates a queue for a consumer with those objects. */
  private interface Creator extends BiFunction<KnownObjects<Item>, InformerMetrics, Queue<Item>> {}

  private static Arguments queue(String name, Creator create) {
    return Arguments.argumentSet(name, create);
  }

  @ParameterizedTest
  @MethodSource("queues")
  void store_afterManyRandomSteps_showsWhatTheServerHas(Creator create) {
    Seeds.forEachOf(
        100,
        seed -> {
          try {
            new World(seed, create).run();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static final class World implements Cases<Item, Void>, InformerMetrics {
    final Random random;
    final Map<String, Item> server = new HashMap<>();
    final Indexer<Item> store = Indexer.create(Item.KEY);
    final Queue<Item> queue;
    boolean watching;
    int version;
    int queued;

    World(long seed, Creator create) {
      random = new Random(seed);
      queue = create.apply(store, this);
    }

    void run() throws InterruptedException {
      for (int i = 0; i < STEPS; i++) {
        int step = random.nextInt(100);
        if (step < 55) {
          changeServer();
        } else if (step < 60) {
          watching = false;
        } else if (step < 70) {
          list();
        } else if (step < 73) {
          queue.resync();
        } else if (queued > 0) {
          consumeSome();
        }
      }
      list();
      queue.close();
      while (queue.popBatch(this::processBatch, this::process)) {}
      assertThat(store.list()).containsExactlyInAnyOrderElementsOf(server.values());
      assertThat(queue.hasSynced()).isTrue();
    }

    private void changeServer() {
      String name = "i" + random.nextInt(6);
      Item old = server.get(name);
      Item item = new Item(name, ++version);
      if (old == null) {
        server.put(name, item);
        report(() -> queue.add(item));
      } else if (random.nextBoolean()) {
        server.put(name, item);
        report(() -> queue.update(item));
      } else {
        server.remove(name);
        report(() -> queue.delete(item));
      }
    }

    private void report(Runnable event) {
      if (watching) {
        event.run();
      }
    }

    private void list() {
      queue.replace(new ArrayList<>(server.values()), String.valueOf(version));
      watching = true;
    }

    private void consumeSome() throws InterruptedException {
      if (random.nextBoolean()) {
        queue.pop(this::process);
      } else {
        queue.popBatch(this::processBatch, this::process);
      }
    }

    @Override
    public void queueLength(int length) {
      queued = length;
    }

    @Override
    public void processed(Duration duration) {}

    private void processBatch(List<Delta<Item>> batch, boolean isInInitialList) {
      assertThat(batch.stream().map(delta -> ((Delta.ObjectDelta<Item>) delta).key()))
          .doesNotHaveDuplicates();
      process(batch, isInInitialList);
    }

    private void process(List<Delta<Item>> deltas, boolean isInInitialList) {
      assertThat(isInInitialList).isEqualTo(!queue.hasSynced());
      deltas.forEach(delta -> delta.match(this));
    }

    @Override
    public Void upserted(Upserted<Item> delta) {
      // No queue may bring back an older state of an object.
      store
          .getByKey(delta.key())
          .ifPresent(old -> assertThat(delta.value().value()).isGreaterThanOrEqualTo(old.value()));
      store.update(delta.value());
      return null;
    }

    @Override
    public Void deleted(Deleted<Item> delta) {
      store.deleteByKey(delta.key());
      return null;
    }

    @Override
    public Void replacedAll(ReplacedAll<Item> delta) {
      store.replace(List.copyOf(delta.objects().values()), delta.resourceVersion());
      return null;
    }

    @Override
    public Void syncAll(SyncAll<Item> delta) {
      return null;
    }

    @Override
    public Void bookmark(Bookmark<Item> delta) {
      store.bookmark(delta.resourceVersion());
      return null;
    }
  }
}
