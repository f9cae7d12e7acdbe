package dev.clientgo.benchmarks.informer;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.ResourceEventHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A handler that counts, and takes the time that events were on their way. */
final class EventRecorder<T extends KubernetesObject> implements ResourceEventHandler<T> {

  /** The server's {@link System#nanoTime} when it sent the event. */
  private static final String SENT = "bench/ts";

  private volatile int adds;
  private volatile String firstAdd = "";
  private volatile Storm storm = new Storm(0);

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  public void onAdd(T object, boolean isInInitialList) {
    if (adds == 0) {
      firstAdd = "first_add_ms=" + ProcessFigures.sinceStart().toMillis();
    }
    adds++;
  }

  @Override
  public void onUpdate(T oldObject, T newObject) {
    long now = System.nanoTime();
    Map<String, String> annotations = newObject.metadata().annotations();
    storm.received(now, Long.parseLong(annotations.get(SENT)));
  }

  int adds() {
    return adds;
  }

  /** Returns when the first object was added. */
  String firstAddAfterProcessStart() {
    return firstAdd;
  }

  /** Begins to record so many updates. */
  Storm expect(int count) {
    Storm next = new Storm(count);
    storm = next;
    return next;
  }

  /** The updates from a moment on. */
  static final class Storm {

    private final long start = System.nanoTime();
    private final long[] latencies;
    private final CountDownLatch complete;
    private volatile int count;
    private volatile long last = start;

    private Storm(int expected) {
      this.latencies = new long[expected];
      this.complete = new CountDownLatch(expected == 0 ? 0 : 1);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void received(long now, long sent) {
      if (count < latencies.length) {
        latencies[count] = now - sent;
        last = now;
        count++;
      }
      if (count == latencies.length) {
        complete.countDown();
      }
    }

    /** Waits for all of them; returns whether they came. */
    boolean await(Duration timeout) throws InterruptedException {
      return complete.await(timeout.toSeconds(), TimeUnit.SECONDS);
    }

    int count() {
      return count;
    }

    long perSecond() {
      return count * 1_000_000_000L / Math.max(1, last - start);
    }

    /** Returns the latency that a part of the updates did not exceed. */
    long latencyMicros(double part) {
      long[] sorted = Arrays.copyOf(latencies, count);
      Arrays.sort(sorted);
      int index = (int) Math.ceil(part * sorted.length) - 1;
      return sorted.length == 0 ? 0 : sorted[Math.max(0, index)] / 1000;
    }
  }
}
