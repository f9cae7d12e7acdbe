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
