package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.time.Duration;

/**
 * A duration in Go's text form, such as {@code 1h30m0.5s}, which configuration files and custom
 * resources use.
 *
 * <pre>{@code
 * Duration interval = GoDuration.parse("1m30s").toDuration();
 * GoDuration.of(Duration.ofMillis(1500)).toString(); // 1.5s
 * }</pre>
 *
 * <p>The range is Go's: 64 bits of nanoseconds, about 292 years in both directions. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.Duration}; reads text as Go's {@code
 * time.ParseDuration} does, and writes it as {@code time.Duration.String} does.
 *
 * @param nanos the length in nanoseconds
 */
public record GoDuration(long nanos) implements Comparable<GoDuration> {

  /** Zero. */
  public static final GoDuration ZERO = new GoDuration(0);

  /** Reads and writes this type, as a string. */
  public static final JsonCodec<GoDuration> CODEC = new Codec();

  /**
   * Parses a duration: decimal numbers, each with an optional fraction and a unit, behind an
   * optional sign. Units are {@code ns}, {@code us} (or {@code µs}), {@code ms}, {@code s}, {@code
   * m} and {@code h}; 0 alone needs no unit. Digits beyond nanoseconds are dropped.
   *
   * @throws IllegalArgumentException if the text is not a duration, or is out of range; the message
   *     is Go's
   */
  public static GoDuration parse(String text) {
    return new GoDuration(new GoDurationParser(text).parse());
  }

  /**
   * Returns the duration that equals one of Java's.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static GoDuration of(Duration duration) {
    try {
      return new GoDuration(duration.toNanos());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          duration + " is out of range: Go's durations hold about 292 years", e);
    }
  }

  /** Returns the duration as one of Java's. */
  public Duration toDuration() {
    return Duration.ofNanos(nanos);
  }

  @Override
  public int compareTo(GoDuration other) {
    return Long.compare(nanos, other.nanos);
  }

  /** Returns the text as Go writes it: {@code 1h0m0s}, {@code 1.5s}, {@code 800ms}, {@code 0s}. */
  @Override
  public String toString() {
    return GoDurationFormat.format(nanos);
  }

  private static final class Codec implements JsonCodec<GoDuration> {

    @Override
    public GoDuration read(JsonReader in) {
      String text = in.nextString();
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw in.mismatch(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void write(JsonWriter out, GoDuration value) {
      out.string(value.toString());
    }
  }
}
