package dev.clientgo.workqueue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** A queue that adds something to another queue and passes on its other calls. */
abstract sealed class ForwardingWorkQueue<T, Q extends WorkQueue<T>> implements WorkQueue<T>
    permits HeapDelayingQueue, LimitedDelayingQueue {

  final Q queue;

  ForwardingWorkQueue(Q queue) {
    this.queue = queue;
  }

  @Override
  public final void add(T item) {
    queue.add(item);
  }

  @Override
  public final Optional<WorkItem<T>> get() throws InterruptedException {
    return queue.get();
  }

  @Override
  public final Optional<WorkItem<T>> get(Duration timeout)
      throws InterruptedException, TimeoutException {
    return queue.get(timeout);
  }

  @Override
  public final int size() {
    return queue.size();
  }

  @Override
  public final void shutDown() {
    queue.shutDown();
  }

  @Override
  public final void shutDownWithDrain() throws InterruptedException {
    queue.shutDownWithDrain();
  }

  @Override
  public final WorkQueue.Unfinished<T> shutDownWithDrain(Duration timeout)
      throws InterruptedException {
    return queue.shutDownWithDrain(timeout);
  }

  @Override
  public final boolean shuttingDown() {
    return queue.shuttingDown();
  }

  @Override
  public final void close() {
    queue.close();
  }

  @Override
  public final String toString() {
    return queue.toString();
  }
}
