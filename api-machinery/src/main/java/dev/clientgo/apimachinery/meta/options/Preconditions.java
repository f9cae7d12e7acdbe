package dev.clientgo.apimachinery.meta.options;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Preconditions of a deletion: the identity and version that the object must have.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.Preconditions}.
 *
 * @param uid the uid that the object must have, so that the request spares a newer object of the
 *     same name
 * @param resourceVersion the version that the object must have, so that the request fails if the
 *     object has changed
 */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {

  /** Reads and writes this type. */
  public static final JsonCodec<Preconditions> CODEC = new Codec();

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.uid = uid;
    builder.resourceVersion = resourceVersion;
    return builder;
  }

  /** Returns the precondition that the object has this uid. */
  public static Preconditions ofUid(String uid) {
    return new Preconditions(uid, null);
  }

  /** Builds a {@link Preconditions}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String uid;
    private @Nullable String resourceVersion;

    private Builder() {}

    /** Sets the uid that the object must have. */
    public Builder uid(@Nullable String uid) {
      this.uid = uid;
      return this;
    }

    /** Sets the version that the object must have. */
    public Builder resourceVersion(@Nullable String resourceVersion) {
      this.resourceVersion = resourceVersion;
      return this;
    }

    /** Returns the value built. */
    public Preconditions build() {
      return new Preconditions(uid, resourceVersion);
    }
  }

  private static final class Codec implements JsonCodec<Preconditions> {

    private static final FieldNames FIELDS =
        FieldNames.of("uid", "resourceVersion").protobuf("1 2");

    @Override
    public Preconditions read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.uid = in.nextString();
          case 1 -> builder.resourceVersion = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, Preconditions value) {
      out.beginObject();
      out.field("uid", value.uid());
      out.field("resourceVersion", value.resourceVersion());
      out.endObject();
    }
  }
}
