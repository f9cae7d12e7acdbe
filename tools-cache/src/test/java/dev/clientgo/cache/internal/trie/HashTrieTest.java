package dev.clientgo.cache.internal.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.cache.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class HashTrieTest {

  private static final int CHANGES = 2_000;

  /** Returns one of many keys that all have the same hash, because those of Aa and BB are equal. */
  private static String colliding(int number) {
    StringBuilder key = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      key.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return key.toString();
  }

  /** Keys whose hashes are spread, are the same, or agree in many of the bits that come first. */
  private static String key(Random random, int keys) {
    int number = random.nextInt(keys);
    return switch (number % 3) {
      case 0 -> "shop/pod-" + number;
      case 1 -> colliding(number % 1024);
      default -> Character.toString((char) (number << 5 & 0xFFFF));
    };
  }

  private static void assertSame(HashTrie<Integer> trie, Map<String, Integer> model) {
    assertThat(trie.size()).isEqualTo(model.size());
    assertThat(trie.isEmpty()).isEqualTo(model.isEmpty());
    model.forEach((key, value) -> assertThat(trie.get(key)).isEqualTo(value));
    Map<String, Integer> content = new HashMap<>();
    trie.forEach(content::put);
    assertThat(content).isEqualTo(model);
    // The structure, and so the order, does not depend on how the content came about.
    assertThat(trie).hasToString(TrieBuilder.copyOf(model).toString());
    assertListsAgree(trie);
  }

  private static void assertListsAgree(HashTrie<Integer> trie) {
    List<String> keys = trie.keys();
    List<Integer> values = trie.values();
    List<Integer> each = new ArrayList<>();
    values.forEach(each::add);
    assertThat(each).hasSize(trie.size());
    assertThat(new ArrayList<>(values)).isEqualTo(each);
    int i = 0;
    for (String key : keys) {
      assertThat(keys.get(i)).isEqualTo(key);
      assertThat(values.get(i)).isEqualTo(trie.get(key)).isEqualTo(each.get(i));
      i++;
    }
    assertThat(i).isEqualTo(trie.size());
  }

  @Test
  void changes_manyRandomOnes_agreeWithAHashMap_andLeaveEarlierMapsAsTheyWere() {
    Seeds.forEachOf(
        20,
        seed -> {
          Random random = new Random(seed);
          int keys = random.nextBoolean() ? 40 : 3_000;
          Map<String, Integer> model = new HashMap<>();
          HashTrie<Integer> trie = HashTrie.empty();
          Map<HashTrie<Integer>, Map<String, Integer>> earlier = new HashMap<>();
          for (int i = 0; i < CHANGES; i++) {
            String key = key(random, keys);
            boolean grow = i < CHANGES / 2 ? random.nextInt(4) > 0 : random.nextInt(4) == 0;
            if (grow) {
              model.put(key, i);
              trie = trie.with(key, i);
            } else {
              model.remove(key);
              trie = trie.without(key);
            }
            assertThat(trie.get(key)).isEqualTo(model.get(key));
            if (i % 100 == 0) {
              assertSame(trie, model);
              earlier.put(trie, Map.copyOf(model));
            }
          }
          for (String key : List.copyOf(model.keySet())) {
            trie = trie.without(key);
          }
          assertSame(trie, Map.of());
          earlier.forEach(HashTrieTest::assertSame);
        });
  }

  @Test
  void with_manyKeysOfOneHash_findsEach() {
    Map<String, Integer> model = new HashMap<>();
    HashTrie<Integer> trie = HashTrie.empty();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 1024; i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, new Random(1));
    for (int number : numbers) {
      model.put(colliding(number), number);
      trie = trie.with(colliding(number), number);
    }

    assertThat(model.keySet().stream().map(String::hashCode).distinct()).hasSize(1);
    assertSame(trie, model);
    assertThat(trie.get("another")).isNull();
    assertThat(trie.get(colliding(5).replace("BB", "C#"))).isNull();
    assertThat(trie.without(colliding(5).replace("BB", "C#"))).isSameAs(trie);
  }

  @Test
  void change_thatChangesNothing_returnsTheSameMap() {
    Integer one = 1;
    HashTrie<Integer> trie = HashTrie.<Integer>empty().with("a", one).with(colliding(1), 2);

    assertThat(trie.with("a", one)).isSameAs(trie);
    assertThat(trie.without("b")).isSameAs(trie);
    assertThat(trie.without("a").without(colliding(1))).isSameAs(HashTrie.empty());
  }

  @Test
  void lists_atTheirEnd_throw() {
    HashTrie<Integer> trie = HashTrie.<Integer>empty().with("a", 1);
    Iterator<Integer> values = trie.values().iterator();
    values.next();

    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(values::next);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> trie.values().get(1));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> trie.values().add(2));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> trie.keys().remove(0));
  }

  @Test
  void changedKeys_ofAnyTwoStates_areThoseWithAnotherValue() {
    Seeds.forEachOf(
        20,
        seed -> {
          Random random = new Random(seed);
          int keys = random.nextBoolean() ? 40 : 3_000;
          HashTrie<Integer> before = HashTrie.empty();
          HashTrie<Integer> trie = HashTrie.empty();
          for (int i = 0; i < CHANGES; i++) {
            String key = key(random, keys);
            trie = random.nextInt(3) == 0 ? trie.without(key) : trie.with(key, 1_000 + i);
            if (random.nextInt(40) == 0) {
              Set<String> different = new HashSet<>();
              for (String each : trie.keys()) {
                if (!Objects.equals(trie.get(each), before.get(each))) {
                  different.add(each);
                }
              }
              for (String each : before.keys()) {
                if (trie.get(each) == null) {
                  different.add(each);
                }
              }
              assertThat(trie.changedKeys(before)).isEqualTo(different);
              assertThat(before.changedKeys(trie)).isEqualTo(different);
              before = trie;
            }
          }
        });
  }
}
