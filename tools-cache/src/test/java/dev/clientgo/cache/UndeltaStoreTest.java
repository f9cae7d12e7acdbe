package dev.clientgo.cache;

import static dev.clientgo.cache.Item.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.KeyException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class UndeltaStoreTest {

  private final List<Set<Item>> pushed = new ArrayList<>();
  private final UndeltaStore<Item> store =
      UndeltaStore.create(Item.KEY, items -> pushed.add(new HashSet<>(items)));

  /**
   * The whole state follows each change (TestUpdateCallsPush, TestDeleteCallsPush,
   * TestReplaceCallsPush).
   */
  @Test
  void eachChange_isFollowedByTheWholeState() {
    store.add(item("a", 1));
    store.add(item("b", 1));
    store.update(item("a", 2));
    store.delete(item("b", 1));
    store.replace(List.of(item("c", 1), item("d", 1)), "5");

    assertThat(pushed)
        .containsExactly(
            Set.of(item("a", 1)),
            Set.of(item("a", 1), item("b", 1)),
            Set.of(item("a", 2), item("b", 1)),
            Set.of(item("a", 2)),
            Set.of(item("c", 1), item("d", 1)));
  }

  /** Reads, bookmarks and resyncs push nothing (TestReadsDoNotCallPush). */
  @Test
  void whatIsNoChange_isNotPushed() {
    assertThat(store.list()).isEmpty();
    store.resync();
    store.bookmark("7");

    assertThat(pushed).isEmpty();
  }

  @Test
  void change_whoseObjectHasNoKey_isNotPushed() {
    UndeltaStore<Item> broken =
        UndeltaStore.create(
            item -> {
              throw new IllegalStateException("no key");
            },
            items -> pushed.add(new HashSet<>(items)));

    assertThatThrownBy(() -> broken.add(item("a", 1))).isInstanceOf(KeyException.class);
    assertThat(pushed).isEmpty();
  }
}
