package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.WARNING;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.workqueue.metrics.MetricId;
import dev.clientgo.workqueue.metrics.MetricsProvider;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * The instruments of one queue. They are user code: the queue calls them without its lock, and
 * their exceptions must not cost it an item.
 */
final class Meter {

  private static final System.Logger LOG = System.getLogger(Meter.class.getName());

  private final String queue;
  private final MetricsProvider provider;
  private final boolean enabled;
  private final Runnable adds;
  private final Runnable retries;
  private final DoubleConsumer queueDuration;
  private final DoubleConsumer workDuration;
  private final AtomicBoolean failed = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<Runnable> gauges = new ArrayList<>();

  @GuardedBy("lock")
  private boolean closed;

  private Meter(String queue, MetricsProvider provider) {
    this.queue = queue;
    this.provider = provider;
    this.enabled = provider != MetricsProvider.NONE;
    this.adds = provider.counter(id(QueueMetric.ADDS_TOTAL));
    this.retries = provider.counter(id(QueueMetric.RETRIES_TOTAL));
    this.queueDuration = provider.histogram(id(QueueMetric.QUEUE_DURATION_SECONDS));
    this.workDuration = provider.histogram(id(QueueMetric.WORK_DURATION_SECONDS));
  }

  static Meter of(QueueConfig config) {
    return new Meter(
        config.name(), config.name().isEmpty() ? MetricsProvider.NONE : config.metricsProvider());
  }

  private MetricId id(QueueMetric metric) {
    return new MetricId(metric, queue, "");
  }

  /** Returns whether there is a provider; without one, the queue need not read the clock. */
  boolean enabled() {
    return enabled;
  }

  void added(int count) {
    for (int i = 0; i < count; i++) {
      report(adds);
    }
  }

  void retried() {
    if (enabled) {
      report(retries);
    }
  }

  void handedOut(long queuedNanos) {
    if (enabled) {
      report(() -> queueDuration.accept(Nanos.toSeconds(queuedNanos)));
    }
  }

  void finished(long workedNanos) {
    if (enabled) {
      report(() -> workDuration.accept(Nanos.toSeconds(workedNanos)));
    }
  }

  void gauge(QueueMetric metric, String priority, DoubleSupplier value) {
    if (!enabled) {
      return;
    }
    Runnable remove = provider.gauge(new MetricId(metric, queue, priority), value);
    lock.lock();
    try {
      if (!closed) {
        gauges.add(remove);
        return;
      }
    } finally {
      lock.unlock();
    }
    report(remove);
  }

  /** Removes the gauges. */
  void close() {
    List<Runnable> removals;
    lock.lock();
    try {
      closed = true;
      removals = List.copyOf(gauges);
      gauges.clear();
    } finally {
      lock.unlock();
    }
    removals.forEach(this::report);
  }

  private void report(Runnable report) {
    try {
      report.run();
    } catch (Throwable e) {
      if (failed.compareAndSet(false, true)) {
        CrashLog.log(
            LOG,
            WARNING,
            "A metrics provider fails; its numbers are wrong from now on, the queue's work is not"
                + " affected: queue="
                + queue,
            e);
      }
    }
  }
}
