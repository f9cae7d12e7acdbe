package dev.clientgo.apimachinery.sharding;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which part of all objects one of several replicas works on: those in any of these ranges. Without
 * a range, all objects. Immutable.
 *
 * <p>Corresponds to apimachinery's {@code sharding.Selector}. Unlike client-go: ranges of different
 * keys are refused when the selector is made, not when it is used.
 *
 * @param ranges the ranges, all of one key
 */
public record ShardSelector(List<ShardRange> ranges) {

  /** Selects all objects. */
  public static final ShardSelector EVERYTHING = new ShardSelector(List.of());

  /** Checks the keys. */
  public ShardSelector {
    ranges = List.copyOf(ranges);
    List<String> keys = ranges.stream().map(ShardRange::key).distinct().toList();
    if (keys.size() > 1) {
      throw new IllegalArgumentException("inconsistent shard keys: " + String.join(", ", keys));
    }
  }

  /** Returns a selector of ranges, all of one key. */
  public static ShardSelector of(ShardRange... ranges) {
    return new ShardSelector(List.of(ranges));
  }

  /** Returns whether all objects are selected. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Returns whether an object is selected. */
  public boolean matches(KubernetesObject object) {
    return isEmpty() || ranges.stream().anyMatch(range -> range.contains(object));
  }

  /** Returns the selector as {@code ListOptions} send it; empty if it selects all objects. */
  @Override
  public String toString() {
    return ranges.stream().map(ShardRange::toString).collect(Collectors.joining(" || "));
  }
}
