package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a list.
 *
 * <p>Immutable. Corresponds to client-go's {@code metav1.ListMeta}.
 *
 * @param selfLink A legacy field that servers no longer set
 * @param resourceVersion The version of the collection that the list shows
 * @param continueToken The token for the next page; absent or empty on the last
 * @param remainingItemCount The number of items behind this page, if the server gives it
 * @param shardInfo The part of the objects in the list; absent if the list has all objects, for
 *     example from a server that does not support shards
 */
public record ListMeta(
    @Nullable String selfLink,
    @Nullable String resourceVersion,
    @Nullable String continueToken,
    @Nullable Long remainingItemCount,
    @Nullable ShardInfo shardInfo) {

  /** A value in which nothing is set. */
  public static final ListMeta EMPTY = builder().build();

  /** Reads and writes this type. */
  public static final JsonCodec<ListMeta> CODEC = new Codec();

  /** Returns the part of the objects in the list, unless the list has all objects. */
  public Optional<ShardInfo> findShardInfo() {
    return Optional.ofNullable(shardInfo);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static ListMeta of(Consumer<Builder> fill) {
    return Edits.apply(builder(), fill).build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public ListMeta with(Consumer<Builder> edit) {
    return Edits.apply(toBuilder(), edit).build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.selfLink = selfLink;
    builder.resourceVersion = resourceVersion;
    builder.continueToken = continueToken;
    builder.remainingItemCount = remainingItemCount;
    builder.shardInfo = shardInfo;
    return builder;
  }

  /** Builds a {@link ListMeta}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String selfLink;
    private @Nullable String resourceVersion;
    private @Nullable String continueToken;
    private @Nullable Long remainingItemCount;
    private @Nullable ShardInfo shardInfo;

    private Builder() {}

    /** Sets a legacy field that servers no longer set. */
    public Builder selfLink(@Nullable String selfLink) {
      this.selfLink = selfLink;
      return this;
    }

    /** Sets the version of the collection that the list shows. */
    public Builder resourceVersion(@Nullable String resourceVersion) {
      this.resourceVersion = resourceVersion;
      return this;
    }

    /** Sets the token for the next page; absent or empty on the last. */
    public Builder continueToken(@Nullable String continueToken) {
      this.continueToken = continueToken;
      return this;
    }

    /** Sets the number of items behind this page. */
    public Builder remainingItemCount(@Nullable Long remainingItemCount) {
      this.remainingItemCount = remainingItemCount;
      return this;
    }

    /** Sets the part of the objects in the list. */
    public Builder shardInfo(@Nullable ShardInfo shardInfo) {
      this.shardInfo = shardInfo;
      return this;
    }

    /** Returns the value built. */
    public ListMeta build() {
      return new ListMeta(selfLink, resourceVersion, continueToken, remainingItemCount, shardInfo);
    }
  }

  private static final class Codec implements JsonCodec<ListMeta> {

    private static final FieldNames FIELDS =
        FieldNames.of("selfLink", "resourceVersion", "continue", "remainingItemCount", "shardInfo")
            .protobuf("1z 2z 3z 4 5");

    @Override
    public ListMeta read(JsonReader in) {
      Builder builder = new Builder();
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> builder.selfLink = in.nextString();
          case 1 -> builder.resourceVersion = in.nextString();
          case 2 -> builder.continueToken = in.nextString();
          case 3 -> builder.remainingItemCount = in.nextLong();
          case 4 -> builder.shardInfo = ShardInfo.CODEC.read(in);
          default -> throw new AssertionError(field);
        }
      }
      return builder.build();
    }

    @Override
    public void write(JsonWriter out, ListMeta value) {
      out.beginObject();
      out.field("selfLink", value.selfLink());
      out.field("resourceVersion", value.resourceVersion());
      out.field("continue", value.continueToken());
      out.field("remainingItemCount", value.remainingItemCount());
      out.field("shardInfo", ShardInfo.CODEC, value.shardInfo());
      out.endObject();
    }
  }

  /**
   * The shard of the objects that a list holds. Immutable.
   *
   * <p>Corresponds to client-go's {@code metav1.ShardInfo}.
   *
   * @param selector the shard selector of the request, as the server has applied it
   */
  public record ShardInfo(String selector) {

    /** Reads and writes this type. */
    public static final JsonCodec<ShardInfo> CODEC =
        new JsonCodec<>() {
          private static final FieldNames FIELDS = FieldNames.of("selector").protobuf("1");

          @Override
          public ShardInfo read(JsonReader in) {
            String selector = "";
            in.beginObject();
            while (in.nextField(FIELDS) != JsonReader.END) {
              selector = in.nextString();
            }
            return new ShardInfo(selector);
          }

          @Override
          public void write(JsonWriter out, ShardInfo value) {
            out.beginObject();
            out.field("selector", value.selector());
            out.endObject();
          }
        };

    public ShardInfo {
      requireNonNull(selector, "selector");
    }
  }
}
