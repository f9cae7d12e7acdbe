package dev.clientgo.envtest.internal.storage;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored version of an object, without {@code apiVersion} and {@code kind}, which depend on the
 * version in which it is served. Immutable.
 *
 * <p>All lists and watches share its JSON text, which is created once.
 */
public final class StoredObject {

  private final String key;
  private final long revision;
  private final String version;
  private final Unstructured object;
  private volatile byte[] fields = {};

  private StoredObject(String key, long revision, String version, Unstructured object) {
    this.key = key;
    this.revision = revision;
    this.version = version;
    this.object = object;
  }

  /**
   * Returns a version of an object.
   *
   * @param key the key, see {@link #key(String, String)}
   * @param revision the resource version, which is set in the object
   */
  public static StoredObject of(String key, long revision, Unstructured object) {
    return of(key, revision, "", object);
  }

  /**
   * Returns a version of an object that differs in the versions of its kind.
   *
   * @param version the version of the kind, see {@link #version}
   */
  public static StoredObject of(String key, long revision, String version, Unstructured object) {
    ObjectMeta metadata =
        object.metadata().toBuilder().resourceVersion(Long.toString(revision)).build();
    return new StoredObject(key, revision, version, object.withMetadata(metadata));
  }

  /** Returns an object that is not stored and has no version: the result of a dry run. */
  public static StoredObject unsaved(String key, Unstructured object) {
    return unsaved(key, "", object);
  }

  /** Returns an object that is not stored and has no version, in a version of its kind. */
  public static StoredObject unsaved(String key, String version, Unstructured object) {
    return new StoredObject(key, 0, version, object);
  }

  /** Returns an object that a test hands in with its version and its type, and with metadata. */
  public static StoredObject unsaved(Unstructured object) {
    Unstructured bare = object.withType("", "");
    boolean hasMetadata = bare.content().containsKey("metadata");
    return unsaved("", hasMetadata ? bare : bare.withMetadata(ObjectMeta.builder().build()));
  }

  /** Returns the key of an object. Lists are in the order of keys, as in etcd. */
  public static String key(String namespace, String name) {
    return prefix(namespace) + name;
  }

  /** Returns the prefix of the keys in a namespace; empty for all namespaces. */
  public static String prefix(String namespace) {
    return namespace.isEmpty() ? "" : namespace + "/";
  }

  /** Returns the same object with another revision. */
  public StoredObject at(long other) {
    return of(key, other, version, object);
  }

  /** Returns the same object in another version of its kind. */
  public StoredObject converted(Unstructured other, String otherVersion) {
    return revision == 0
        ? unsaved(key, otherVersion, other)
        : of(key, revision, otherVersion, other);
  }

  public String key() {
    return key;
  }

  public long revision() {
    return revision;
  }

  /**
   * Returns the version of the kind in which the object is, such as {@code v1}; empty if the object
   * is the same in all versions.
   */
  public String version() {
    return version;
  }

  public Unstructured object() {
    return object;
  }

  public ObjectMeta metadata() {
    return object.metadata();
  }

  public String name() {
    return requireNonNullElse(metadata().name(), "");
  }

  public String uid() {
    return requireNonNullElse(metadata().uid(), "");
  }

  public boolean isBeingDeleted() {
    return metadata().deletionTimestamp() != null;
  }

  public List<String> finalizers() {
    return metadata().finalizers();
  }

  public Map<String, String> labels() {
    return metadata().labels();
  }

  /**
   * Returns the string, number or boolean at a path such as {@code spec.nodeName}, as text; empty
   * if there is none.
   */
  public String field(String path) {
    String[] names = path.split("\\.", -1);
    // The whole content would cost a tree of the metadata for each object of a list.
    @Nullable Object root = object.nested(names[0]).orElse(null);
    return JsonTree.scalar(JsonTree.of(names[0], root), names);
  }

  /**
   * Returns the JSON text of the fields with the closing brace; the caller writes {@code
   * apiVersion} and {@code kind} before it. Callers must not change it.
   */
  public byte[] fields() {
    byte[] made = fields;
    if (made.length == 0) {
      made = JsonText.writeFields(Unstructured.CODEC, object);
      fields = made; // Two threads may both create it; the results are equal.
    }
    return made;
  }
}
