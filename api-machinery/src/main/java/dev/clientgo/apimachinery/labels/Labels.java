package dev.clientgo.apimachinery.labels;

import dev.clientgo.apimachinery.labels.Requirement.Operator;
import dev.clientgo.apimachinery.meta.LabelSelector;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Functions on sets of labels, which are maps from key to value.
 *
 * <p>Corresponds to client-go's {@code labels.Set}; {@link Selector#of} is its {@code AsSelector}.
 */
public final class Labels {

  private Labels() {}

  /**
   * Parses labels in text form, such as {@code app=web,tier=cache}.
   *
   * @return the labels in the order of the text, unmodifiable
   * @throws IllegalArgumentException if the text is not a list of pairs with one equals sign each
   */
  public static Map<String, String> parse(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (Requirement requirement : SelectorParser.parse(text)) {
      if (requirement.operator() != Operator.EQUALS) {
        throw new IllegalArgumentException(
            "labels \"" + text + "\": expected key=value, found " + requirement);
      }
      labels.put(requirement.key(), requirement.values().get(0));
    }
    return Collections.unmodifiableMap(labels);
  }

  /** Returns {@code key=value} of each label, sorted by key; {@code <none>} if there are none. */
  public static String format(@Nullable Map<String, String> labels) {
    return labels == null || labels.isEmpty()
        ? "<none>"
        : new TreeMap<>(labels)
            .entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(","));
  }

  /**
   * Returns the text of a selector for people: {@code <none>} if it selects nothing or everything,
   * {@code <error>} if it is not valid.
   */
  public static String format(@Nullable LabelSelector selector) {
    try {
      Selector parsed = Selector.of(selector);
      return parsed.requirements().isEmpty() ? "<none>" : parsed.toString();
    } catch (IllegalArgumentException e) {
      return "<error>";
    }
  }

  /** Returns whether two sets have a key in common with different values. */
  public static boolean conflict(Map<String, String> first, Map<String, String> second) {
    return first.entrySet().stream()
        .anyMatch(
            label -> {
              String other = second.get(label.getKey());
              return other != null && !other.equals(label.getValue());
            });
  }

  /** Returns the labels of both, unmodifiable; the second set wins. */
  public static Map<String, String> merge(Map<String, String> first, Map<String, String> second) {
    Map<String, String> merged = new LinkedHashMap<>(first);
    merged.putAll(second);
    return Collections.unmodifiableMap(merged);
  }
}
