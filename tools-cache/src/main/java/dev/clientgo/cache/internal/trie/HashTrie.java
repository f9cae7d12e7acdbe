package dev.clientgo.cache.internal.trie;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from strings to values. A change returns another map, which shares all but a few
 * nodes with this one. So a reader that holds a map sees one state for as long as it likes, and a
 * writer never copies the whole.
 *
 * <p>A map is a tree of nodes; each node is a map itself. Five bits of a key's hash choose one of
 * 32 positions in the root, the next five bits one in the node below, and so on. A position holds
 * nothing, a key and its value, or a node with at least two keys. A map of 20,000 keys is three to
 * four nodes deep, and takes about 22 bytes for a key beside key and value.
 *
 * <p>The order of keys and values is that of the hashes. Safe for use by many threads. The
 * structure is known as a hash array mapped trie in the compressed form of Steindorfer and Vinju
 * (CHAMP, 2015).
 *
 * @param <V> the type of the values
 */
public final class HashTrie<V> {

  /** How many bits of a hash choose a position in one node. */
  static final int BITS = 5;

  /** Nodes this deep have no bits left: all their keys have the same hash. */
  private static final int HASH_LENGTH = 32;

  /** The most nodes from the root to a key: seven that divide the bits, and one without any. */
  static final int MAX_DEPTH = (HASH_LENGTH + BITS - 1) / BITS + 1;

  private static final HashTrie<?> EMPTY = new HashTrie<>(0, 0, 0, new Object[0]);

  /** The positions that hold a key and its value, one bit for each. */
  private final int entries;

  /** The positions that hold a node. */
  private final int nodes;

  private final int size;

  /**
   * Each key followed by its value, then the nodes, both in the order of their positions. If all
   * keys have the same hash, the keys in alphabetical order, each followed by its value.
   */
  private final Object[] slots;

  HashTrie(int entries, int nodes, int size, Object[] slots) {
    this.entries = entries;
    this.nodes = nodes;
    this.size = size;
    this.slots = slots;
  }

  /** Returns the map without keys. */
  @SuppressWarnings("unchecked") // It has no values.
  public static <V> HashTrie<V> empty() {
    return (HashTrie<V>) EMPTY;
  }

  /** Returns the number of keys. */
  public int size() {
    return size;
  }

  /** Returns whether there are no keys. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the keys. The list copies nothing. */
  public List<String> keys() {
    return new Elements<>(this, 0);
  }

  /** Returns the values, in the order of their keys. The list copies nothing. */
  public List<V> values() {
    return new Elements<>(this, 1);
  }

  /** Gives each key and its value to an action. */
  public void forEach(BiConsumer<? super String, ? super V> action) {
    int nodesAt = 2 * ownKeys();
    for (int at = 0; at < nodesAt; at += 2) {
      action.accept(key(at), value(at));
    }
    for (int at = nodesAt; at < slots.length; at++) {
      node(at).forEach(action);
    }
  }

  /**
   * Returns the keys whose value is not the same object in another map, from which this one was
   * made by changes. Nodes that both share are not looked at.
   */
  public Set<String> changedKeys(HashTrie<V> before) {
    Set<String> keys = new LinkedHashSet<>();
    addDifferentNodes(before, keys);
    keys.removeIf(key -> get(key) == before.get(key)); // A key may only have moved to another node.
    return keys;
  }

  private void addDifferentNodes(HashTrie<V> other, Set<String> keys) {
    if (this == other) {
      return;
    }
    addOwnKeys(keys);
    other.addOwnKeys(keys);
    for (int rest = nodes | other.nodes; rest != 0; rest &= rest - 1) {
      int position = Integer.lowestOneBit(rest);
      HashTrie<V> here = (nodes & position) == 0 ? empty() : node(nodeAt(position));
      HashTrie<V> there =
          (other.nodes & position) == 0 ? empty() : other.node(other.nodeAt(position));
      here.addDifferentNodes(there, keys);
    }
  }

  private void addOwnKeys(Set<String> keys) {
    for (int at = 0; at < 2 * ownKeys(); at += 2) {
      keys.add(key(at));
    }
  }

  // ---- positions

  /** Spreads the bits, because the highest ones choose the position in the root. */
  static int hash(String key) {
    return key.hashCode() * 0x9E3779B9;
  }

  /** Returns the position of a hash in a node of that depth, as a bit. */
  static int position(int hash, int depth) {
    return 1 << ((hash << depth) >>> (HASH_LENGTH - BITS));
  }

  private static int before(int position, int positions) {
    return Integer.bitCount(positions & (position - 1));
  }

  private int entryAt(int position) {
    return 2 * before(position, entries);
  }

  private int nodeAt(int position) {
    return 2 * Integer.bitCount(entries) + before(position, nodes);
  }

  private String key(int at) {
    return (String) slots[at];
  }

