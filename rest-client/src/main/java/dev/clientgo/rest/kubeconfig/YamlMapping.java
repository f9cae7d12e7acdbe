package dev.clientgo.rest.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A YAML mapping of a kubeconfig. It keeps every field as it was read, so that an edit of a file
 * keeps fields that this version does not know. Immutable. Two mappings are equal if their fields
 * are. The text form shows no values, which may be secrets.
 */
final class YamlMapping {

  static final YamlMapping EMPTY = new YamlMapping(Map.of(), "a kubeconfig", "");

  private static final Set<String> TRUE = Set.of("true", "yes", "on", "y");
  private static final Set<String> FALSE = Set.of("false", "no", "off", "n");

  private final Map<String, Object> fields;
  private final String origin;
  private final String path;

  private YamlMapping(Map<String, Object> fields, String origin, String path) {
    this.fields = fields;
    this.origin = origin;
    this.path = path;
  }

  /**
   * Returns the mapping of a document, empty if the document is empty.
   *
   * @param origin the name of the document, for errors
   */
  static YamlMapping of(@Nullable Object document, String origin) {
    return document == null ? new YamlMapping(Map.of(), origin, "") : of(document, origin, "");
  }

  private static YamlMapping of(Object value, String origin, String path) {
    if (!(value instanceof Map<?, ?> map)) {
      throw mismatch(origin, path, value, "must be a mapping");
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach(
        (key, field) -> {
          if (field != null) {
            fields.put(String.valueOf(key), field);
          }
        });
    return new YamlMapping(Collections.unmodifiableMap(fields), origin, path);
  }

  boolean isEmpty() {
    return fields.isEmpty();
  }

  /** Returns whether a field is set. As in Go, an empty string counts as not set. */
  boolean has(String field) {
    return !fields.getOrDefault(field, "").equals("");
  }

  /** Returns the fields as they were read. */
  Map<String, Object> fields() {
    return fields;
  }

  /** Returns a string, null if it is absent or empty. */
  @Nullable String string(String field) {
    Object value = fields.get(field);
    if (value == null) {
      return null;
    }
    String text = text(field, value);
    return text.isEmpty() ? null : text;
  }

  private String text(String field, Object value) {
    if (value instanceof String text) {
      return text;
    }
    boolean scalar = value instanceof Number || value instanceof Boolean;
    throw mismatch(
        origin, path(field), value, "must be text" + (scalar ? ": put it in quotes" : ""));
  }

  /**
   * Returns a boolean, false if it is absent. As in YAML 1.1, which kubectl reads, yes means true.
   */
  boolean bool(String field) {
    Object value = fields.get(field);
    String text = String.valueOf(value).toLowerCase(Locale.ROOT);
    if (value == null || FALSE.contains(text)) {
      return false;
    }
    if (TRUE.contains(text)) {
      return true;
    }
    throw mismatch(origin, path(field), value, "must be true or false");
  }

  /** Returns bytes encoded in base64, null if they are absent or empty. */
  byte @Nullable [] base64(String field) {
    String text = string(field);
    if (text == null) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(text.replaceAll("\\s", "").getBytes(UTF_8));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(origin + ": " + path(field) + " is not base64");
    }
  }

  /** Returns a list of strings, empty if it is absent. */
  List<String> strings(String field) {
    List<String> texts = new ArrayList<>();
    for (Object element : list(field)) {
      texts.add(text(field + "[" + texts.size() + "]", element));
    }
    return List.copyOf(texts);
  }

  /** Returns a mapping, null if it is absent. */
  @Nullable YamlMapping tree(String field) {
    Object value = fields.get(field);
    return value == null ? null : of(value, origin, path(field));
  }

  /** Returns a list of mappings, empty if it is absent. */
  List<YamlMapping> trees(String field) {
    List<YamlMapping> trees = new ArrayList<>();
    Object value = fields.get(field);
    if (value != null && !(value instanceof List)) {
      throw mismatch(origin, path(field), value, "must be a list");
    }
    for (Object element : value == null ? List.of() : (List<?>) value) {
      String place = path(field) + "[" + trees.size() + "]";
      trees.add(
          element == null ? new YamlMapping(Map.of(), origin, place) : of(element, origin, place));
    }
    return List.copyOf(trees);
  }

  /** Returns an extension by name, null if it is absent. */
  @Nullable Object extension(String name) {
    for (YamlMapping entry : trees("extensions")) {
      if (name.equals(entry.string("name"))) {
        return entry.fields.get("extension");
      }
    }
    return null;
  }

  /** Returns a copy with an extension set, or removed if it is null. */
  YamlMapping withExtension(String name, @Nullable Object extension) {
    List<Object> entries = new ArrayList<>();
    for (YamlMapping entry : trees("extensions")) {
      if (!name.equals(entry.string("name"))) {
        entries.add(entry.fields);
      }
    }
    if (extension != null) {
      entries.add(Map.of("name", name, "extension", extension));
    }
    return with("extensions", entries.isEmpty() ? null : entries);
  }

  /** Returns a copy with those extensions of another mapping whose names this one does not have. */
  YamlMapping withExtensionsOf(YamlMapping other) {
    YamlMapping merged = this;
    for (YamlMapping entry : other.trees("extensions")) {
      String name = entry.string("name");
      if (name != null && extension(name) == null) {
        merged = merged.withExtension(name, entry.fields.get("extension"));
      }
    }
    return merged;
  }

  private List<?> list(String field) {
    Object value = fields.get(field);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list && list.stream().noneMatch(Objects::isNull)) {
      return list;
    }
    throw mismatch(origin, path(field), value, "must be a list without gaps");
  }

  /** Returns a copy with a field set, or removed if the value is null. */
  YamlMapping with(String field, @Nullable Object value) {
    Map<String, Object> copy = new LinkedHashMap<>(fields);
    if (value == null) {
      copy.remove(field);
    } else {
      copy.put(field, value);
    }
    return new YamlMapping(Collections.unmodifiableMap(copy), origin, path);
  }

  /** Returns a copy overlaid by the fields of another mapping; nested mappings are merged. */
  YamlMapping overlaidBy(YamlMapping other) {
    Map<String, Object> merged = new LinkedHashMap<>(fields);
    other.fields.forEach(
        (field, value) ->
            merged.merge(
                field,
                value,
                (below, above) ->
                    below instanceof Map && above instanceof Map
                        ? of(below, origin, field).overlaidBy(of(above, origin, field)).fields
                        : above.equals("") ? below : above));
    return new YamlMapping(Collections.unmodifiableMap(merged), origin, path);
  }

  /** Returns a copy with defaults for the fields that this mapping does not set. */
  YamlMapping above(YamlMapping defaults) {
    return new YamlMapping(defaults.overlaidBy(this).fields, origin, path);
  }

  /** Returns an error about this mapping. */
  ConfigException error(String problem) {
    return new ConfigException(origin + ": " + (path.isEmpty() ? "" : path + " ") + problem);
  }

  private String path(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  private static ConfigException mismatch(
      String origin, String path, Object value, String expectation) {
    String found = "a " + value.getClass().getSimpleName();
    if (value instanceof Map) {
      found = "a mapping";
    } else if (value instanceof List) {
      found = "a list";
    } else if (value instanceof String) {
      found = "text";
    } else if (value instanceof Number) {
      found = "a number";
    } else if (value instanceof Boolean) {
      found = "a truth value";
    }
    return new ConfigException(
        origin + ": " + (path.isEmpty() ? "it" : path) + " is " + found + ", but " + expectation);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof YamlMapping tree && fields.equals(tree.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return fields.keySet().toString();
  }
}
