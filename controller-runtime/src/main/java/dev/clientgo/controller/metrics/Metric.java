package dev.clientgo.controller.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Identifies one series of numbers: the name of a metric and the values of its labels.
 *
 * @param name the name, such as {@code controller_runtime_reconcile_total}
 * @param help a sentence for those who look at the metric
 * @param labels the values of the labels, by the names of the labels; all series of one name have
 *     the same label names
 */
public record Metric(String name, String help, Map<String, String> labels)
    implements Comparable<Metric> {

  private static final Comparator<Metric> ORDER =
      Comparator.comparing(Metric::name)
          .thenComparing(metric -> String.join("\0", metric.labels().values()));

  /** Keeps a sorted copy of the labels. */
  public Metric {
    requireNonNull(name, "name");
    requireNonNull(help, "help");
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
  }

  /** Compares by name, then by labels. */
  @Override
  public int compareTo(Metric other) {
    return ORDER.compare(this, other);
  }
}