  @SuppressWarnings("unchecked") // A value is behind each key.
  private V value(int at) {
    return (V) slots[at + 1];
  }

  @SuppressWarnings("unchecked") // Nodes are behind the keys and values.
  private HashTrie<V> node(int at) {
    return (HashTrie<V>) slots[at];
  }

  /** Returns the number of keys in this node, without those in the nodes below. */
  int ownKeys() {
    return nodes == 0 ? size : Integer.bitCount(entries);
  }

  /** Returns how many slots there are. */
  int slotCount() {
    return slots.length;
  }

  /** Returns what is in a slot: first the keys, each followed by its value, then the nodes. */
  Object slot(int at) {
    return slots[at];
  }

  // ---- reading

  /** Returns the value of a key, null if it is not there. */
  public @Nullable V get(String key) {
    int hash = hash(key);
    HashTrie<V> node = this;
    for (int depth = 0; depth < HASH_LENGTH; depth += BITS) {
      int position = position(hash, depth);
      if ((node.entries & position) != 0) {
        int at = node.entryAt(position);
        return node.key(at).equals(key) ? node.value(at) : null;
      } else if ((node.nodes & position) == 0) {
        return null;
      }
      node = node.node(node.nodeAt(position));
    }
    int at = node.search(key);
    return at < 0 ? null : node.value(at);
  }

  /**
   * Finds a key in a node whose keys have the same hash. If a user of the cluster makes many such
   * names, reads are still fast.
   *
   * @return its slot, or -1 less the slot in which it would have to be
   */
  private int search(String key) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = key(2 * middle).compareTo(key);
      if (order == 0) {
        return 2 * middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - 2 * low;
  }

  // ---- changing

  /** Returns this map with another value for a key. */
  public HashTrie<V> with(String key, V value) {
    return with(key, hash(key), value, 0);
  }

  private HashTrie<V> with(String key, int hash, V value, int depth) {
    if (depth >= HASH_LENGTH) {
      return withSameHash(key, value);
    }
    int position = position(hash, depth);
    if ((entries & position) != 0) {
      int at = entryAt(position);
      return key(at).equals(key)
          ? withValue(at, value)
          : withNodeForEntry(position, at, key, hash, value, depth);
    } else if ((nodes & position) != 0) {
      int at = nodeAt(position);
      HashTrie<V> node = node(at);
      return withNode(at, node, node.with(key, hash, value, depth + BITS));
    }
    return new HashTrie<>(
        entries | position, nodes, size + 1, inserted(entryAt(position), key, value));
  }

  private HashTrie<V> withSameHash(String key, V value) {
    int at = search(key);
    return at >= 0
        ? withValue(at, value)
        : new HashTrie<>(0, 0, size + 1, inserted(-1 - at, key, value));
  }

  private HashTrie<V> withValue(int at, V value) {
    if (slots[at + 1] == value) {
      return this;
    }
    Object[] changed = slots.clone();
    changed[at + 1] = value;
    return new HashTrie<>(entries, nodes, size, changed);
  }

  private HashTrie<V> withNode(int at, HashTrie<V> node, HashTrie<V> changedNode) {
    if (node == changedNode) {
      return this;
    }
    Object[] changed = slots.clone();
    changed[at] = changedNode;
    return new HashTrie<>(entries, nodes, size - node.size + changedNode.size, changed);
  }

  /** Moves a key into a new node below, which has room for a second key. */
  private HashTrie<V> withNodeForEntry(
      int position, int at, String key, int hash, V value, int depth) {
    HashTrie<V> both =
        HashTrie.<V>empty()
            .with(key(at), hash(key(at)), value(at), depth + BITS)
            .with(key, hash, value, depth + BITS);
    int nodeAt = nodeAt(position);
    Object[] changed = new Object[slots.length - 1];
    System.arraycopy(slots, 0, changed, 0, at);
    System.arraycopy(slots, at + 2, changed, at, nodeAt - at - 2);
    changed[nodeAt - 2] = both;
    System.arraycopy(slots, nodeAt, changed, nodeAt - 1, slots.length - nodeAt);
    return new HashTrie<>(entries ^ position, nodes | position, size + 1, changed);
  }

  private Object[] inserted(int at, String key, V value) {
    Object[] changed = Arrays.copyOf(slots, slots.length + 2);
    System.arraycopy(slots, at, changed, at + 2, slots.length - at);
    changed[at] = key;
    changed[at + 1] = value;
    return changed;
  }

  /** Returns this map without a key; this one, if the key is not there. */
  public HashTrie<V> without(String key) {
    return without(key, hash(key), 0);
  }

