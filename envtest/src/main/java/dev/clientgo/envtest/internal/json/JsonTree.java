package dev.clientgo.envtest.internal.json;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds JSON objects as maps, and reads the maps that clients have sent. A value is absent if any
 * part of its path is missing or is not an object.
 */
public final class JsonTree {

  private JsonTree() {}

  /** Returns an object of alternating names and values, without null values. */
  public static Map<String, Object> of(@Nullable Object... namesAndValues) {
    Builder builder = builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return builder.build();
  }

  /** Returns a builder of an object. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds an object, whose fields keep the order in which they were put. */
  public static final class Builder {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    private Builder() {}

    /** Adds a field, unless the value is null. */
    @CanIgnoreReturnValue
    public Builder put(String name, @Nullable Object value) {
      if (value != null) {
        fields.put(name, value);
      }
      return this;
    }

    /** Returns the object. */
    public Map<String, Object> build() {
      return Collections.unmodifiableMap(fields);
    }
  }

  /** Returns the value as an object; an empty one if it is something else. */
  @SuppressWarnings("unchecked")
  public // The keys of a JSON object are strings.
  static Map<String, Object> asObject(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** Returns the value at a path, or null. */
  public static @Nullable Object get(Map<String, Object> object, String... path) {
    Object value = object;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }

  /** Returns the string at a path, or the empty string. */
  public static String string(Map<String, Object> object, String... path) {
    return get(object, path) instanceof String string ? string : "";
  }

  /** Returns the string, number or boolean at a path as text, or the empty string. */
  public static String scalar(Map<String, Object> object, String... path) {
    Object value = get(object, path);
    return value == null || value instanceof Map || value instanceof List ? "" : value.toString();
  }

  /** Returns the whole number at a path, or null. */
  public static @Nullable Long number(Map<String, Object> object, String... path) {
    return get(object, path) instanceof Number number ? (Long) number.longValue() : null;
  }

  /** Returns the object at a path, or an empty object. */
  public static Map<String, Object> object(Map<String, Object> object, String... path) {
    return asObject(get(object, path));
  }

  /** Returns the objects of the list at a path; empty without a list. */
  public static List<Map<String, Object>> objects(Map<String, Object> object, String... path) {
    return get(object, path) instanceof List<?> list
        ? list.stream().map(JsonTree::asObject).toList()
        : List.of();
  }

  /** Returns the strings of the list at a path; empty without a list. */
  public static List<String> strings(Map<String, Object> object, String... path) {
    return get(object, path) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast).toList()
        : List.of();
  }
}
