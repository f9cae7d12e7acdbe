package dev.clientgo.workqueue;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap whose nodes know where they are, so that any of them can be moved or removed in
 * logarithmic time. Not safe for use by many threads.
 */
final class IndexedHeap<N extends IndexedHeap.Node> {

  /** Something that can be in one heap at a time. */
  abstract static class Node {
    int index;
  }

  private final Comparator<? super N> order;
  private @Nullable Node[] nodes = new Node[16];
  private int size;

  IndexedHeap(Comparator<? super N> order) {
    this.order = order;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** Returns the first node in the order, or null if there is none. */
  @Nullable N peek() {
    return size == 0 ? null : at(0);
  }

  void add(N node) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, size + (size >> 1));
    }
    siftUp(size++, node);
  }

  /** Removes a node that is in this heap. */
  void remove(N node) {
    int hole = node.index;
    N last = at(--size);
    nodes[size] = null;
    if (last != node) {
      place(hole, last);
    }
  }

  /** Restores the order after a node in this heap has changed its place in it. */
  void moved(N node) {
    place(node.index, node);
  }

  void clear() {
    Arrays.fill(nodes, 0, size, null);
    size = 0;
  }

  private void place(int hole, N node) {
    if (hole > 0 && order.compare(node, at(parent(hole))) < 0) {
      siftUp(hole, node);
    } else {
      siftDown(hole, node);
    }
  }

  private void siftUp(int hole, N node) {
    int at = hole;
    while (at > 0) {
      N parent = at(parent(at));
      if (order.compare(node, parent) >= 0) {
        break;
      }
      put(at, parent);
      at = parent(at);
    }
    put(at, node);
  }

  private void siftDown(int hole, N node) {
    int at = hole;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && order.compare(at(child + 1), at(child)) < 0) {
        child++;
      }
      if (order.compare(node, at(child)) <= 0) {
        break;
      }
      put(at, at(child));
      at = child;
    }
    put(at, node);
  }

  private static int parent(int index) {
    return (index - 1) >>> 1;
  }

  private void put(int index, N node) {
    nodes[index] = node;
    node.index = index;
  }

  @SuppressWarnings("unchecked") // Only nodes of type N are ever put in.
  private N at(int index) {
    return (N) nodes[index];
  }
}
