package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One aspect of the state of an object, as a controller last observed it.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.Condition}.
 *
 * @param type The aspect, such as Ready; unique in the list
 * @param status True, False or Unknown
 * @param observedGeneration The generation of the object that was observed
 * @param lastTransitionTime When the status last changed
 * @param reason Why the status changed, for programs: a word in CamelCase
 * @param message Why the status changed, for people
 */
public record Condition(
    @Nullable String type,
    @Nullable String status,
    @Nullable Long observedGeneration,
    @Nullable Time lastTransitionTime,
    @Nullable String reason,
    @Nullable String message) {

  /** Reads and writes this type. */
  public static final JsonCodec<Condition> CODEC = new Codec();

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static Condition of(Consumer<Builder> fill) {
    return Edits.apply(builder(), fill).build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public Condition with(Consumer<Builder> edit) {
    return Edits.apply(toBuilder(), edit).build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Builds a {@link Condition}. Not safe for use by many threads. */
  public static final class Builder {

    private @Nullable String type;
    private @Nullable String status;
    private @Nullable Long observedGeneration;
    private @Nullable Time lastTransitionTime;
    private @Nullable String reason;
    private @Nullable String message;

    private Builder() {}

    private Builder(Condition value) {
      this.type = value.type;
      this.status = value.status;
      this.observedGeneration = value.observedGeneration;
      this.lastTransitionTime = value.lastTransitionTime;
      this.reason = value.reason;
      this.message = value.message;
    }

    /** Sets the aspect, such as {@code Ready}; a list holds at most one condition of each type. */
    public Builder type(@Nullable String type) {
      this.type = type;
      return this;
    }

    /**
     * Sets the status: {@link Conditions#TRUE}, {@link Conditions#FALSE} or {@link
     * Conditions#UNKNOWN}.
     */
    public Builder status(@Nullable String status) {
      this.status = status;
      return this;
    }

    /** Sets the generation of the object that was observed. */
    public Builder observedGeneration(@Nullable Long observedGeneration) {
      this.observedGeneration = observedGeneration;
      return this;
    }

    /** Sets when the status last changed; {@link Conditions#set} maintains it. */
    public Builder lastTransitionTime(@Nullable Time lastTransitionTime) {
      this.lastTransitionTime = lastTransitionTime;
      return this;
    }

    /** Sets the reason of the change, for programs: a word in CamelCase. */
    public Builder reason(@Nullable String reason) {
      this.reason = reason;
      return this;
    }

    /** Sets the reason of the change, for people. */
    public Builder message(@Nullable String message) {
      this.message = message;
      return this;
    }

    /** Returns the value built. */
    public Condition build() {
      return new Condition(type, status, observedGeneration, lastTransitionTime, reason, message);
    }
  }

  private static final class Codec implements JsonCodec<Condition> {

    private static final FieldNames FIELDS =
        FieldNames.of(
                "type", "status", "observedGeneration", "lastTransitionTime", "reason", "message")
            .protobuf("1 2 3z 4t 5 6");

    @Override
    public Condition read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.type = in.nextString();
          case 1 -> builder.status = in.nextString();
          case 2 -> builder.observedGeneration = in.nextLong();
          case 3 -> builder.lastTransitionTime = Time.CODEC.read(in);
          case 4 -> builder.reason = in.nextString();
          case 5 -> builder.message = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, Condition value) {
      out.beginObject();
      out.field("type", value.type());
      out.field("status", value.status());
      out.field("observedGeneration", value.observedGeneration());
      out.field("lastTransitionTime", Time.CODEC, value.lastTransitionTime());
      out.field("reason", value.reason());
      out.field("message", value.message());
      out.endObject();
    }
  }
}
