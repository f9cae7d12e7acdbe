package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The items of a delaying queue that wait for their time: each once, the one that is due first in
 * front. Not safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code waitForPriorityQueue} and {@code waitingEntryByData}.
 */
final class DelayHeap<T> {

  /** An item that waits. Kept small: there may be a million. */
  static final class Entry<T> extends IndexedHeap.Node {
    final T item;
    long dueAt;

    /** Orders items that are due at the same time by the order of their adds. */
    private final int ticket;

    private Entry(T item, long dueAt, int ticket) {
      this.item = item;
      this.dueAt = dueAt;
      this.ticket = ticket;
    }
  }

  // By difference, because tickets overflow.
  private static final Comparator<Entry<?>> BY_TIME =
      (a, b) ->
          a.dueAt == b.dueAt ? Integer.signum(a.ticket - b.ticket) : Long.compare(a.dueAt, b.dueAt);

  private final Map<T, Entry<T>> entries = new HashMap<>();
  private final IndexedHeap<Entry<T>> byTime = new IndexedHeap<>(BY_TIME);
  private int tickets;

  /**
   * Lets an item wait until {@code dueAt}, or until the time that it waits for already if that is
   * sooner.
   *
   * @return whether this item is now the first
   */
  boolean add(T item, long dueAt) {
    Entry<T> entry = entries.get(item);
    if (entry == null) {
      entry = new Entry<>(item, dueAt, tickets++);
      entries.put(item, entry);
      byTime.add(entry);
    } else if (dueAt < entry.dueAt) {
      entry.dueAt = dueAt;
      byTime.moved(entry);
    } else {
      return false;
    }
    return byTime.peek() == entry;
  }

  /** Returns when the first item is due, {@link Nanos#FOREVER} if there is none. */
  long nextDue() {
    Entry<T> first = byTime.peek();
    return first == null ? Nanos.FOREVER : first.dueAt;
  }

  /** Returns whether there is an item whose time has come. */
  boolean isDue(long now) {
    Entry<T> first = byTime.peek();
    return first != null && first.dueAt <= now;
  }

  /** Returns the item that is due first. There must be one. */
  Entry<T> first() {
    return requireNonNull(byTime.peek());
  }

  void removeFirst() {
    Entry<T> first = first();
    byTime.remove(first);
    entries.remove(first.item);
  }

  int size() {
    return byTime.size();
  }

  void clear() {
    entries.clear();
    byTime.clear();
  }
}
