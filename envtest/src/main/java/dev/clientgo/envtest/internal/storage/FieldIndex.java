package dev.clientgo.envtest.internal.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The objects of one kind by the value of a field: pods by their node, as in the watch cache of
 * kube-apiserver. Not safe for use by many threads; {@link ObjectStore} guards it.
 */
final class FieldIndex {

  private final String field;
  private final Map<String, NavigableMap<String, StoredObject>> objects = new HashMap<>();

  /** Creates an empty index by the field at a path. */
  FieldIndex(String field) {
    this.field = field;
  }

  String field() {
    return field;
  }

  void add(ObjectChange change) {
    StoredObject before = change.before();
    StoredObject after = change.after();
    if (before != null) {
      objects.computeIfPresent(
          before.field(field),
          (value, with) -> {
            with.remove(before.key());
            return with.isEmpty() ? null : with;
          });
    }
    if (after != null) {
      objects.computeIfAbsent(after.field(field), value -> new TreeMap<>()).put(after.key(), after);
    }
  }

  /** Returns the objects whose field has a value, empty for those without the field. */
  NavigableMap<String, StoredObject> with(String value) {
    return objects.getOrDefault(value, new TreeMap<>());
  }
}
