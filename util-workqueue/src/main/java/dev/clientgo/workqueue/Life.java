package dev.clientgo.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * One life of an item in a queue: from the add that put it in need of processing to the end of that
 * processing. An item that is added again meanwhile begins another life. {@link QueueCore} tells
 * the whole story; all mutable fields belong to it and are guarded by its lock.
 */
sealed class Life<T> extends IndexedHeap.Node implements WorkItem<T> permits PriorityLife {

  enum State {
    /** Not due yet. */
    WAITING,
    /** To be handed out to the next worker. */
    READY,
    /** Due, but the life before this one is not over. */
    HELD,
    /** In the hands of a worker. */
    PROCESSING,
    /** Done, or dropped. */
    OVER
  }

  private final QueueCore<T, ?> queue;
  private final T value;

  State state = State.WAITING;

  /** The life before this one, until that is over. */
  @Nullable Life<T> running;

  /** When it became due, or will. Only kept where somebody asks: for metrics and while it waits. */
  long readyAt;

  /** When a worker took it. Only kept for metrics. */
  long startedAt;

  @Nullable Life<T> previous;
  @Nullable Life<T> next;

  Life(QueueCore<T, ?> queue, T value, @Nullable Life<T> running) {
    this.queue = queue;
    this.value = value;
    this.running = running;
  }

  @Override
  public final T value() {
    return value;
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public final void done() {
    queue.done(this);
  }

  @Override
  public final String toString() {
    return "WorkItem[" + value + "]";
  }
}
