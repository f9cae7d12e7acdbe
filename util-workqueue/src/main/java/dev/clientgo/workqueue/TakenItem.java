package dev.clientgo.workqueue;

/** An item that a worker processes. The queue compares it by identity: one per {@code get}. */
final class TakenItem<T> implements WorkItem<T> {

  private final AbstractWorkQueue<T> queue;
  private final T value;
  private final int priority;

  /** When the worker took it, by the clock of the queue. Only kept for metrics. */
  long startedAt;

  TakenItem(AbstractWorkQueue<T> queue, T value, int priority) {
    this.queue = queue;
    this.value = value;
    this.priority = priority;
  }

  @Override
  public T value() {
    return value;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public void done() {
    queue.done(this);
  }

  @Override
  public String toString() {
    return "WorkItem[" + value + "]";
  }
}
