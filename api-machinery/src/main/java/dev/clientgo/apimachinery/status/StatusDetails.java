package dev.clientgo.apimachinery.status;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The details of a failed request: its object and the causes.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.StatusDetails}.
 *
 * @param name The name of the object
 * @param group The API group of the resource
 * @param kind The resource, despite its name
 * @param uid The uid of the object
 * @param causes The reasons in detail
 * @param retryAfterSeconds After how many seconds to try again
 */
public record StatusDetails(
    @Nullable String name,
    @Nullable String group,
    @Nullable String kind,
    @Nullable String uid,
    @Nullable List<StatusCause> causes,
    @Nullable Integer retryAfterSeconds) {

  /** Reads and writes this type. */
  public static final JsonCodec<StatusDetails> CODEC = new Codec();

  public StatusDetails {
    causes = Immutable.list(causes);
  }

  /** Returns the reasons in detail; never null, empty if absent. */
  @Override
  public List<StatusCause> causes() {
    return Immutable.orEmpty(causes);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.group = group;
    builder.kind = kind;
    builder.uid = uid;
    builder.causes = causes;
    builder.retryAfterSeconds = retryAfterSeconds;
    return builder;
  }

  /** Builds a {@link StatusDetails}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String name;
    private @Nullable String group;
    private @Nullable String kind;
    private @Nullable String uid;
    private @Nullable List<StatusCause> causes;
    private @Nullable Integer retryAfterSeconds;

    private Builder() {}

    /** Sets the name of the object. */
    public Builder name(@Nullable String name) {
      this.name = name;
      return this;
    }

    /** Sets the API group of the resource. */
    public Builder group(@Nullable String group) {
      this.group = group;
      return this;
    }

    /** Sets the resource; {@code kind} is upstream's name for it. */
    public Builder kind(@Nullable String kind) {
      this.kind = kind;
      return this;
    }

    /** Sets the uid of the object. */
    public Builder uid(@Nullable String uid) {
      this.uid = uid;
      return this;
    }

    /** Sets the causes. */
    public Builder causes(@Nullable List<StatusCause> causes) {
      this.causes = causes;
      return this;
    }

    /** Sets the number of seconds after which to retry. */
    public Builder retryAfterSeconds(@Nullable Integer retryAfterSeconds) {
      this.retryAfterSeconds = retryAfterSeconds;
      return this;
    }

    /** Returns the value built. */
    public StatusDetails build() {
      return new StatusDetails(name, group, kind, uid, causes, retryAfterSeconds);
    }
  }

  private static final class Codec implements JsonCodec<StatusDetails> {

    private static final FieldNames FIELDS =
        FieldNames.of("name", "group", "kind", "uid", "causes", "retryAfterSeconds")
            .protobuf("1z 2z 3z 6z 4 5z");

    @Override
    public StatusDetails read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.name = in.nextString();
          case 1 -> builder.group = in.nextString();
          case 2 -> builder.kind = in.nextString();
          case 3 -> builder.uid = in.nextString();
          case 4 -> builder.causes = in.nextList(StatusCause.CODEC);
          case 5 -> builder.retryAfterSeconds = in.nextInt();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, StatusDetails value) {
      out.beginObject();
      out.field("name", value.name());
      out.field("group", value.group());
      out.field("kind", value.kind());
      out.field("uid", value.uid());
      out.listField("causes", StatusCause.CODEC, value.causes());
      out.field("retryAfterSeconds", value.retryAfterSeconds());
      out.endObject();
    }
  }
}
