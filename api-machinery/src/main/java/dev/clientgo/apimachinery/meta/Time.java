package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.time.Instant;

/** SKELETON: helper machinery completes (seconds + nanos + text only when not canonical). */
public final class Time {
  private Time() {}

  /** Reads and writes this type. */
  public static final JsonCodec<Time> CODEC =
      new JsonCodec<>() {
        @Override
        public Time read(JsonReader in) {
          throw new IllegalStateException();
        }

        @Override
        public void write(JsonWriter out, Time value) {
          throw new IllegalStateException();
        }
      };

  /** Returns the time of an instant, cut to whole seconds. */
  public static Time of(Instant instant) {
    throw new IllegalStateException();
  }

  /** Returns the instant. */
  public Instant instant() {
    throw new IllegalStateException();
  }
}
