package dev.clientgo.apimachinery.json.internal.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArrayMapTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 8, 9, 16, 17, 64, 126, 127, 128, 129, 1000, 40_000})
  void copyOf_mapOfEachSize_equalsIt(int size) {
    Map<String, Integer> expected = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      expected.put("key-" + i, i % 5 == 0 ? null : i);
    }

    Map<String, Integer> map = ArrayMap.copyOf(expected);

    assertSame(map, expected);
    assertThat(ArrayMap.copyOf(map)).isSameAs(map);
    expected.put("later", 1);
    assertThat(map).doesNotContainKey("later");
  }

  @Test
  void copyOf_randomKeysAndOrders_behavesAsLinkedHashMap() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      int pairs = random.nextInt(round % 100 == 0 ? 400 : 24);
      Map<String, Integer> expected = new LinkedHashMap<>();
      List<Object> entries = new ArrayList<>();
      for (int i = 0; i < pairs; i++) {
        String key = randomKey(random, pairs);
        Integer value = random.nextInt(4) == 0 ? null : random.nextInt();
        expected.put(key, value);
        entries.add(key);
        entries.add(value);
      }
      // The elements around the range must not matter.
      entries.add(0, "before");
      entries.add("behind");

      Map<String, Integer> map = ArrayMap.copyOf(entries.toArray(), 1, entries.size() - 1);

      try {
        assertSame(map, expected);
        for (int i = 0; i < 8; i++) {
          String key = randomKey(random, pairs);
          assertThat(map.get(key)).isEqualTo(expected.get(key));
          assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
          assertThat(map.getOrDefault(key, 7)).isEqualTo(expected.getOrDefault(key, 7));
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }

  /** Returns one of some keys, many of which have the same hash. */
  private static String randomKey(Random random, int pairs) {
    StringBuilder key = new StringBuilder();
    for (int bits = random.nextInt(pairs * 2 + 1); bits > 0; bits >>= 1) {
      key.append((bits & 1) == 0 ? "Aa" : "BB"); // equal hashes
    }
    return key.toString();
  }

  private static void assertSame(Map<String, Integer> map, Map<String, Integer> expected) {
    assertThat(map.entrySet().toArray()).isEqualTo(expected.entrySet().toArray());
    assertThat(map.keySet().toArray()).isEqualTo(expected.keySet().toArray());
    assertThat(map.values().toArray()).isEqualTo(expected.values().toArray());
    assertThat(map.size()).isEqualTo(expected.size());
    assertThat(map.isEmpty()).isEqualTo(expected.isEmpty());
    assertThat(map.equals(expected)).isTrue();
    assertThat(expected.equals(map)).isTrue();
    assertThat(map.hashCode()).isEqualTo(expected.hashCode());
    assertThat(map.toString()).isEqualTo(expected.toString());
    expected.forEach(
        (key, value) -> {
          assertThat(map.get(new String(key))).isEqualTo(value);
          assertThat(map.containsKey(key)).isTrue();
          assertThat(map.entrySet().contains(Map.entry(key, 0)))
              .isEqualTo(expected.entrySet().contains(Map.entry(key, 0)));
        });
    assertThat(map.get("nowhere")).isNull();
    assertThat(map.containsKey("nowhere")).isFalse();
    assertThat(map.containsKey(null)).isFalse();
  }

  @Test
  void copyOf_empty_isShared() {
    assertThat(ArrayMap.copyOf(new LinkedHashMap<>())).isSameAs(ArrayMap.empty());
    assertThat(ArrayMap.copyOf(new Object[4], 2, 2)).isSameAs(ArrayMap.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 200})
  void change_anyWay_isRefused(int size) {
    Map<String, Integer> source = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      source.put("key-" + i, i);
    }
    Map<String, Integer> map = ArrayMap.copyOf(source);
    List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> changes =
        List.of(
            () -> map.put("key-0", 1),
            () -> map.remove("key-0"),
            map::clear,
            () -> map.keySet().remove("key-0"),
            () -> map.values().clear(),
            () -> map.entrySet().iterator().next().setValue(9),
            () -> map.replaceAll((key, value) -> 9),
            () -> map.merge("key-0", 9, Integer::sum),
            () -> map.computeIfAbsent("new", key -> 9),
            () -> {
              var entries = map.entrySet().iterator();
              entries.next();
              entries.remove();
            });

    for (var change : changes) {
      assertThatThrownBy(change).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(map).isEqualTo(source);
  }

  @Test
  void iterator_behindTheLast_throws() {
    var entries = ArrayMap.copyOf(Map.of("a", 1)).entrySet().iterator();
    entries.next();

    assertThat(entries.hasNext()).isFalse();
    assertThatThrownBy(entries::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void copyOf_nullKey_isRefused() {
    Map<String, Integer> source = new LinkedHashMap<>();
    source.put(null, 1);

    assertThatThrownBy(() -> ArrayMap.copyOf(source)).isInstanceOf(NullPointerException.class);
  }
}
