package dev.clientgo.workqueue.metrics;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;

/**
 * Keeps the metrics of queues in memory, where {@link #snapshot} reads them: for tests, for a debug
 * page, and for programs without a metrics library.
 *
 * <p>One recorder serves any number of queues; two of the same name share their counters. Safe for
 * use by many threads.
 */
public final class MetricsRecorder implements MetricsProvider {

  private final Map<MetricId, LongAdder> counters = new ConcurrentHashMap<>();
  private final Map<MetricId, DoubleSupplier> gauges = new ConcurrentHashMap<>();
  private final Map<MetricId, Snapshot.Distribution.Recorder> histograms =
      new ConcurrentHashMap<>();

  private MetricsRecorder() {}

  /** Returns a recorder that has recorded nothing yet. */
  public static MetricsRecorder create() {
    return new MetricsRecorder();
  }

  @Override
  public Runnable counter(MetricId id) {
    return counters.computeIfAbsent(id, any -> new LongAdder())::increment;
  }

  @Override
  public DoubleConsumer histogram(MetricId id) {
    return histograms.computeIfAbsent(id, any -> new Snapshot.Distribution.Recorder());
  }

  @Override
  public Runnable gauge(MetricId id, DoubleSupplier value) {
    gauges.put(id, value);
    return () -> gauges.remove(id, value);
  }

  /** Returns the present values. Values that change meanwhile may come from different moments. */
  public Snapshot snapshot() {
    SortedMap<MetricId, Double> values = new TreeMap<>();
    // Gauges first: reading a depth may make items due, which counters count.
    gauges.forEach((id, value) -> values.put(id, value.getAsDouble()));
    counters.forEach((id, count) -> values.put(id, (double) count.sum()));
    SortedMap<MetricId, Snapshot.Distribution> distributions = new TreeMap<>();
    histograms.forEach((id, recorder) -> distributions.put(id, recorder.snapshot()));
    return new Snapshot(values, distributions);
  }

  /**
   * The metrics of queues at one moment. {@link #toString} is a table for people to read.
   *
   * @param values the counters and gauges
   * @param distributions the histograms
   */
  public record Snapshot(
      SortedMap<MetricId, Double> values, SortedMap<MetricId, Distribution> distributions) {

    /** Makes a copy of what it is given. */
    public Snapshot {
      values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
      distributions = Collections.unmodifiableSortedMap(new TreeMap<>(distributions));
    }

    /** Returns the value of a counter or a gauge, summed over priorities; 0 if there is none. */
    public double value(String queue, QueueMetric metric) {
      return values.entrySet().stream()
          .filter(entry -> entry.getKey().queue().equals(queue))
          .filter(entry -> entry.getKey().metric() == metric)
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }

    /** Returns a histogram; an empty one if there is none. */
    public Distribution distribution(String queue, QueueMetric metric) {
      return distributions.getOrDefault(
          new MetricId(metric, queue, ""), new Distribution(0, 0, 0, 0, 0));
    }

    @Override
    public String toString() {
      TreeMap<MetricId, String> lines = new TreeMap<>();
      values.forEach((id, value) -> lines.put(id, number(value)));
      distributions.forEach((id, distribution) -> lines.put(id, line(distribution)));
      StringBuilder table = new StringBuilder();
      String queue = "";
      for (Map.Entry<MetricId, String> line : lines.entrySet()) {
        MetricId id = line.getKey();
        if (!id.queue().equals(queue)) {
          queue = id.queue();
          table.append(queue).append('\n');
        }
        String name =
            id.metric().shortName() + (id.priority().isEmpty() ? "" : "{" + id.priority() + "}");
        table.append(String.format(Locale.ROOT, "  %-34s %s%n", name, line.getValue()));
      }
      return table.toString();
    }

    private static String line(Distribution distribution) {
      return String.format(
          Locale.ROOT,
          "count %d, sum %s, median %s, 99%% %s, max %s",
          distribution.count(),
          number(distribution.sum()),
          number(distribution.median()),
          number(distribution.p99()),
          number(distribution.max()));
    }

    private static String number(double value) {
      return value == Math.rint(value) && Math.abs(value) < 1e15
          ? Long.toString((long) value)
          : String.format(Locale.ROOT, "%.3g", value);
    }

    /**
     * How observed durations are distributed.
     *
     * @param count how many there were
     * @param sum their sum, in seconds
     * @param max the longest, in seconds
     * @param median half of them were no longer than this, in seconds, rounded up to a power of ten
     * @param p99 99 of 100 were no longer than this, in seconds, rounded up to a power of ten
     */
    public record Distribution(long count, double sum, double max, double median, double p99) {

      /**
       * The buckets by convention: powers of ten from 10 ns to 1000 s, and one for all that is
       * longer.
       */
      static final class Recorder implements DoubleConsumer {
        private static final int BUCKETS = 13;

        private final LongAdder[] counts = new LongAdder[BUCKETS];
        private final DoubleAdder sum = new DoubleAdder();
        private final DoubleAccumulator max = new DoubleAccumulator(Math::max, 0);

        Recorder() {
          for (int i = 0; i < BUCKETS; i++) {
            counts[i] = new LongAdder();
          }
        }

        @Override
        public void accept(double seconds) {
          int bucket = 0;
          while (bucket < BUCKETS - 1 && seconds > bound(bucket)) {
            bucket++;
          }
          counts[bucket].increment();
          sum.add(seconds);
          max.accumulate(seconds);
        }

        private static double bound(int bucket) {
          return Math.pow(10, bucket - 8);
        }

        Distribution snapshot() {
          long[] buckets = new long[BUCKETS];
          long count = 0;
          for (int i = 0; i < BUCKETS; i++) {
            buckets[i] = counts[i].sum();
            count += buckets[i];
          }
          double longest = max.get();
          return new Distribution(
              count,
              sum.sum(),
              longest,
              quantile(buckets, count, 0.5, longest),
              quantile(buckets, count, 0.99, longest));
        }

        private static double quantile(long[] buckets, long count, double share, double longest) {
          long rank = (long) Math.ceil(count * share);
          long seen = 0;
          for (int i = 0; i < BUCKETS - 1; i++) {
            seen += buckets[i];
            if (seen >= rank) {
              return count == 0 ? 0 : Math.min(bound(i), longest);
            }
          }
          return longest;
        }
      }
    }
  }
}
