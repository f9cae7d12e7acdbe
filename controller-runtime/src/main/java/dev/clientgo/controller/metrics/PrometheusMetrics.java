package dev.clientgo.controller.metrics;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps metrics in memory, and writes them in the text format that Prometheus scrapes. It needs no
 * metrics library.
 *
 * <p>Safe for use by many threads.
 */
public final class PrometheusMetrics implements MetricsRegistry {

  /** The content type of {@link #text}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final Logger LOG = System.getLogger(PrometheusMetrics.class.getName());

  /** The numbers of one series. */
  private interface Series {

    String type();

    /** Returns the value; the number of observations of a histogram. */
    double value();

    default void write(Metric metric, StringBuilder text) {
      writeSample(text, metric, "", null, value());
    }
  }

  private final Map<Metric, Series> series = new ConcurrentSkipListMap<>();

  private PrometheusMetrics() {}

  /** Returns a registry without metrics. */
  public static PrometheusMetrics create() {
    return new PrometheusMetrics();
  }

  @Override
  public Runnable counter(Metric metric) {
    return get(metric, Counter.class, any -> new Counter()).count::increment;
  }

  @Override
  public DoubleConsumer histogram(Metric metric, List<Double> buckets) {
    return get(metric, Histogram.class, any -> new Histogram(buckets));
  }

  private <S extends Series> S get(Metric metric, Class<S> type, Function<Metric, S> create) {
    Series found = series.computeIfAbsent(metric, create);
    if (!type.isInstance(found)) {
      throw new IllegalArgumentException(metric.name() + " is a " + found.type() + " already");
    }
    return type.cast(found);
  }

  @Override
  public void gauge(Metric metric, DoubleSupplier value) {
    series.put(metric, new Gauge(requireNonNull(value, "value")));
  }

  @Override
  public void remove(Metric metric) {
    series.remove(metric);
  }

  /**
   * Returns the value of a series, for tests: that of a counter or a gauge, the number of
   * observations of a histogram; 0 if there is no such series.
   *
   * @param labels the values of all labels
   */
  public double value(String name, Map<String, String> labels) {
    Series found = series.get(new Metric(name, "", labels));
    return found == null ? 0 : found.value();
  }

  /**
   * Returns all metrics in the text format of Prometheus, sorted by name. A gauge whose function
   * throws is NaN, and a warning is logged.
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Map.Entry<Metric, Series> entry : series.entrySet()) {
      Metric metric = entry.getKey();
      if (!metric.name().equals(last)) {
        last = metric.name();
        String help = metric.help().replace("\\", "\\\\").replace("\n", "\\n");
        text.append("# HELP ").append(last).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(last).append(' ').append(entry.getValue().type());
        text.append('\n');
      }
      entry.getValue().write(metric, text);
    }
    return text.toString();
  }

  private static void writeSample(
      StringBuilder text, Metric metric, String suffix, @Nullable String le, double value) {
    text.append(metric.name()).append(suffix);
    String separator = "{";
    for (Map.Entry<String, String> label : metric.labels().entrySet()) {
      text.append(separator).append(label.getKey()).append("=\"");
      text.append(escape(label.getValue())).append('"');
      separator = ",";
    }
    if (le != null) {
      text.append(separator).append("le=\"").append(le).append('"');
      separator = ",";
    }
    text.append(separator.equals("{") ? "" : "}").append(' ').append(number(value)).append('\n');
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return Long.toString((long) value);
    }
    return Double.isInfinite(value) ? (value > 0 ? "+Inf" : "-Inf") : Double.toString(value);
  }

  private static final class Counter implements Series {

    final LongAdder count = new LongAdder();

    @Override
    public String type() {
      return "counter";
    }

    @Override
    public double value() {
      return count.sum();
    }
  }

  private record Gauge(DoubleSupplier supplier) implements Series {

    @Override
    public String type() {
      return "gauge";
    }

    @Override
    public double value() {
      return supplier.getAsDouble();
    }

    /** A value that cannot be read is NaN, and costs nobody the other series. */
    @Override
    public void write(Metric metric, StringBuilder text) {
      double value = Double.NaN;
      try {
        value = value();
      } catch (Throwable e) {
        CrashLog.log(LOG, Level.WARNING, "A gauge cannot be read: metric=" + metric.name(), e);
      }
      writeSample(text, metric, "", null, value);
    }
  }

  private static final class Histogram implements Series, DoubleConsumer {

    private final double[] bounds;

    /** The observations of each bucket alone; the last one is for those above all bounds. */
    private final LongAdder[] counts;

    private final DoubleAdder sum = new DoubleAdder();

    Histogram(List<Double> buckets) {
      bounds = buckets.stream().mapToDouble(Double::doubleValue).toArray();
      counts = new LongAdder[bounds.length + 1];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = new LongAdder();
      }
    }

    @Override
    public void accept(double value) {
      int bucket = 0;
      while (bucket < bounds.length && value > bounds[bucket]) {
        bucket++;
      }
      counts[bucket].increment();
      sum.add(value);
    }

    @Override
    public String type() {
      return "histogram";
    }

    @Override
    public double value() {
      long all = 0;
      for (LongAdder count : counts) {
        all += count.sum();
      }
      return all;
    }

    @Override
    public void write(Metric metric, StringBuilder text) {
      long below = 0;
      for (int i = 0; i < bounds.length; i++) {
        below += counts[i].sum();
        writeSample(text, metric, "_bucket", Double.toString(bounds[i]), (double) below);
      }
      below += counts[bounds.length].sum();
      writeSample(text, metric, "_bucket", "+Inf", (double) below);
      writeSample(text, metric, "_sum", null, sum.sum());
      writeSample(text, metric, "_count", null, (double) below);
    }
  }
}
