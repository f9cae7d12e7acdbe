package dev.clientgo.apimachinery.sharding;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * A range of 64-bit hashes: from one hash up to, but without, another. No range is empty.
 *
 * <p>Both bounds are unsigned, so compare them with {@link Long#compareUnsigned}. A {@code to} of 0
 * stands for 2<sup>64</sup>, the end of all hashes. Immutable. Corresponds to the bounds of
 * apimachinery's {@code sharding.ShardRangeRequirement}.
 *
 * @param from the smallest hash of the range
 * @param to the smallest hash above the range; 0 if the range has the largest hash
 */
public record ShardRange(long from, long to) {

  /** The range of all hashes. */
  public static final ShardRange ALL = new ShardRange(0, 0);

  /** The text of 2<sup>64</sup>. */
  private static final String END = "0x10000000000000000";

  private static final int DIGITS = 16;

  private static final Comparator<ShardRange> BY_START =
      (a, b) -> Long.compareUnsigned(a.from, b.from);

  /** Checks that the range is not empty. */
  public ShardRange {
    if (to != 0 && Long.compareUnsigned(from, to) >= 0) {
      throw new IllegalArgumentException(
          "shard range start " + text(from) + " must be less than end " + text(to));
    }
  }

  /**
   * Returns the range between two bounds in their textual form: {@code 0x} and 16 lower-case hex
   * digits, and for the end also {@code 0x10000000000000000}, which is 2<sup>64</sup>.
   *
   * @throws IllegalArgumentException if a bound has another form, or the range is empty
   */
  public static ShardRange parse(String start, String end) {
    if (start.equals(END)) {
      throw new IllegalArgumentException(
          "shard range start " + start + " must be less than end " + end);
    }
    long from = bound("start", start);
    long to = bound("end", end);
    if (to == 0 && !end.equals(END)) {
      throw new IllegalArgumentException(
          "shard range start " + start + " must be less than end " + end);
    }
    return new ShardRange(from, to);
  }

  private static long bound(String name, String text) {
    if (requireNonNull(text, name).equals(END)) {
      return 0;
    }
    if (!text.matches("0x[0-9a-f]{1,17}")) {
      throw new IllegalArgumentException(
          "the %s of a shard range must be 0x and %d lower-case hex digits, or %s, but is \"%s\""
              .formatted(name, DIGITS, END, text));
    }
    String digits = text.substring(2);
    if (digits.length() < DIGITS) {
      throw new IllegalArgumentException(
          "the %s of a shard range must have %d hex digits, but is \"%s\"; did you mean \"0x%s%s\"?"
              .formatted(name, DIGITS, text, "0".repeat(DIGITS - digits.length()), digits));
    }
    if (digits.length() > DIGITS) {
      throw new IllegalArgumentException(
          "the %s of a shard range must not be above %s, but is \"%s\"".formatted(name, END, text));
    }
    return Long.parseUnsignedLong(digits, 16);
  }

  /**
   * Divides all hashes into ranges of equal size, in their order. If the number does not divide
   * 2<sup>64</sup>, the sizes differ by one hash.
   *
   * @throws IllegalArgumentException if the number is less than 1
   */
  public static List<ShardRange> split(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("the number of shards must be at least 1: " + count);
    }
    List<ShardRange> ranges = new ArrayList<>(count);
    BigInteger space = BigInteger.ONE.shiftLeft(Long.SIZE);
    BigInteger parts = BigInteger.valueOf(count);
    long from = 0;
    for (int i = 1; i <= count; i++) {
      // The lower 64 bits of 2^64 are 0, as the end of the last range should be.
      long to = space.multiply(BigInteger.valueOf(i)).divide(parts).longValue();
      ranges.add(new ShardRange(from, to));
      from = to;
    }
    return List.copyOf(ranges);
  }

  /**
   * Returns the fewest ranges that have the same hashes: sorted, with a gap between each two of
   * them.
   */
  public static List<ShardRange> merge(Collection<ShardRange> ranges) {
    List<ShardRange> sorted = new ArrayList<>(ranges);
    sorted.sort(BY_START);
    List<ShardRange> merged = new ArrayList<>(sorted.size());
    for (ShardRange next : sorted) {
      ShardRange last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last == null || last.endsBefore(next.from)) {
        merged.add(next);
      } else if (!next.isNotAfterEndOf(last)) {
        merged.set(merged.size() - 1, new ShardRange(last.from, next.to));
      }
    }
    return List.copyOf(merged);
  }

  /** Returns the hashes of this range that the other one does not have, as ranges. */
  List<ShardRange> without(ShardRange other) {
    if (!endsAfter(other.from) || !other.endsAfter(from)) {
      return List.of(this);
    }
    List<ShardRange> left = new ArrayList<>();
    if (Long.compareUnsigned(from, other.from) < 0) {
      left.add(new ShardRange(from, other.from));
    }
    if (!isNotAfterEndOf(other)) {
      left.add(new ShardRange(other.to, to));
    }
    return left;
  }

  private boolean endsAfter(long hash) {
    return to == 0 || Long.compareUnsigned(to, hash) > 0;
  }

  /** Returns whether there is a hash between this range and the given one. */
  private boolean endsBefore(long hash) {
    return to != 0 && Long.compareUnsigned(to, hash) < 0;
  }

  private boolean isNotAfterEndOf(ShardRange other) {
    return other.to == 0 || (to != 0 && Long.compareUnsigned(to, other.to) <= 0);
  }

  /** Returns whether a hash belongs to the range. */
  public boolean contains(long hash) {
    return Long.compareUnsigned(from, hash) <= 0 && (to == 0 || Long.compareUnsigned(hash, to) < 0);
  }

  /** Returns which part of all hashes the range has, above 0 and at most 1. */
  public double share() {
    return from == to ? 1 : unsigned(to - from) / 0x1p64;
  }

  private static double unsigned(long value) {
    return (value >>> 1) * 2.0 + (value & 1);
  }

  /** Returns the start as servers write it. */
  public String start() {
    return text(from);
  }

  /** Returns the end as servers write it. */
  public String end() {
    return to == 0 ? END : text(to);
  }

  private static String text(long bound) {
    return "0x" + HexFormat.of().toHexDigits(bound);
  }

  /** Returns both bounds, such as {@code [0x0000000000000000, 0x8000000000000000)}. */
  @Override
  public String toString() {
    return "[" + start() + ", " + end() + ")";
  }
}
