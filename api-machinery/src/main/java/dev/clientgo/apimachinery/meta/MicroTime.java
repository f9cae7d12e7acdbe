package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.internal.utf8.TimeText;
import dev.clientgo.clock.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A point in time with a precision of one microsecond, such as {@code renewTime} of a lease.
 *
 * <p>It is written with exactly six digits behind the second, in UTC, as {@code
 * 2026-01-31T12:00:00.000000Z}; a text with more or fewer digits is an error. A time that was read
 * with another offset keeps its text, so that reading and writing an object does not change it. Two
 * times are equal if they are the same instant. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.MicroTime}. Unlike there, an absent time is null, not
 * a special value.
 */
public final class MicroTime implements Comparable<MicroTime> {

  /** Reads and writes this type. */
  public static final JsonCodec<MicroTime> CODEC = new Codec();

  private static final int FRACTION_DIGITS = 6;
  private static final int CANONICAL_LENGTH = Rfc3339.SECONDS_LENGTH + 1 + FRACTION_DIGITS + 1;
  private static final int NANOS_PER_MICRO = 1000;

  private final long seconds;
  private final int nanos;
  private final @Nullable String text;

  /**
   * @param text the text that was read; null if it equals the text to write
   */
  private MicroTime(long seconds, int nanos, @Nullable String text) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.text = text;
  }

  /**
   * Returns the time of an instant, truncated to whole microseconds.
   *
   * @throws IllegalArgumentException if its year does not have four digits
   */
  public static MicroTime of(Instant instant) {
    int nanos = instant.getNano();
    return new MicroTime(
        Rfc3339.requireWritable(instant.getEpochSecond()), nanos - nanos % NANOS_PER_MICRO, null);
  }

  /** Returns the current time of a clock, truncated to whole microseconds. */
  public static MicroTime now(Clock clock) {
    return of(clock.now());
  }

  /**
   * Parses a date and time of RFC 3339 with six digits behind the second.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  public static MicroTime parse(String text) {
    if (text.length() == CANONICAL_LENGTH
        && text.charAt(Rfc3339.SECONDS_LENGTH) == '.'
        && text.charAt(CANONICAL_LENGTH - 1) == 'Z') {
      long seconds = Rfc3339.canonicalSeconds(text);
      int micros = Rfc3339.number(text, Rfc3339.SECONDS_LENGTH + 1, FRACTION_DIGITS);
      if (seconds != Rfc3339.NOT_CANONICAL && micros >= 0) {
        return new MicroTime(seconds, micros * NANOS_PER_MICRO, null);
      }
    }
    Rfc3339 parsed = Rfc3339.parse(text);
    if (parsed == null || parsed.fractionDigits() != FRACTION_DIGITS) {
      throw Rfc3339.notATime(text, "2026-01-31T12:00:00.000000Z");
    }
    return new MicroTime(parsed.seconds(), parsed.nanos(), text);
  }

  /** Returns the instant. */
  public Instant instant() {
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /** Returns whether this time lies before the other. */
  public boolean isBefore(MicroTime other) {
    return compareTo(other) < 0;
  }

  /** Returns whether this time lies after the other. */
  public boolean isAfter(MicroTime other) {
    return compareTo(other) > 0;
  }

  /** Compares by instant. */
  @Override
  public int compareTo(MicroTime other) {
    int result = Long.compare(seconds, other.seconds);
    return result != 0 ? result : Integer.compare(nanos, other.nanos);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MicroTime time && seconds == time.seconds && nanos == time.nanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(seconds) * 31 + nanos;
  }

  /** Returns the text that was read, or else the form of RFC 3339 in microseconds of UTC. */
  @Override
  public String toString() {
    return text != null ? text : TimeText.micros(seconds, nanos);
  }

  private static final class Codec implements JsonCodec<MicroTime> {

    @Override
    public MicroTime read(JsonReader in) {
      MicroTime time;
      try {
        time = parse(in.nextString());
      } catch (IllegalArgumentException e) {
        throw in.mismatch(String.valueOf(e.getMessage()));
      }
      // An equal time may have another text, and the text that was read must be written unchanged.
      return time.text == null ? in.context().share(time) : time;
    }

    @Override
    public void write(JsonWriter out, MicroTime value) {
      out.string(value.toString());
    }
  }
}
