package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reference to the owner of an object. The server deletes an object after all its owners.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.OwnerReference}.
 *
 * @param apiVersion The apiVersion of the owner
 * @param kind The kind of the owner
 * @param name The name of the owner
 * @param uid The uid of the owner
 * @param controller Whether the owner manages the object; at most one does
 * @param blockOwnerDeletion Whether the owner cannot be deleted in the foreground before the object
 *     is gone
 */
public record OwnerReference(
    @Nullable String apiVersion,
    @Nullable String kind,
    @Nullable String name,
    @Nullable String uid,
    @Nullable Boolean controller,
    @Nullable Boolean blockOwnerDeletion) {

  /** Reads and writes this type. */
  public static final JsonCodec<OwnerReference> CODEC = new Codec();

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns whether the owner manages the object. */
  public boolean isController() {
    return Boolean.TRUE.equals(controller);
  }

  /**
   * Returns whether both refer to the same object: they agree in group, kind and name; versions may
   * differ.
   */
  public boolean refersToSame(OwnerReference other) {
    return Objects.equals(kind, other.kind)
        && Objects.equals(name, other.name)
        && Objects.equals(group(), other.group());
  }

  private @Nullable String group() {
    try {
      return apiVersion == null ? "" : GroupVersion.parse(apiVersion).group();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static OwnerReference of(Consumer<Builder> fill) {
    Builder builder = new Builder();
    fill.accept(builder);
    return builder.build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public OwnerReference with(Consumer<Builder> edit) {
    Builder builder = toBuilder();
    edit.accept(builder);
    return builder.build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.apiVersion = apiVersion;
    builder.kind = kind;
    builder.name = name;
    builder.uid = uid;
    builder.controller = controller;
    builder.blockOwnerDeletion = blockOwnerDeletion;
    return builder;
  }

  /** Builds a {@link OwnerReference}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String apiVersion;
    private @Nullable String kind;
    private @Nullable String name;
    private @Nullable String uid;
    private @Nullable Boolean controller;
    private @Nullable Boolean blockOwnerDeletion;

    private Builder() {}

    /** Sets the apiVersion of the owner. */
    public Builder apiVersion(@Nullable String apiVersion) {
      this.apiVersion = apiVersion;
      return this;
    }

    /** Sets the kind of the owner. */
    public Builder kind(@Nullable String kind) {
      this.kind = kind;
      return this;
    }

    /** Sets the name of the owner. */
    public Builder name(@Nullable String name) {
      this.name = name;
      return this;
    }

    /** Sets the uid of the owner. */
    public Builder uid(@Nullable String uid) {
      this.uid = uid;
      return this;
    }

    /** Sets whether the owner manages the object; at most one does. */
    public Builder controller(@Nullable Boolean controller) {
      this.controller = controller;
      return this;
    }

    /** Sets whether a foreground deletion of the owner waits until the object is deleted. */
    public Builder blockOwnerDeletion(@Nullable Boolean blockOwnerDeletion) {
      this.blockOwnerDeletion = blockOwnerDeletion;
      return this;
    }

    /** Returns the value built. */
    public OwnerReference build() {
      return new OwnerReference(apiVersion, kind, name, uid, controller, blockOwnerDeletion);
    }
  }

  private static final class Codec implements JsonCodec<OwnerReference> {

    private static final FieldNames FIELDS =
        FieldNames.of("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")
            .protobuf("5 1 3 4 6 7");

    @Override
    public OwnerReference read(JsonReader in) {
      String apiVersion = null;
      String kind = null;
      String name = null;
      String uid = null;
      Boolean controller = null;
      Boolean blockOwnerDeletion = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> apiVersion = in.nextString();
          case 1 -> kind = in.nextString();
          case 2 -> name = in.nextString();
          case 3 -> uid = in.nextString();
          case 4 -> controller = in.nextBoolean();
          case 5 -> blockOwnerDeletion = in.nextBoolean();
          default -> throw new AssertionError(field);
        }
      }
      return new OwnerReference(apiVersion, kind, name, uid, controller, blockOwnerDeletion);
    }

    @Override
    public void write(JsonWriter out, OwnerReference value) {
      out.beginObject();
      out.field("apiVersion", value.apiVersion());
      out.field("kind", value.kind());
      out.field("name", value.name());
      out.field("uid", value.uid());
      out.field("controller", value.controller());
      out.field("blockOwnerDeletion", value.blockOwnerDeletion());
      out.endObject();
    }
  }
}
