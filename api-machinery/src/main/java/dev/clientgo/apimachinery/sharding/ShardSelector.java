package dev.clientgo.apimachinery.sharding;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Selects the objects of a shard: those for which the hash of a field is in one of some ranges.
 *
 * <pre>{@code
 * List<ShardRange> thirds = ShardRange.split(3);
 * ShardSelector first = ShardSelector.of(ShardField.UID, thirds.get(0));
 * }</pre>
 *
 * <p>Immutable. Corresponds to apimachinery's {@code sharding.Selector}. Unlike there, a selector
 * without ranges selects nothing, not everything: a replica that has lost all its ranges must not
 * take over all objects.
 *
 * @param field the field whose hash decides
 * @param ranges the fewest ranges with these hashes, sorted: the constructor merges those that
 *     touch
 */
public record ShardSelector(ShardField field, List<ShardRange> ranges) {

  /** Selects all objects. */
  public static final ShardSelector EVERYTHING = of(ShardField.UID, ShardRange.ALL);

  /** The text has at least one range, and no range is empty. */
  private static final ShardRange NEXT_TO_NOTHING = new ShardRange(0, 1);

  public ShardSelector {
    requireNonNull(field, "field");
    ranges = ShardRange.merge(ranges);
  }

  /** Returns a selector of some ranges. */
  public static ShardSelector of(ShardField field, ShardRange... ranges) {
    return new ShardSelector(field, List.of(ranges));
  }

  /**
   * Parses the form that is sent: {@code shardRange(object.metadata.uid, '0x0000000000000000',
   * '0x8000000000000000')}, or several of these joined by {@code ||}.
   *
   * @throws IllegalArgumentException if the text is not a shard selector; the message gives the
   *     reason, and the position if the text breaks off there
   */
  public static ShardSelector parse(String text) {
    return new ShardSelectorParser(text).parse();
  }

  /** Returns whether all objects are selected. */
  public boolean isEverything() {
    return ranges.size() == 1 && ranges.get(0).equals(ShardRange.ALL);
  }

  /** Returns whether no objects are selected, because there are no ranges. */
  public boolean isNothing() {
    return ranges.isEmpty();
  }

  /** Returns whether an object is selected. */
  public boolean matches(KubernetesObject object) {
    return isEverything() || (!isNothing() && matches(field.hash(object)));
  }

  /** Returns whether objects are selected for which the field has that hash. */
  public boolean matches(long hash) {
    for (ShardRange range : ranges) {
      if (range.contains(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns a selector of the hashes that this one selects and the other, of the same field, does
   * not.
   */
  public ShardSelector without(ShardSelector other) {
    List<ShardRange> left = ranges;
    for (ShardRange range : other.ranges) {
      left = left.stream().flatMap(each -> each.without(range).stream()).toList();
    }
    return new ShardSelector(field, left);
  }

  /** Returns which part of all hashes is selected, from 0 to 1. */
  public double share() {
    return ranges.stream().mapToDouble(ShardRange::share).sum();
  }

  /**
   * Returns the form that is sent. A server has no form for a selector of nothing; the text then
   * selects one hash of 2<sup>64</sup>, which hardly any object ever has.
   */
  @Override
  public String toString() {
    List<ShardRange> sent = isNothing() ? List.of(NEXT_TO_NOTHING) : ranges;
    return sent.stream()
        .map(
            range ->
                "shardRange(%s, '%s', '%s')".formatted(field.path(), range.start(), range.end()))
        .collect(Collectors.joining(" || "));
  }
}
