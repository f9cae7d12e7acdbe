package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.Transaction.Delete;
import dev.clientgo.cache.Transaction.DeleteByKey;
import dev.clientgo.cache.Transaction.Put;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Makes random changes to an indexer and to a plain map, and compares both after each change. Some
 * changes fail, and must leave no trace. Snapshots that were taken on the way must not change.
 */
@Timeout(300)
final class IndexerModelTest {

  private static final int CHANGES = 300;

  /** Few keys and values, so that they collide. */
  private record Thing(String key, int value) {

    List<String> factors() {
      List<String> factors = new ArrayList<>();
      for (int i = 2; i <= 5; i++) {
        if (value % i == 0) {
          factors.add("by" + i);
        }
      }
      return factors;
    }

    List<String> parity() {
      if (value == 13) {
        throw new UnsupportedOperationException("13 is neither");
      }
      return List.of(value % 2 == 0 ? "even" : "odd");
    }
  }

  private static final Map<String, IndexFunction<Thing>> INDEXERS =
      Map.of("factors", Thing::factors, "parity", Thing::parity);

  private static final class Model {
    final Random random;
    final int keys;
    final Map<String, Thing> things = new HashMap<>();
    final Indexer<Thing> indexer = Indexer.create(Thing::key, INDEXERS);
    final Map<IndexSnapshot<Thing>, Map<String, Thing>> kept = new HashMap<>();

    Model(long seed) {
      random = new Random(seed);
      // Sometimes so many that the sets of keys grow and shrink.
      keys = random.nextInt(10) == 0 ? 500 : 8;
    }

    Thing thing() {
      return new Thing("k" + random.nextInt(keys), random.nextInt(20));
    }

    void change() {
      switch (random.nextInt(10)) {
        case 0 -> replace();
        case 1, 2 -> transaction();
        case 3, 4 -> {
          Thing thing = thing();
          indexer.delete(thing);
          things.remove(thing.key);
        }
        case 5 -> {
          String key = thing().key;
          indexer.deleteByKey(key);
          things.remove(key);
        }
        default -> {
          Thing thing = thing();
          if (succeeds(() -> indexer.update(thing), thing)) {
            things.put(thing.key, thing);
          }
        }
      }
    }

    private void replace() {
      List<Thing> list = new ArrayList<>();
      for (int i = random.nextInt(keys); i > 0; i--) {
        list.add(thing());
      }
      Map<String, Thing> replaced = new HashMap<>();
      list.forEach(thing -> replaced.put(thing.key, thing));
      Runnable replace = () -> indexer.replace(list, "1");
      if (succeeds(replace, replaced.values().toArray(Thing[]::new))) {
        things.clear();
        things.putAll(replaced);
      }
    }

    private void transaction() {
      List<Transaction<Thing>> changes = new ArrayList<>();
      List<Integer> successful = new ArrayList<>();
      int size = random.nextInt(12);
      for (int i = 0; i < size; i++) {
        Thing thing = thing();
        int kind = random.nextInt(4);
        if (kind > 1) {
          changes.add(new Put<>(thing));
          if (thing.value == 13) {
            continue;
          }
          things.put(thing.key, thing);
        } else {
          changes.add(kind == 0 ? new Delete<>(thing) : new DeleteByKey<>(thing.key));
          things.remove(thing.key);
        }
        successful.add(i);
      }
      try {
        indexer.transaction(changes);
        assertThat(successful).hasSize(changes.size());
      } catch (TransactionException e) {
        assertThat(e.successfulIndices()).isEqualTo(successful);
        assertThat(e.total()).isEqualTo(changes.size());
      }
    }

    private static boolean succeeds(Runnable change, Thing... things) {
      boolean expected = true;
      for (Thing thing : things) {
        expected &= thing.value != 13;
      }
      boolean actual;
      try {
        change.run();
        actual = true;
      } catch (IllegalStateException e) {
        actual = false;
      }
      assertThat(actual).isEqualTo(expected);
      return actual;
    }

    void assertConsistent() {
      assertConsistent(indexer, things);
    }

    /** Takes a snapshot, to be compared with the state of now when all changes are made. */
    void keepSnapshot() {
      kept.put(indexer.snapshot(), Map.copyOf(things));
    }

    static void assertConsistent(IndexReader<Thing> indexer, Map<String, Thing> things) {
      assertThat(indexer.list()).containsExactlyInAnyOrderElementsOf(things.values());
      assertThat(indexer.listKeys()).containsExactlyInAnyOrderElementsOf(things.keySet());
      INDEXERS.forEach(
          (name, function) -> {
            Map<String, Set<String>> expected = new HashMap<>();
            things
                .values()
                .forEach(
                    thing ->
                        function
                            .indexValues(thing)
                            .forEach(
                                value ->
                                    expected
                                        .computeIfAbsent(value, v -> new TreeSet<>())
                                        .add(thing.key)));
            assertThat(indexer.listIndexFuncValues(name))
                .containsExactlyInAnyOrderElementsOf(expected.keySet());
            expected.forEach(
                (value, keys) -> {
                  assertThat(indexer.indexKeys(name, value)).containsExactlyElementsOf(keys);
                  assertThat(indexer.byIndex(name, value))
                      .containsExactlyInAnyOrderElementsOf(keys.stream().map(things::get).toList());
                });
          });
      Thing probe = new Thing("", 6);
      Set<Thing> byTwoOrThree = new HashSet<>(things.values());
      byTwoOrThree.removeIf(thing -> thing.value % 2 != 0 && thing.value % 3 != 0);
      assertThat(indexer.index("factors", probe)).containsExactlyInAnyOrderElementsOf(byTwoOrThree);
    }
  }

  @Test
  void indexer_afterEachOfManyRandomChanges_agreesWithTheModel() {
    Seeds.forEachOf(
        30,
        seed -> {
          Model model = new Model(seed);
          for (int i = 0; i < CHANGES; i++) {
            model.change();
            if (i % 50 == 0) {
              model.keepSnapshot();
            }
            // With many keys, comparing takes most of the time.
            if (model.keys < 100 || i % 25 == 0) {
              model.assertConsistent();
            }
          }
          model.assertConsistent();
          model.kept.forEach(Model::assertConsistent);
        });
  }
}
