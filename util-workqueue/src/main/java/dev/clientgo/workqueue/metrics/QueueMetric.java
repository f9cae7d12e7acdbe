package dev.clientgo.workqueue.metrics;

/**
 * The metrics of a queue, under the names that dashboards of Kubernetes controllers know.
 *
 * <p>Corresponds to the methods of client-go's {@code util/workqueue.MetricsProvider}.
 */
public enum QueueMetric {
  /**
   * Gauge: how many items need processing and wait for a worker, or for the worker that processes
   * them to be done. Items that wait for a delay to pass are not among them.
   */
  DEPTH("depth", "Items in need of processing that no worker has taken yet"),

  /** Counter: how often an item was added that did not need processing before. */
  ADDS_TOTAL("adds_total", "Items added that were not in need of processing before"),

  /** Histogram: seconds from an item's being ready to its being handed to a worker. */
  QUEUE_DURATION_SECONDS(
      "queue_duration_seconds", "Seconds from an item's being ready to a worker's taking it"),

  /** Histogram: seconds from an item's being handed to a worker to its being done. */
  WORK_DURATION_SECONDS(
      "work_duration_seconds", "Seconds from a worker's taking an item to its being done"),

  /**
   * Gauge: the sum, in seconds, of the time spent so far on items that are being processed now. If
   * it grows at a steady rate, that rate is the number of workers that are stuck.
   */
  UNFINISHED_WORK_SECONDS(
      "unfinished_work_seconds", "Seconds spent on the items that are being processed, summed"),

  /** Gauge: for how many seconds the oldest of the items being processed has been so. */
  LONGEST_RUNNING_PROCESSOR_SECONDS(
      "longest_running_processor_seconds", "Seconds spent on the oldest item being processed"),

  /** Counter: how often an item was added with a delay. */
  RETRIES_TOTAL("retries_total", "Items added with a delay");

  private final String shortName;
  private final String help;

  QueueMetric(String shortName, String help) {
    this.shortName = shortName;
    this.help = help;
  }

  /** Returns the name without the subsystem: {@code adds_total}. */
  public String shortName() {
    return shortName;
  }

  /** Returns the name by convention: {@code workqueue_adds_total}. */
  public String fullName() {
    return "workqueue_" + shortName;
  }

  /** Returns a sentence for those who look at the metric. */
  public String help() {
    return help;
  }
}
