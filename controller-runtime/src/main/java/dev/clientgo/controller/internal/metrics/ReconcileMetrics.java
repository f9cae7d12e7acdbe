package dev.clientgo.controller.internal.metrics;

import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.workqueue.metrics.MetricId;
import dev.clientgo.workqueue.metrics.MetricsProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * The metrics of one controller and of its queue, under controller-runtime's names. All series
 * exist from the start, with the value 0.
 */
public final class ReconcileMetrics implements MetricsProvider {

  private static final List<Double> RECONCILE_BUCKETS =
      List.of(
          0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8,
          0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0,
          15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0);

  /** Powers of ten from 10 ns to 1000 s. */
  private static final List<Double> QUEUE_BUCKETS =
      List.of(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0);

  private final MetricsRegistry registry;
  private final String controller;

  /** What {@link #removeAll} removes. */
  private final Set<Metric> series = ConcurrentHashMap.newKeySet();

  private final AtomicInteger activeWorkers = new AtomicInteger();

  private final Runnable success;
  private final Runnable error;
  private final Runnable requeueAfter;
  private final Runnable errors;
  private final Runnable terminalErrors;
  private final Runnable panics;
  private final Runnable timeouts;
  private final Runnable crashes;
  private final Runnable appliesSent;
  private final Runnable appliesSkipped;
  private final DoubleConsumer seconds;

  /** Creates the series of a controller. */
  public ReconcileMetrics(MetricsRegistry registry, String controller, int workers) {
    this.registry = registry;
    this.controller = controller;
    success = result("success");
    error = result("error");
    requeueAfter = result("requeue_after");
    result("requeue"); // Nothing here has this result, but dashboards ask for it.
    errors = counter("reconcile_errors_total", "Reconciles that failed");
    terminalErrors =
        counter("terminal_reconcile_errors_total", "Reconciles that failed and are not retried");
    panics = counter("reconcile_panics_total", "Reconciles that failed with a programming error");
    timeouts = counter("reconcile_timeouts_total", "Reconciles that were interrupted as too long");
    crashes =
        counter(
            "controller_crashes_total",
            "Failures of functions that the user gave to a controller, and of its loops");
    appliesSent = applies("sent");
    appliesSkipped = applies("skipped");
    seconds =
        registry.histogram(
            noted(metric("reconcile_time_seconds", "Seconds of a reconcile")), RECONCILE_BUCKETS);
    registry.gauge(noted(metric("max_concurrent_reconciles", "Number of workers")), () -> workers);
    registry.gauge(
        noted(metric("active_workers", "Workers that reconcile now")), activeWorkers::get);
  }

  /** Records that a worker has begun, 1, or ended, -1, a reconcile. */
  public void active(int change) {
    activeWorkers.addAndGet(change);
  }

  /** Records a reconcile that is done until the next event. */
  public void succeeded() {
    success.run();
  }

  /** Records a reconcile that asks for a reconcile after a delay. */
  public void requeued() {
    requeueAfter.run();
  }

  /**
   * Records a reconcile that failed.
   *
   * @param terminal whether it is not retried
   * @param panic whether it failed with a programming error
   */
  public void failed(boolean terminal, boolean panic) {
    errors.run();
    error.run();
    if (terminal) {
      terminalErrors.run();
    }
    if (panic) {
      panics.run();
    }
  }

  /** Records that a reconcile was interrupted because it took too long. */
  public void timedOut() {
    timeouts.run();
  }

  /** Records that a user's function other than the reconciler, or a loop, has failed. */
  public void crashed() {
    crashes.run();
  }

  /** Records a server-side apply that is sent. */
  public void applySent() {
    appliesSent.run();
  }

  /** Records a server-side apply that is not sent, because it would change nothing. */
  public void applySkipped() {
    appliesSkipped.run();
  }

  /** Records how long a reconcile took. */
  public void took(Duration time) {
    seconds.accept(time.toNanos() / 1e9);
  }

  /** Removes all series of the controller. */
  public void removeAll() {
    series.forEach(registry::remove);
  }

  private Runnable applies(String result) {
    return registry.counter(
        noted(
            new Metric(
                "controller_runtime_applies_total",
                "Server-side applies that were sent, or skipped since they would change nothing",
                Map.of("controller", controller, "result", result))));
  }

  private Runnable result(String result) {
    return registry.counter(
        noted(
            new Metric(
                "controller_runtime_reconcile_total",
                "Reconciles by their result",
                Map.of("controller", controller, "result", result))));
  }

  private Runnable counter(String name, String help) {
    return registry.counter(noted(metric(name, help)));
  }

  private Metric metric(String name, String help) {
    return new Metric("controller_runtime_" + name, help, Map.of("controller", controller));
  }

  private Metric noted(Metric metric) {
    series.add(metric);
    return metric;
  }

  // ---- the queue

  @Override
  public Runnable counter(MetricId id) {
    return registry.counter(queueMetric(id));
  }

  @Override
  public DoubleConsumer histogram(MetricId id) {
    return registry.histogram(queueMetric(id), QUEUE_BUCKETS);
  }

  @Override
  public Runnable gauge(MetricId id, DoubleSupplier value) {
    Metric metric = queueMetric(id);
    registry.gauge(metric, value);
    return () -> registry.remove(metric);
  }

  private Metric queueMetric(MetricId id) {
    Map<String, String> labels = new TreeMap<>(id.labels());
    labels.put("controller", controller);
    return noted(new Metric(id.metric().fullName(), id.metric().help(), labels));
  }
}
