package dev.clientgo.controller.internal.metrics;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/** A user's registry, whose errors cost only its numbers; logged once a minute for each metric. */
public final class GuardedMetrics implements MetricsRegistry {

  private static final System.Logger LOG = System.getLogger(MetricsRegistry.class.getName());

  private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

  private final MetricsRegistry registry;
  private final Clock clock;

  /** By the name of the metric: the others may work. */
  private final Map<String, CrashLog> crashes = new ConcurrentHashMap<>();

  private GuardedMetrics(MetricsRegistry registry, Clock clock) {
    this.registry = requireNonNull(registry, "metrics");
    this.clock = clock;
  }

  /** Returns the registry, guarded unless it is one of this library. */
  public static MetricsRegistry of(MetricsRegistry registry, Clock clock) {
    boolean needless = registry instanceof PrometheusMetrics || registry instanceof GuardedMetrics;
    return needless ? registry : new GuardedMetrics(registry, clock);
  }

  /** Returns the last failure of a metric that fails again and again. */
  public Optional<String> problem() {
    return crashes.values().stream().flatMap(metric -> metric.problem().stream()).findFirst();
  }

  private <R> R guard(Metric metric, R otherwise, Callable<R> call) {
    String name = metric.name();
    return crashes
        .computeIfAbsent(name, any -> new CrashLog(limitedLog()))
        .call(() -> "The registry of metrics has failed: metric=" + name, otherwise, call);
  }

  private BiConsumer<String, Throwable> limitedLog() {
    AtomicLong next = new AtomicLong(clock.nanoTime());
    return (message, error) -> {
      long now = clock.nanoTime();
      long due = next.get();
      if (now - due >= 0 && next.compareAndSet(due, now + INTERVAL)) {
        CrashLog.log(LOG, System.Logger.Level.ERROR, message, error);
      }
    };
  }

  private void guard(Metric metric, Runnable call) {
    guard(metric, call, Executors.callable(call, call));
  }

  @Override
  public Runnable counter(Metric metric) {
    // Without the instrument, each use asks for it again: a success that counts nothing is none.
    Runnable again = () -> registry.counter(metric).run();
    Runnable counter = guard(metric, again, () -> requireNonNull(registry.counter(metric)));
    return () -> guard(metric, counter);
  }

  @Override
  public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
    DoubleConsumer again = value -> registry.histogram(metric, buckets).accept(value);
    DoubleConsumer histogram =
        guard(metric, again, () -> requireNonNull(registry.histogram(metric, buckets)));
    return value -> guard(metric, () -> histogram.accept(value));
  }

  @Override
  public void gauge(Metric metric, DoubleSupplier value) {
    guard(metric, () -> registry.gauge(metric, value));
  }

  @Override
  public void remove(Metric metric) {
    guard(metric, () -> registry.remove(metric));
  }
}
