package dev.clientgo.apimachinery.sharding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import java.util.HexFormat;

/**
 * A range of 64-bit hashes. An object belongs to the range if the hash of one of its fields is at
 * least the start and below the end. Immutable.
 *
 * <p>The bounds have the form {@code 0x} and 16 lower-case hex digits; the largest end is {@value
 * #LAST}. Corresponds to apimachinery's {@code sharding.ShardRangeRequirement}.
 *
 * @param key the field, {@link #UID} or {@link #NAMESPACE}
 * @param start the smallest hash of the range
 * @param end the smallest hash above the range
 */
public record ShardRange(String key, String start, String end) {

  /** The key that spreads all objects evenly. */
  public static final String UID = "object.metadata.uid";

  /** The key that keeps the objects of a namespace together. */
  public static final String NAMESPACE = "object.metadata.namespace";

  /** The start of the first range: 0. */
  public static final String FIRST = "0x0000000000000000";

  /** The end of the last range: 2<sup>64</sup>. */
  public static final String LAST = "0x10000000000000000";

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** Checks the bounds. */
  public ShardRange {
    if (!requireNonNull(key, "key").equals(UID) && !key.equals(NAMESPACE)) {
      throw new IllegalArgumentException(
          "the key of a shard range must be " + UID + " or " + NAMESPACE + ", but is " + key);
    }
    requireBound("start", start);
    requireBound("end", end);
  }

  private static void requireBound(String name, String bound) {
    if (!bound.matches("0x[0-9a-f]{16}") && !bound.equals(LAST)) {
      throw new IllegalArgumentException(
          "the "
              + name
              + " of a range must be 0x and 16 lower-case hex digits, or "
              + LAST
              + ", but is "
              + bound);
    }
  }

  /** Returns whether an object belongs to the range. */
  public boolean contains(KubernetesObject object) {
    ObjectMeta metadata = object.metadata();
    String value = key.equals(UID) ? metadata.uid() : metadata.namespace();
    String hash = hash(value == null ? "" : value);
    return compare(start, hash) <= 0 && compare(hash, end) < 0;
  }

  /** Returns the 64-bit FNV-1a hash of a value in the form of the bounds. */
  static String hash(String value) {
    long hash = FNV_OFFSET;
    for (byte next : value.getBytes(UTF_8)) {
      hash = (hash ^ (next & 0xff)) * FNV_PRIME;
    }
    return "0x" + HexFormat.of().toHexDigits(hash);
  }

  private static int compare(String a, String b) {
    return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
  }

  /** Returns the text of the range in a selector. */
  @Override
  public String toString() {
    return "shardRange(" + key + ", '" + start + "', '" + end + "')";
  }
}
