package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The delaying queue of client-go: a plain queue beside which items wait.
 *
 * <p>No thread watches the time. The waiting items are in the plain queue's {@link DelayHeap}, and
 * each operation of the plain queue first moves in the ones that are due.
 */
final class HeapDelayingQueue<T> extends ForwardingWorkQueue<T, PlainWorkQueue<T>>
    implements DelayingQueue<T> {

  HeapDelayingQueue(PlainWorkQueue<T> queue) {
    super(queue);
  }

  @Override
  public void addAfter(T item, Duration delay) {
    requireNonNull(item, "item");
    long nanos = Nanos.of(delay);
    if (shuttingDown()) {
      return;
    }
    queue.meter.retried();
    if (nanos <= 0) {
      queue.add(item);
    } else {
      queue.addAfter(item, nanos);
    }
  }
}
