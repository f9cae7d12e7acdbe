package dev.clientgo.controller.internal.diff;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.patch.MergePatch;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.debug.FieldChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields that differ between two states of an object.
 *
 * @param changes the first of them
 * @param others how many there are beyond those
 * @param hashes the hash of the new value of each change, also if it is hidden or cut off; never to
 *     be shown
 */
public record FieldDiff(List<FieldChange> changes, int others, List<Integer> hashes) {

  /** The maximum number of fields in a description. */
  static final int MAX_FIELDS = 30;

  /** The maximum number of characters of a value. */
  static final int MAX_VALUE = 200;

  private static final GroupResource SECRETS = new GroupResource("", "secrets");

  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /** The fields that tell the elements of a list apart, the first that they all have. */
  private static final List<String> KEYS = List.of("type", "name", "uid", "key");

  /**
   * Compares two states. It leaves out the resourceVersion, the managed fields and kubectl's copy
   * of the configuration, which repeat the other changes. The values of a Secret are hidden.
   */
  public static <T extends KubernetesObject> FieldDiff between(
      ResourceType<T> type, T before, T after) {
    boolean secret = type.resource().groupResource().equals(SECRETS);
    Map<String, Object> old = tree(type, before);
    Map<String, Object> now = tree(type, after);
    List<FieldChange> changes = new ArrayList<>();
    List<Integer> hashes = new ArrayList<>();
    collect("", MergePatch.create(old, now), old, now, secret, changes, hashes);
    int told = Math.min(changes.size(), MAX_FIELDS);
    return new FieldDiff(
        List.copyOf(changes.subList(0, told)), changes.size() - told, hashes.subList(0, told));
  }

  private static <T extends KubernetesObject> Map<String, Object> tree(
      ResourceType<T> type, T object) {
    Unstructured content =
        Unstructured.from(type.codec(), object)
            .without("metadata", "resourceVersion")
            .without("metadata", "managedFields")
            .without("metadata", "annotations", LAST_APPLIED);
    return asMap(keyed(content.content()));
  }

  /** Returns the value with each list of objects as a map, so that a patch goes into elements. */
  private static @Nullable Object keyed(@Nullable Object value) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, field) -> result.put((String) name, keyed(field)));
      return result;
    }
    if (value instanceof List<?> list && !list.isEmpty() && isOfObjects(list)) {
      String key = KEYS.stream().filter(name -> tellsApart(name, list)).findFirst().orElse(null);
      for (int i = 0; i < list.size(); i++) {
        Object element = list.get(i);
        String name = key == null ? Integer.toString(i) : key + "=" + field(element, key);
        result.put("[" + name + "]", keyed(element));
      }
      return result;
    }
    return value;
  }

  /** Undoes {@link #keyed}. */
  private static @Nullable Object unkeyed(@Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    if (!map.isEmpty() && map.keySet().stream().allMatch(FieldDiff::isElement)) {
      return map.values().stream().map(FieldDiff::unkeyed).toList();
    }
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    map.forEach((name, field) -> result.put((String) name, unkeyed(field)));
    return result;
  }

  private static boolean isElement(@Nullable Object key) {
    return key instanceof String name && name.startsWith("[");
  }

  private static boolean isOfObjects(List<?> list) {
    return list.stream().allMatch(element -> element instanceof Map);
  }

  private static boolean tellsApart(String key, List<?> list) {
    Set<Object> values = new HashSet<>();
    return list.stream()
        .map(element -> field(element, key))
        .allMatch(value -> value instanceof String && values.add(value));
  }

  private static @Nullable Object field(@Nullable Object element, String name) {
    return element instanceof Map<?, ?> map ? map.get(name) : null;
  }

  private static void collect(
      String path,
      Map<String, Object> patch,
      Map<String, Object> before,
      Map<String, Object> after,
      boolean secret,
      List<FieldChange> changes,
      List<Integer> hashes) {
    patch.forEach(
        (name, change) -> {
          String field = join(path, name);
          Object old = before.get(name);
          Object now = after.get(name);
          if (old instanceof Map && now instanceof Map && change instanceof Map) {
            collect(field, asMap(change), asMap(old), asMap(now), secret, changes, hashes);
          } else {
            boolean hidden = secret && isHidden(field);
            changes.add(new FieldChange(field, text(old, hidden), text(now, hidden)));
            hashes.add(Objects.hashCode(now));
          }
        });
  }

  private static String join(String path, String name) {
    if (isElement(name)) {
      return path + name;
    }
    String step = name.contains(".") || name.contains("/") ? "[" + name + "]" : name;
    return path.isEmpty() || step.startsWith("[") ? path + step : path + "." + step;
  }

  /** Returns whether the value of a field of a Secret is secret: all but its type and metadata. */
  private static boolean isHidden(String field) {
    boolean harmless =
        field.equals("type")
            || field.equals("immutable")
            || (field.startsWith("metadata.") && !field.startsWith("metadata.annotations"));
    return !harmless;
  }

  private static @Nullable String text(@Nullable Object value, boolean hidden) {
    if (value == null) {
      return null;
    }
    if (hidden) {
      return "(hidden)";
    }
    String json = RawJson.of(JsonCodecs.TREE, requireNonNull(unkeyed(value))).toString();
    return Clipped.of(json, MAX_VALUE);
  }

  @SuppressWarnings("unchecked") // Trees have texts as keys.
  private static Map<String, Object> asMap(@Nullable Object value) {
    return (Map<String, Object>) requireNonNull(value);
  }
}