  private HashTrie<V> without(String key, int hash, int depth) {
    if (depth >= HASH_LENGTH) {
      int at = search(key);
      return at < 0 ? this : withoutEntry(0, at);
    }
    int position = position(hash, depth);
    if ((entries & position) != 0) {
      int at = entryAt(position);
      return key(at).equals(key) ? withoutEntry(position, at) : this;
    } else if ((nodes & position) == 0) {
      return this;
    }
    int at = nodeAt(position);
    HashTrie<V> node = node(at);
    HashTrie<V> rest = node.without(key, hash, depth + BITS);
    return rest.size > 1 ? withNode(at, node, rest) : withEntryForNode(position, at, rest);
  }

  private HashTrie<V> withoutEntry(int position, int at) {
    if (size == 1) {
      return empty();
    }
    Object[] changed = new Object[slots.length - 2];
    System.arraycopy(slots, 0, changed, 0, at);
    System.arraycopy(slots, at + 2, changed, at, changed.length - at);
    return new HashTrie<>(entries ^ position, nodes, size - 1, changed);
  }

  /** Moves the only key that is left of a node up into this one. */
  private HashTrie<V> withEntryForNode(int position, int nodeAt, HashTrie<V> rest) {
    int at = entryAt(position);
    Object[] changed = new Object[slots.length + 1];
    System.arraycopy(slots, 0, changed, 0, at);
    changed[at] = rest.slots[0];
    changed[at + 1] = rest.slots[1];
    System.arraycopy(slots, at, changed, at + 2, nodeAt - at);
    System.arraycopy(slots, nodeAt + 1, changed, nodeAt + 2, slots.length - nodeAt - 1);
    return new HashTrie<>(entries | position, nodes ^ position, size - 1, changed);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    forEach((key, value) -> text.add(key + "=" + value));
    return text.toString();
  }

  /**
   * The keys of a map, or its values, as a list that copies nothing. {@code get(i)} takes as many
   * steps as the map is deep; the iterator is faster.
   */
  private static final class Elements<E> extends AbstractList<E> {

    private final HashTrie<?> trie;

    /** 0 for the keys, 1 for the values. */
    private final int offset;

    Elements(HashTrie<?> trie, int offset) {
      this.trie = trie;
      this.offset = offset;
    }

    @Override
    public int size() {
      return trie.size();
    }

    @SuppressWarnings("unchecked") // The offset says what is there.
    private E element(HashTrie<?> node, int at) {
      return (E) node.slot(at + offset);
    }

    @Override
    public E get(int index) {
      int left = Objects.checkIndex(index, size());
      HashTrie<?> node = trie;
      while (left >= node.ownKeys()) {
        left -= node.ownKeys();
        int at = 2 * node.ownKeys();
        HashTrie<?> below = (HashTrie<?>) node.slot(at);
        while (left >= below.size()) {
          left -= below.size();
          at++;
          below = (HashTrie<?>) node.slot(at);
        }
        node = below;
      }
      return element(node, 2 * left);
    }

    @Override
    public void forEach(Consumer<? super E> action) {
      forEach(trie, action);
    }

    private void forEach(HashTrie<?> node, Consumer<? super E> action) {
      int nodesAt = 2 * node.ownKeys();
      for (int at = 0; at < nodesAt; at += 2) {
        action.accept(element(node, at));
      }
      for (int at = nodesAt; at < node.slotCount(); at++) {
        forEach((HashTrie<?>) node.slot(at), action);
      }
    }

    @Override
    public Object[] toArray() {
      Object[] array = new Object[size()];
      int[] used = {0};
      forEach(element -> array[used[0]++] = element);
      return array;
    }

    @Override
    public Iterator<E> iterator() {
      return new DepthFirst();
    }

    /** Goes through the keys of a node, then through the nodes below it. */
    private final class DepthFirst implements Iterator<E> {

      /** The nodes that lead to the current one, it included, and the next node below each. */
      private final HashTrie<?>[] path = new HashTrie<?>[HashTrie.MAX_DEPTH];

      private final int[] nextBelow = new int[HashTrie.MAX_DEPTH];
      private int depth = -1;

      /** The current node's next key, and where its keys end. */
      private int at;

      private int end;
      private HashTrie<?> node = trie;
      private int left = size();

      DepthFirst() {
        enter(trie);
      }

      private void enter(HashTrie<?> below) {
        depth++;
        path[depth] = below;
        node = below;
        at = 0;
        end = 2 * below.ownKeys();
        nextBelow[depth] = end;
      }

      @Override
      public boolean hasNext() {
        return left > 0;
      }

      @Override
      public E next() {
        while (at == end) {
          enterNext();
        }
        left--;
        E element = element(node, at);
        at += 2;
        return element;
      }

      private void enterNext() {
        if (left == 0) {
          throw new NoSuchElementException();
        }
        while (nextBelow[depth] == path[depth].slotCount()) {
          depth--;
        }
        enter((HashTrie<?>) path[depth].slot(nextBelow[depth]++));
      }
    }
  }
}
