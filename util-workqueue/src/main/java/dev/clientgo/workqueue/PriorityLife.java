package dev.clientgo.workqueue;

import org.jspecify.annotations.Nullable;

/** A life with a priority. */
final class PriorityLife<T> extends Life<T> {

  /** Does not change any more once a worker has it. */
  int priority;

  /** Orders lives of one priority: the smaller one was there first. */
  long ticket;

  PriorityLife(QueueCore<T, ?> queue, T value, @Nullable Life<T> running) {
    super(queue, value, running);
  }

  @Override
  public int priority() {
    return priority;
  }
}
