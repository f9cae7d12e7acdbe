package dev.clientgo.apimachinery.status;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The response of a server that returns no object, above all for a failed request.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.Status}.
 *
 * @param metadata The list metadata, mostly empty
 * @param status {@code Success} or {@code Failure}
 * @param message The result, for people
 * @param reason Why it failed, for programs, such as {@code NotFound}
 * @param details The object and the causes
 * @param code The HTTP status code
 */
public record Status(
    @Nullable ListMeta metadata,
    @Nullable String status,
    @Nullable String message,
    @Nullable String reason,
    @Nullable StatusDetails details,
    @Nullable Integer code) {

  /** Reads and writes this type. */
  public static final JsonCodec<Status> CODEC = new Codec();

  @SuppressWarnings("ReferenceEquality") // EMPTY stands for absent metadata by its identity
  public Status {
    metadata = metadata == ListMeta.EMPTY ? null : metadata;
  }

  /** Returns the list metadata; never null, {@link ListMeta#EMPTY} if absent. */
  @Override
  public ListMeta metadata() {
    return metadata == null ? ListMeta.EMPTY : metadata;
  }

  /** Returns the object and the causes, if present. */
  public Optional<StatusDetails> findDetails() {
    return Optional.ofNullable(details);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.status = status;
    builder.message = message;
    builder.reason = reason;
    builder.details = details;
    builder.code = code;
    return builder;
  }

  /** Builds a {@link Status}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable ListMeta metadata;
    private @Nullable String status;
    private @Nullable String message;
    private @Nullable String reason;
    private @Nullable StatusDetails details;
    private @Nullable Integer code;

    private Builder() {}

    /** Sets the list metadata, mostly empty. */
    public Builder metadata(@Nullable ListMeta metadata) {
      this.metadata = metadata;
      return this;
    }

    /** Sets {@code Success} or {@code Failure}. */
    public Builder status(@Nullable String status) {
      this.status = status;
      return this;
    }

    /** Sets the message, for people. */
    public Builder message(@Nullable String message) {
      this.message = message;
      return this;
    }

    /** Sets the reason of the failure, for programs, such as {@code NotFound}. */
    public Builder reason(@Nullable String reason) {
      this.reason = reason;
      return this;
    }

    /** Sets the details: the object and the causes. */
    public Builder details(@Nullable StatusDetails details) {
      this.details = details;
      return this;
    }

    /** Sets the HTTP status code. */
    public Builder code(@Nullable Integer code) {
      this.code = code;
      return this;
    }

    /** Returns the value built. */
    public Status build() {
      return new Status(metadata, status, message, reason, details, code);
    }
  }

  private static final class Codec implements JsonCodec<Status> {

    private static final FieldNames FIELDS =
        FieldNames.of("metadata", "status", "message", "reason", "details", "code")
            .protobuf("1 2z 3z 4z 5 6z");

    @Override
    public Status read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.metadata = ListMeta.CODEC.read(in);
          case 1 -> builder.status = in.nextString();
          case 2 -> builder.message = in.nextString();
          case 3 -> builder.reason = in.nextString();
          case 4 -> builder.details = StatusDetails.CODEC.read(in);
          case 5 -> builder.code = in.nextInt();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, Status value) {
      out.beginObject();
      out.field("kind", "Status");
      out.field("apiVersion", "v1");
      out.field("metadata", ListMeta.CODEC, value.metadata);
      out.field("status", value.status());
      out.field("message", value.message());
      out.field("reason", value.reason());
      out.field("details", StatusDetails.CODEC, value.details());
      out.field("code", value.code());
      out.endObject();
    }
  }
}
