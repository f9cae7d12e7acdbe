package dev.clientgo.controller.internal.metrics;

import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The metrics of one informer: of its reflector and its queue under client-go's names, and of its
 * health. All series exist from the start. Safe for use by many threads.
 */
public final class InformerSeries implements InformerMetrics, AutoCloseable {

  private static final List<Double> SECONDS =
      List.of(0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 600.0);

  private static final List<Double> COUNTS = List.of(1.0, 10.0, 100.0, 1000.0, 10_000.0, 100_000.0);

  private final MetricsRegistry registry;
  private final Map<String, String> labels;
  private final Supplier<Optional<InformerHealth>> health;
  private final Clock clock;

  /** The series that {@link #close} removes. */
  private final Set<Metric> series = ConcurrentHashMap.newKeySet();

  private final Runnable lists;
  private final DoubleConsumer listSeconds;
  private final DoubleConsumer listItems;
  private final Runnable watches;
  private final DoubleConsumer watchSeconds;
  private final DoubleConsumer watchItems;
  private final Runnable errors;
  private final Runnable handlerFailures;

  private volatile int queued;

  /**
   * Creates the series of an informer.
   *
   * @param name the name of the informer, which is the label {@code name}
   * @param health returns its health; empty if it has ended
   */
  public InformerSeries(
      MetricsRegistry registry,
      String name,
      Supplier<Optional<InformerHealth>> health,
      Clock clock) {
    this.registry = registry;
    this.labels = Map.of("name", name);
    this.health = health;
    this.clock = clock;
    lists = counter("reflector_lists_total", "Reads of the whole collection");
    listSeconds = histogram("reflector_list_duration_seconds", "Seconds of such a read", SECONDS);
    listItems = histogram("reflector_items_per_list", "Objects of such a read", COUNTS);
    watches = counter("reflector_watches_total", "Watches that have ended");
    watchSeconds = histogram("reflector_watch_duration_seconds", "Seconds of a watch", SECONDS);
    watchItems = histogram("reflector_items_per_watch", "Events of a watch", COUNTS);
    errors = counter("reflector_errors_total", "Errors of the server, of connections, of objects");
    handlerFailures = counter("informer_handler_failures_total", "Calls of handlers that threw");
    gauge("informer_queued_items", "Changes that wait for the cache", () -> queued);
    gauge(
        "informer_handler_backlog",
        "Notifications that wait for the slowest handler",
        this::backlog);
    gauge(
        "informer_last_list_age_seconds",
        "Seconds since the whole collection was read",
        () -> age(InformerHealth::lastList));
    gauge(
        "informer_last_event_age_seconds",
        "Seconds since the last event of a watch, bookmarks included",
        () -> age(InformerHealth::lastEvent));
    gauge(
        "informer_confirmed_age_seconds",
        "Seconds since a list, an event or a bookmark confirmed the cache",
        () ->
            health
                .get()
                .flatMap(InformerHealth::age)
                .map(age -> age.toNanos() / 1e9)
                .orElse(Double.NaN));
    gauge(
        "informer_synced",
        "Whether the first list is in the cache, 1 or 0",
        () -> health.get().filter(InformerHealth::hasSynced).isPresent() ? 1 : 0);
  }

  private double backlog() {
    return health.get().stream()
        .flatMap(now -> now.handlers().stream())
        .mapToInt(InformerHealth.Handler::backlog)
        .max()
        .orElse(0);
  }

  /** Returns the seconds since then; not a number if there was no such event yet. */
  private double age(Function<InformerHealth, Optional<Instant>> time) {
    return health
        .get()
        .flatMap(time)
        .map(then -> Duration.between(then, clock.now()).abs().toNanos() / 1e9)
        .orElse(Double.NaN);
  }

  private Metric metric(String name, String help) {
    Metric metric = new Metric(name, help, labels);
    series.add(metric);
    return metric;
  }

  private Runnable counter(String name, String help) {
    return registry.counter(metric(name, help));
  }

  private DoubleConsumer histogram(String name, String help, List<Double> buckets) {
    return registry.histogram(metric(name, help), buckets);
  }

  private void gauge(String name, String help, DoubleSupplier value) {
    registry.gauge(metric(name, help), value);
  }

  @Override
  public void queueLength(int length) {
    queued = length;
  }

  @Override
  public void listed(Duration duration, int objects, boolean streamed) {
    lists.run();
    listSeconds.accept(duration.toNanos() / 1e9);
    listItems.accept(objects);
  }

  @Override
  public void watched(Duration duration, long events) {
    watches.run();
    watchSeconds.accept(duration.toNanos() / 1e9);
    watchItems.accept((double) events);
  }

  @Override
  public void failed(RuntimeException error) {
    errors.run();
  }

  @Override
  public void handlerFailed(String handler, Throwable error) {
    handlerFailures.run();
  }

  /** Removes all series: the informer has ended. */
  @Override
  public void close() {
    series.forEach(registry::remove);
  }
}
