package dev.clientgo.workqueue.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.Map;

/**
 * A metric of a queue.
 *
 * @param metric what is measured
 * @param queue the name of the queue
 * @param priority for the depth of a {@code PriorityQueue} the priority in question, otherwise
 *     empty
 */
public record MetricId(QueueMetric metric, String queue, String priority)
    implements Comparable<MetricId> {

  private static final Comparator<MetricId> ORDER =
      Comparator.comparing(MetricId::queue)
          .thenComparing(MetricId::metric)
          .thenComparing(MetricId::priority);

  /** Checks that nothing is null. */
  public MetricId {
    requireNonNull(metric, "metric");
    requireNonNull(queue, "queue");
    requireNonNull(priority, "priority");
  }

  /**
   * Returns the labels by convention: {@code name}, and for {@link QueueMetric#DEPTH} also {@code
   * priority}, empty or not, so that one metric has one set of label names.
   */
  public Map<String, String> labels() {
    return metric == QueueMetric.DEPTH
        ? Map.of("name", queue, "priority", priority)
        : Map.of("name", queue);
  }

  /** Compares by queue, then by metric. */
  @Override
  public int compareTo(MetricId other) {
    return ORDER.compare(this, other);
  }
}
