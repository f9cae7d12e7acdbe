package dev.clientgo.apimachinery.sharding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The field whose hash decides to which shard an object belongs. Neither field ever changes, so an
 * object stays in its shard for life.
 */
public enum ShardField {

  /** The uid: spreads the objects evenly. */
  UID("object.metadata.uid"),

  /**
   * The namespace: keeps the objects of a namespace together. All cluster-scoped objects have the
   * same hash, that of an empty text.
   */
  NAMESPACE("object.metadata.namespace");

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final String path;

  ShardField(String path) {
    this.path = path;
  }

  /** Returns the path of the field in the text of a selector. */
  public String path() {
    return path;
  }

  /**
   * Returns the field with that path.
   *
   * @throws IllegalArgumentException if servers do not select shards by that field
   */
  public static ShardField ofPath(String path) {
    return Stream.of(values())
        .filter(field -> field.path.equals(path))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unsupported field path \"" + path + "\"; supported: " + supported()));
  }

  private static String supported() {
    return Stream.of(values()).map(ShardField::path).collect(Collectors.joining(", "));
  }

  /** Returns the hash of this field of an object. A field that is not set counts as empty. */
  public long hash(KubernetesObject object) {
    String value = this == UID ? object.metadata().uid() : object.metadata().namespace();
    return hash(value == null ? "" : value);
  }

  /**
   * Returns the 64-bit FNV-1a hash of the UTF-8 form of a value, as an unsigned number. Servers use
   * the same.
   */
  public static long hash(String value) {
    requireNonNull(value, "value");
    long hash = FNV_OFFSET;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        return hash(value.getBytes(UTF_8));
      }
      hash = (hash ^ c) * FNV_PRIME; // Of a byte itself in ASCII, such as in each uid.
    }
    return hash;
  }

  private static long hash(byte[] bytes) {
    long hash = FNV_OFFSET;
    for (byte next : bytes) {
      hash = (hash ^ (next & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /** Returns the path. */
  @Override
  public String toString() {
    return path;
  }
}
