package dev.clientgo.workqueue.metrics;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The metrics of queues at one moment. {@link #toString} is a table for people to read.
 *
 * @param values the counters and gauges
 * @param distributions the histograms
 */
public record MetricsSnapshot(
    SortedMap<MetricId, Double> values, SortedMap<MetricId, Distribution> distributions) {

  /** Makes a copy of what it is given. */
  public MetricsSnapshot {
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
}
