package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.internal.utf8.TimeText;
import dev.clientgo.clock.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A point in time with a precision of one second, such as {@code creationTimestamp}.
 *
 * <p>A new time is truncated to whole seconds and written in UTC, as {@code 2026-01-31T12:00:00Z}.
 * A time that was read may have a fraction or another offset. It keeps the instant, to the
 * nanosecond, and the text, so that reading and writing an object does not change it. Two times are
 * equal if they are the same instant, however they are written. Immutable. {@link MicroTime} has
 * six more digits.
 *
 * <p>Corresponds to client-go's {@code metav1.Time}. Unlike there, an absent time is null, not a
 * special value.
 */
public final class Time implements Comparable<Time> {

  /** Reads and writes this type. */
  public static final JsonCodec<Time> CODEC = new Codec();

  private static final int CANONICAL_LENGTH = Rfc3339.SECONDS_LENGTH + 1;

  private final long seconds;
  private final int nanos;
  private final @Nullable String text;

  /**
   * @param text the text that was read; null if it equals the text to write
   */
  private Time(long seconds, int nanos, @Nullable String text) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.text = text;
  }

  /**
   * Returns the time of an instant, truncated to whole seconds.
   *
   * @throws IllegalArgumentException if its year does not have four digits
   */
  public static Time of(Instant instant) {
    return ofEpochSecond(instant.getEpochSecond());
  }

  /**
   * Returns the time of a number of seconds since 1970-01-01T00:00:00Z.
   *
   * @throws IllegalArgumentException if its year does not have four digits
   */
  public static Time ofEpochSecond(long seconds) {
    return new Time(Rfc3339.requireWritable(seconds), 0, null);
  }

  /** Returns the current time, truncated to whole seconds. */
  public static Time now() {
    return now(Clock.system());
  }

  /** Returns the current time of a clock, truncated to whole seconds. */
  public static Time now(Clock clock) {
    return of(clock.now());
  }

  /**
   * Parses a date and time of RFC 3339.
   *
   * @throws IllegalArgumentException if the text is not one
   */
  public static Time parse(String text) {
    if (text.length() == CANONICAL_LENGTH && text.charAt(CANONICAL_LENGTH - 1) == 'Z') {
      long seconds = Rfc3339.canonicalSeconds(text);
      if (seconds != Rfc3339.NOT_CANONICAL) {
        return new Time(seconds, 0, null);
      }
    }
    Rfc3339 parsed = Rfc3339.parse(text);
    if (parsed == null) {
      throw Rfc3339.notATime(text, "2026-01-31T12:00:00Z");
    }
    return new Time(parsed.seconds(), parsed.nanos(), text);
  }

  /** Returns the instant. */
  public Instant instant() {
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /** Returns whether this time lies before the other. */
  public boolean isBefore(Time other) {
    return compareTo(other) < 0;
  }

  /** Returns whether this time lies after the other. */
  public boolean isAfter(Time other) {
    return compareTo(other) > 0;
  }

  /** Compares by instant. */
  @Override
  public int compareTo(Time other) {
    int result = Long.compare(seconds, other.seconds);
    return result != 0 ? result : Integer.compare(nanos, other.nanos);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Time time && seconds == time.seconds && nanos == time.nanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(seconds) * 31 + nanos;
  }

  /** Returns the text that was read, or else the form of RFC 3339 in whole seconds of UTC. */
  @Override
  public String toString() {
    return text != null ? text : TimeText.seconds(seconds);
  }

  private static final class Codec implements JsonCodec<Time> {

    @Override
    public Time read(JsonReader in) {
      Time time;
      try {
        time = parse(in.nextString());
      } catch (IllegalArgumentException e) {
        throw in.mismatch(String.valueOf(e.getMessage()));
      }
      // An equal time may have another text, and the text that was read must be written unchanged.
      return time.text == null ? in.context().share(time) : time;
    }

    @Override
    public void write(JsonWriter out, Time value) {
      out.string(value.toString());
    }
  }
}
