package dev.clientgo.apimachinery.sharding;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Selects the objects of one of several replicas: those in any of its ranges, or all objects if it
 * has none. Immutable.
 *
 * <p>Corresponds to apimachinery's {@code sharding.Selector}. Unlike client-go, the constructor
 * rejects ranges of different keys, not the first use.
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

  /** Returns the text for {@code ListOptions}; empty if the selector selects all objects. */
  @Override
  public String toString() {
    return ranges.stream().map(ShardRange::toString).collect(Collectors.joining(" || "));
  }
}
