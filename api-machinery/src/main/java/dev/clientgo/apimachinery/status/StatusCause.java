package dev.clientgo.apimachinery.status;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * One cause of a failed request.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.StatusCause}.
 *
 * @param reason The type of the cause, such as {@code FieldValueRequired}
 * @param message The problem, for people
 * @param field The field of the object sent, such as {@code spec.replicas}
 */
public record StatusCause(
    @Nullable String reason, @Nullable String message, @Nullable String field) {

  /** Reads and writes this type. */
  public static final JsonCodec<StatusCause> CODEC = new Codec();

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.reason = reason;
    builder.message = message;
    builder.field = field;
    return builder;
  }

  /** Builds a {@link StatusCause}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String reason;
    private @Nullable String message;
    private @Nullable String field;

    private Builder() {}

    /** Sets the type of the cause, such as {@code FieldValueRequired}. */
    public Builder reason(@Nullable String reason) {
      this.reason = reason;
      return this;
    }

    /** Sets the message, for people. */
    public Builder message(@Nullable String message) {
      this.message = message;
      return this;
    }

    /** Sets the field of the object sent, such as {@code spec.replicas}. */
    public Builder field(@Nullable String field) {
      this.field = field;
      return this;
    }

    /** Returns the value built. */
    public StatusCause build() {
      return new StatusCause(reason, message, field);
    }
  }

  private static final class Codec implements JsonCodec<StatusCause> {

    private static final FieldNames FIELDS =
        FieldNames.of("reason", "message", "field").protobuf("1z 2z 3z");

    @Override
    public StatusCause read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.reason = in.nextString();
          case 1 -> builder.message = in.nextString();
          case 2 -> builder.field = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, StatusCause value) {
      out.beginObject();
      out.field("reason", value.reason());
      out.field("message", value.message());
      out.field("field", value.field());
      out.endObject();
    }
  }
}
