package dev.clientgo.cache.internal.trie;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The keys of a map, or its values, as a list that copies nothing. {@code get(i)} takes as many
 * steps as the map is deep; the iterator is faster.
 */
final class TrieList<E> extends AbstractList<E> {

  private final HashTrie<?> trie;

  /** 0 for the keys, 1 for the values. */
  private final int offset;

  TrieList(HashTrie<?> trie, int offset) {
    this.trie = trie;
    this.offset = offset;
  }

  @Override
  public int size() {
    return trie.size();
  }

  @SuppressWarnings("unchecked") // The offset says what is there.
  private E element(HashTrie<?> node, int i) {
    return (E) node.slot(2 * i + offset);
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
    return element(node, left);
  }

  @Override
  public void forEach(Consumer<? super E> action) {
    forEach(trie, action);
  }

  private void forEach(HashTrie<?> node, Consumer<? super E> action) {
    int ownKeys = node.ownKeys();
    for (int i = 0; i < ownKeys; i++) {
      action.accept(element(node, i));
    }
    for (int i = 0; i < node.nodeCount(); i++) {
      forEach((HashTrie<?>) node.slot(2 * ownKeys + i), action);
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

    /** The node that it is in, behind those that lead there, and the next slot of each. */
    private final HashTrie<?>[] path = new HashTrie<?>[HashTrie.MAX_DEPTH];

    private final int[] next = new int[HashTrie.MAX_DEPTH];
    private int depth;
    private int left = size();

    DepthFirst() {
      path[0] = trie;
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public E next() {
      if (left == 0) {
        throw new NoSuchElementException();
      }
      left--;
      while (true) {
        HashTrie<?> node = path[depth];
        int at = next[depth];
        int nodesAt = 2 * node.ownKeys();
        if (at < nodesAt) {
          next[depth] = at + 2;
          return element(node, at / 2);
        } else if (at < nodesAt + node.nodeCount()) {
          next[depth] = at + 1;
          depth++;
          path[depth] = (HashTrie<?>) node.slot(at);
          next[depth] = 0;
        } else {
          depth--;
        }
      }
    }
  }
}
