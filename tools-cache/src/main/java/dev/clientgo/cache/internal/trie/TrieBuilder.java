package dev.clientgo.cache.internal.trie;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Makes a map of many keys at once: sorts them by their hashes, so that the keys of each node are
 * in a row.
 */
final class TrieBuilder<V> {

  private final List<String> keys = new ArrayList<>();
  private final List<V> values = new ArrayList<>();

  /** The hash of each key and, in the lower half, its place in the lists; sorted. */
  private final long[] order;

  TrieBuilder(Map<String, ? extends V> content) {
    order = new long[content.size()];
    content.forEach(
        (key, value) -> {
          // Hashes sort as unsigned numbers.
          order[keys.size()] =
              (long) (HashTrie.hash(key) ^ Integer.MIN_VALUE) << Integer.SIZE | keys.size();
          keys.add(key);
          values.add(value);
        });
    Arrays.sort(order);
  }

  HashTrie<V> build() {
    return node(0, order.length, 0);
  }

  private int position(int i, int depth) {
    return HashTrie.position((int) (order[i] >>> Integer.SIZE) ^ Integer.MIN_VALUE, depth);
  }

  /** Returns a node of the keys in a part of the order. */
  private HashTrie<V> node(int from, int to, int depth) {
    if (depth >= Integer.SIZE) {
      return sameHash(from, to);
    }
    Object[] nodesBelow = new Object[1 << HashTrie.BITS];
    Object[] slots = new Object[2 * Math.min(to - from, 1 << HashTrie.BITS) + nodesBelow.length];
    int entries = 0;
    int nodes = 0;
    int used = 0;
    int below = 0;
    for (int i = from; i < to; ) {
      int position = position(i, depth);
      int end = i + 1;
      while (end < to && position(end, depth) == position) {
        end++;
      }
      if (end == i + 1) {
        entries |= position;
        used = put(slots, used, (int) order[i]);
      } else {
        nodes |= position;
        nodesBelow[below++] = node(i, end, depth + HashTrie.BITS);
      }
      i = end;
    }
    System.arraycopy(nodesBelow, 0, slots, used, below);
    return new HashTrie<>(entries, nodes, to - from, Arrays.copyOf(slots, used + below));
  }

  private HashTrie<V> sameHash(int from, int to) {
    List<Integer> sorted = new ArrayList<>();
    for (int i = from; i < to; i++) {
      sorted.add((int) order[i]);
    }
    sorted.sort((a, b) -> keys.get(a).compareTo(keys.get(b)));
    Object[] slots = new Object[2 * (to - from)];
    int used = 0;
    for (int place : sorted) {
      used = put(slots, used, place);
    }
    return new HashTrie<>(0, 0, to - from, slots);
  }

  private int put(Object[] slots, int at, int place) {
    slots[at] = keys.get(place);
    slots[at + 1] = values.get(place);
    return at + 2;
  }
}
