package dev.clientgo.liveview;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The fields that differ between two states of an object. The values of Secrets are hidden. */
final class FieldChanges {

  private static final int MAX_FIELDS = 60;
  private static final int MAX_VALUE = 300;

  private final boolean secret;
  private final List<Object> changes = new ArrayList<>();
  private int left;

  private FieldChanges(boolean secret) {
    this.secret = secret;
  }

  /** Returns the changes, each with its path and the values before and after. */
  static <T extends KubernetesObject> List<Object> between(
      ResourceType<T> type, @Nullable T before, @Nullable T after) {
    if (before == after) {
      return List.of();
    }
    boolean secret = type.resource().resource().equals("secrets");
    FieldChanges result = new FieldChanges(secret);
    result.compare("", tree(type, before), tree(type, after));
    if (result.left > 0) {
      result.changes.add(Map.of("path", "… +" + result.left));
    }
    return result.changes;
  }

  private static <T extends KubernetesObject> Map<String, @Nullable Object> tree(
      ResourceType<T> type, @Nullable T object) {
    return object == null
        ? Map.of()
        : Unstructured.from(type.codec(), object).without("metadata", "managedFields").content();
  }

  private void compare(String path, @Nullable Object before, @Nullable Object after) {
    if (before == null && after instanceof Map<?, ?> now && !now.isEmpty()) {
      compare(path, Map.of(), now); // Each field by itself; as one text it would be cut.
    } else if (after == null && before instanceof Map<?, ?> old && !old.isEmpty()) {
      compare(path, old, Map.of());
    } else if (before instanceof Map<?, ?> old && after instanceof Map<?, ?> now) {
      TreeSet<String> names = new TreeSet<>();
      old.keySet().forEach(name -> names.add((String) name));
      now.keySet().forEach(name -> names.add((String) name));
      for (String name : names) {
        compare(path.isEmpty() ? name : path + "." + name, old.get(name), now.get(name));
      }
    } else if (before instanceof List<?> old
        && after instanceof List<?> now
        && old.size() == now.size()) {
      for (int i = 0; i < old.size(); i++) {
        compare(path + "[" + i + "]", old.get(i), now.get(i));
      }
    } else if (before == null ? after != null : !before.equals(after)) {
      add(path, before, after);
    }
  }

  private void add(String path, @Nullable Object before, @Nullable Object after) {
    if (changes.size() >= MAX_FIELDS) {
      left++;
      return;
    }
    Map<String, Object> change = new LinkedHashMap<>();
    change.put("path", path);
    put(change, "before", path, before);
    put(change, "after", path, after);
    changes.add(change);
  }

  private void put(Map<String, Object> change, String name, String path, @Nullable Object value) {
    if (value == null) {
      return;
    }
    if (secret && !isOpen(path)) {
      change.put(name, "(hidden)");
      return;
    }
    String json = RawJson.of(JsonCodecs.TREE, value).toString();
    change.put(name, json.length() > MAX_VALUE ? json.substring(0, MAX_VALUE) + "…" : json);
  }

  /**
   * Returns whether the field of a Secret may be shown. An annotation may have the values, such as
   * that of {@code kubectl apply}.
   */
  private static boolean isOpen(String path) {
    return path.equals("type")
        || (path.startsWith("metadata.") && !path.startsWith("metadata.annotations"));
  }
}
