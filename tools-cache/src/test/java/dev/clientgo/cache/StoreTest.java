package dev.clientgo.cache;

import static dev.clientgo.cache.Item.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.cache.Transaction.Delete;
import dev.clientgo.cache.Transaction.DeleteByKey;
import dev.clientgo.cache.Transaction.Put;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The methods that all stores have. {@link IndexerTest} tests those of an indexer. */
final class StoreTest {

  /** Refuses items with negative values. */
  private static final KeyFunction<Item> KEY =
      item -> {
        if (item.value() < 0) {
          throw new UnsupportedOperationException("negative value");
        }
        return item.name();
      };

  private final Store<Item> store = Indexer.create(KEY);

  /** A store keeps the newest object of each key (TestCache, doTestStore). */
  @Test
  void store_keepsTheNewestObjectOfEachKey() {
    store.add(item("foo", 1));
    assertThat(store.get(item("foo", 0))).contains(item("foo", 1));
    store.update(item("foo", 2));
    assertThat(store.getByKey("foo")).contains(item("foo", 2));
    store.delete(item("foo", 0));
    assertThat(store.get(item("foo", 0))).isEmpty();

    store.add(item("a", 1));
    store.add(item("c", 2));
    store.add(item("e", 3));
    assertThat(store.list()).containsExactlyInAnyOrder(item("a", 1), item("c", 2), item("e", 3));
    assertThat(store.listKeys()).containsExactlyInAnyOrder("a", "c", "e");
    store.deleteByKey("a");
    store.deleteByKey("never-there");

    store.replace(List.of(item("foo", 3), item("c", 4)), "0");
    store.resync();
    assertThat(store.list()).containsExactlyInAnyOrder(item("foo", 3), item("c", 4));
    assertThat(store.getByKey("e")).isEmpty();
  }

  @Test
  void list_isASnapshot() {
    store.add(item("foo", 1));
    List<Item> before = store.list();
    List<String> keys = store.listKeys();

    store.add(item("bar", 1));

    assertThat(before).containsExactly(item("foo", 1));
    assertThat(keys).containsExactly("foo");
    assertThatThrownBy(() -> before.add(item("baz", 1)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** A change of an object without a key fails and has no effect (TestKeyError). */
  @Test
  void change_ofObjectWithoutKey_failsAndChangesNothing() {
    Item broken = item("foo", -1);
    store.add(item("foo", 1));

    for (Runnable change :
        List.<Runnable>of(
            () -> store.add(broken),
            () -> store.update(broken),
            () -> store.delete(broken),
            () -> store.get(broken),
            () -> store.replace(List.of(item("bar", 1), broken), "5"))) {
      assertThatExceptionOfType(KeyException.class)
          .isThrownBy(change::run)
          .withMessageContaining("negative value")
          .withCauseInstanceOf(UnsupportedOperationException.class);
    }

    assertThat(store.list()).containsExactly(item("foo", 1));
    assertThat(store.lastStoreSyncResourceVersion()).isEmpty();
  }

  @Test
  void transaction_makesChangesInOrder() {
    store.replace(List.of(item("a", 1), item("b", 1)), "1");

    store.transaction(
        List.of(
            new Put<>(item("c", 1)),
            new Delete<>(item("a", 1)),
            new DeleteByKey<>("b"),
            new Put<>(item("d", 1)),
            new Put<>(item("b", 2)),
            new Delete<>(item("d", 1))));

    assertThat(store.list()).containsExactlyInAnyOrder(item("b", 2), item("c", 1));
  }

  /** A transaction lists the changes that failed (TestCacheTransactionShouldIndexErrors). */
  static Stream<Arguments> transactions() {
    return Stream.of(
            List.of(List.of(1, -1, 2, -1), List.of(0, 2)),
            List.of(List.of(-1, -1), List.<Integer>of()),
            List.of(List.of(-1), List.<Integer>of()),
            List.of(List.of(1, 2, -1), List.of(0, 1)))
        .map(row -> Arguments.of(row.get(0), row.get(1)));
  }

  /** One bug may concern every object; ten errors are enough to find it. */
  @Test
  void transaction_withManyFailures_attachesTen() {
    List<Transaction<Item>> changes = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      changes.add(new Put<>(item("i" + i, -1)));
    }

    assertThatExceptionOfType(TransactionException.class)
        .isThrownBy(() -> store.transaction(changes))
        .withMessageStartingWith("failed to execute (1000/1000) transactions, first because of: ")
        .withMessageEndingWith(" (the first 10 are attached, and 990 more)")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(10));
  }

  @ParameterizedTest
  @MethodSource("transactions")
  void transaction_withObjectsWithoutKey_makesTheOthersAndTellsWhich(
      List<Integer> values, List<Integer> successful) {
    List<Transaction<Item>> changes =
        values.stream()
            .<Transaction<Item>>map(value -> new Put<>(item("i" + value, value)))
            .toList();

    assertThatExceptionOfType(TransactionException.class)
        .isThrownBy(() -> store.transaction(changes))
        .satisfies(
            e -> {
              assertThat(e.total()).isEqualTo(values.size());
              assertThat(e.successfulIndices()).isEqualTo(successful);
              assertThat(e.getSuppressed()).hasSize(values.size() - successful.size());
            })
        .withMessageStartingWith(
            "failed to execute (%s/%s) transactions",
            values.size() - successful.size(), values.size())
        .withMessageContaining("negative value");

    assertThat(store.list())
        .containsExactlyInAnyOrderElementsOf(
            successful.stream().map(i -> item("i" + values.get(i), values.get(i))).toList());
  }

  @Test
  void transaction_ofNothing_doesNothing() {
    store.transaction(List.of());

    assertThat(store.list()).isEmpty();
  }

  /** The version of a store is that of the objects that readers see (TestThreadSafeStoreRV). */
  @Test
  void lastStoreSyncResourceVersion_followsWhatReadersCanSee() {
    Store<ApiObject> store = Indexer.create(KeyFunction.metaNamespace());
    assertThat(store.lastStoreSyncResourceVersion()).isEmpty();

    store.add(ApiObject.of("a", "10"));
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("10");
    store.add(ApiObject.of("b", "10"));
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("10");
    store.update(ApiObject.of("b", "20"));
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("20");
    store.delete(ApiObject.of("b", "30"));
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("30");
    store.deleteByKey("a");
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("30");
    store.transaction(
        List.of(
            new Put<>(ApiObject.of("c", "40")),
            new Put<>(ApiObject.of("d", "35")),
            new Put<>(ApiObject.of("e", "50"))));
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("50");
    store.replace(List.of(ApiObject.of("f", "40"), ApiObject.of("g", "45")), "60");
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("60");
    store.bookmark("70");
    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("70");
  }

  @Test
  void lastStoreSyncResourceVersion_ofObjectsWithoutMetadata_staysAtTheLastList() {
    Store<Item> store = Indexer.create(KEY);
    store.replace(List.of(), "30");

    store.add(item("foo", 1));

    assertThat(store.lastStoreSyncResourceVersion()).isEqualTo("30");
  }

  @Test
  void nullKeys_areRefused() {
    Indexer<ApiObject> indexer =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()));

    assertThatThrownBy(() -> indexer.getByKey(null)).hasMessage("key");
    assertThatThrownBy(() -> indexer.deleteByKey(null)).hasMessage("key");
    assertThatThrownBy(() -> indexer.byIndex(Indexer.NAMESPACE_INDEX, null))
        .hasMessage("indexedValue");
    assertThatThrownBy(() -> indexer.indexKeys(Indexer.NAMESPACE_INDEX, null))
        .hasMessage("indexedValue");
  }
}
