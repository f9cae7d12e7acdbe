package dev.clientgo.controller.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one series of numbers: the name of a metric and the values of its labels.
 *
 * <p>Two metrics with the same name and labels are equal, whatever their help says.
 *
 * @param name the name, such as {@code controller_runtime_reconcile_total}
 * @param help a sentence for those who look at the metric
 * @param labels the values of the labels, by the names of the labels; all series of one name have
 *     the same label names
 */
public record Metric(String name, String help, Map<String, String> labels)
    implements Comparable<Metric> {

  private static final Comparator<Metric> ORDER =
      Comparator.comparing(Metric::name).thenComparing(metric -> text(metric.labels()));

  private static String text(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> label.getKey() + '\0' + label.getValue())
        .collect(Collectors.joining("\0"));
  }

  /** Keeps a sorted copy of the labels. */
  public Metric {
    requireNonNull(name, "name");
    requireNonNull(help, "help");
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
  }

  /** Compares the names and the labels; the help identifies nothing. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Metric that && name.equals(that.name) && labels.equals(that.labels);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, labels);
  }

  /** Compares by name, then by labels. */
  @Override
  public int compareTo(Metric other) {
    return ORDER.compare(this, other);
  }
}
