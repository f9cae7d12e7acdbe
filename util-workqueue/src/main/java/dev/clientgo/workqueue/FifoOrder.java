package dev.clientgo.workqueue;

import java.util.ArrayDeque;

/** First in, first out: an item keeps the place of its first add. */
final class FifoOrder<T> implements QueueOrder<T> {

  private final ArrayDeque<T> items = new ArrayDeque<>();

  @Override
  public void push(T item) {
    items.addLast(item);
  }

  @Override
  public T pop() {
    return items.removeFirst();
  }
}
