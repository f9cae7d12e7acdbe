package dev.clientgo.envtest;

import java.util.Arrays;
import java.util.Map;

/**
 * A version of an object, as stored: without {@code apiVersion} and {@code kind}, which depend on
 * the version in which it is served. Immutable.
 *
 * <p>Its JSON text is made once, however many lists and watches send it; the fields that depend on
 * the reader are put in front.
 */
final class Stored {

  private final String key;
  private final long revision;
  private final Map<String, Object> tree;
  private volatile byte[] fields = {};

  private Stored(String key, long revision, Map<String, Object> tree) {
    this.key = key;
    this.revision = revision;
    this.tree = tree;
  }

  /** Returns the key of an object. The order of keys is the order of lists, as it is in etcd. */
  static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /** Returns what the keys of all objects in a namespace begin with; empty for all. */
  static String prefix(String namespace) {
    return namespace.isEmpty() ? "" : namespace + "/";
  }

  String key() {
    return key;
  }

  long revision() {
    return revision;
  }

  Map<String, Object> tree() {
    return tree;
  }

  String name() {
    return Tree.string(tree, "metadata", "name");
  }

  String namespace() {
    return Tree.string(tree, "metadata", "namespace");
  }

  String uid() {
    return Tree.string(tree, "metadata", "uid");
  }

  /** Returns the same object under another revision. */
  Stored at(long other) {
    return of(key, other, tree);
  }

  /** Returns an object with the revision written into it. */
  static Stored of(String key, long revision, Map<String, Object> tree) {
    return new Stored(
        key, revision, Tree.with(tree, Long.toString(revision), "metadata", "resourceVersion"));
  }

  /** Returns an object that is not in the store: the answer to a dry run. */
  static Stored unsaved(String key, Map<String, Object> tree) {
    return new Stored(key, 0, tree);
  }

  /** Returns the object as it is served in some version. */
  Map<String, Object> tree(Resource resource, Resource.Version version) {
    Map<String, Object> head =
        Tree.of("kind", resource.kind(), "apiVersion", resource.apiVersion(version.name()));
    return Tree.concat(head, tree);
  }

  /**
   * Returns the JSON text of the fields and the closing brace: what comes after the fields that
   * depend on the reader. Not to be changed.
   */
  byte[] fields() {
    byte[] made = fields;
    if (made.length == 0) {
      byte[] text = Json.write(tree);
      made = Arrays.copyOfRange(text, 1, text.length);
      fields = made; // Two threads may both make it; it is the same.
    }
    return made;
  }
}
