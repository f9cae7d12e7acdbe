package dev.clientgo.envtest;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Map;

/**
 * A version of an object, as it is stored: without {@code apiVersion} and {@code kind}, which
 * depend on the version in which it is served. Immutable.
 *
 * <p>Its JSON text is made once, however many lists and watches send it.
 */
final class Stored {

  private final String key;
  private final long revision;
  private final Unstructured object;
  private volatile byte[] fields = {};

  private Stored(String key, long revision, Unstructured object) {
    this.key = key;
    this.revision = revision;
    this.object = object;
  }

  /**
   * Returns a version of an object.
   *
   * @param key what orders the collection, see {@link #key(String, String)}
   * @param revision the resource version, which is written into the object
   */
  static Stored of(String key, long revision, Unstructured object) {
    ObjectMeta metadata =
        object.metadata().toBuilder().resourceVersion(Long.toString(revision)).build();
    return new Stored(key, revision, object.withMetadata(metadata));
  }

  /** Returns an object that is in no store and has no version: the answer to a dry run. */
  static Stored unsaved(String key, Unstructured object) {
    return new Stored(key, 0, object);
  }

  /** Returns the key of an object. The order of keys is the order of lists, as it is in etcd. */
  static String key(String namespace, String name) {
    return prefix(namespace) + name;
  }

  /** Returns what the keys of all objects in a namespace begin with; empty for all. */
  static String prefix(String namespace) {
    return namespace.isEmpty() ? "" : namespace + "/";
  }

  /** Returns the same object under another revision. */
  Stored at(long other) {
    return of(key, other, object);
  }

  String key() {
    return key;
  }

  long revision() {
    return revision;
  }

  Unstructured object() {
    return object;
  }

  ObjectMeta metadata() {
    return object.metadata();
  }

  String name() {
    return requireNonNullElse(metadata().name(), "");
  }

  String uid() {
    return requireNonNullElse(metadata().uid(), "");
  }

  boolean isBeingDeleted() {
    return metadata().deletionTimestamp() != null;
  }

  List<String> finalizers() {
    return requireNonNullElse(metadata().finalizers(), List.of());
  }

  Map<String, String> labels() {
    return requireNonNullElse(metadata().labels(), Map.of());
  }

  /**
   * Returns the JSON text of the fields and the closing brace: what comes behind the fields that
   * depend on the reader. Not to be changed.
   */
  byte[] fields() {
    byte[] made = fields;
    if (made.length == 0) {
      made = Json.writeFields(Unstructured.CODEC, object);
      fields = made; // Two threads may both make it; it is the same.
    }
    return made;
  }
}
