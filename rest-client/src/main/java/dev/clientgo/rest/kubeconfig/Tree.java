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
 * A mapping in a kubeconfig, which keeps every field as it was read: an edit of a file then loses
 * nothing that this version does not know. Immutable. Equal if the fields are; the place does not
 * count. The text form shows no values, which may be secrets.
 */
final class Tree {

  static final Tree EMPTY = new Tree(Map.of(), "a kubeconfig", "");

  private static final Set<String> TRUE = Set.of("true", "yes", "on", "y");
  private static final Set<String> FALSE = Set.of("false", "no", "off", "n");

  private final Map<String, Object> fields;
  private final String origin;
  private final String path;

  private Tree(Map<String, Object> fields, String origin, String path) {
    this.fields = fields;
    this.origin = origin;
    this.path = path;
  }

  /**
   * Returns the mapping of a document, empty if the document is.
   *
   * @param origin what the document is, for errors
   */
  static Tree of(@Nullable Object document, String origin) {
    return document == null ? new Tree(Map.of(), origin, "") : of(document, origin, "");
  }

  private static Tree of(Object value, String origin, String path) {
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
    return new Tree(Collections.unmodifiableMap(fields), origin, path);
  }

  boolean isEmpty() {
    return fields.isEmpty();
  }

  /** Returns whether a field is there. As in Go, an empty text is as good as none. */
  boolean has(String field) {
    return !fields.getOrDefault(field, "").equals("");
  }

  /** Returns the fields as they were read. */
  Map<String, Object> fields() {
    return fields;
  }

  /** Returns a text, null if it is absent or empty. */
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
   * Returns a truth value, false if it is absent. As in YAML 1.1, which kubectl reads, yes is one.
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

  /** Returns bytes that are written as base64, null if they are absent or empty. */
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

  /** Returns a list of texts, empty if it is absent. */
  List<String> strings(String field) {
    List<String> texts = new ArrayList<>();
    for (Object element : list(field)) {
      texts.add(text(field + "[" + texts.size() + "]", element));
    }
    return List.copyOf(texts);
  }

  /** Returns a mapping, null if it is absent. */
  @Nullable Tree tree(String field) {
    Object value = fields.get(field);
    return value == null ? null : of(value, origin, path(field));
  }

  /** Returns a list of mappings, empty if it is absent. */
  List<Tree> trees(String field) {
    List<Tree> trees = new ArrayList<>();
    Object value = fields.get(field);
    if (value != null && !(value instanceof List)) {
      throw mismatch(origin, path(field), value, "must be a list");
    }
    for (Object element : value == null ? List.of() : (List<?>) value) {
      String place = path(field) + "[" + trees.size() + "]";
      trees.add(element == null ? new Tree(Map.of(), origin, place) : of(element, origin, place));
    }
    return List.copyOf(trees);
  }

  /** Returns what is under a name in the list of extensions, null if nothing is. */
  @Nullable Object extension(String name) {
    for (Tree entry : trees("extensions")) {
      if (name.equals(entry.string("name"))) {
        return entry.fields.get("extension");
      }
    }
    return null;
  }

  /** Returns this mapping with something under a name in the list of extensions, or nothing. */
  Tree withExtension(String name, @Nullable Object extension) {
    List<Object> entries = new ArrayList<>();
    for (Tree entry : trees("extensions")) {
      if (!name.equals(entry.string("name"))) {
        entries.add(entry.fields);
      }
    }
    if (extension != null) {
      entries.add(Map.of("name", name, "extension", extension));
    }
    return with("extensions", entries.isEmpty() ? null : entries);
  }

  /** Returns this mapping with the extensions of another one whose names it does not have. */
  Tree withExtensionsOf(Tree other) {
    Tree merged = this;
    for (Tree entry : other.trees("extensions")) {
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

  /** Returns this mapping with a field set, or without it if the value is null. */
  Tree with(String field, @Nullable Object value) {
    Map<String, Object> copy = new LinkedHashMap<>(fields);
    if (value == null) {
      copy.remove(field);
    } else {
      copy.put(field, value);
    }
    return new Tree(Collections.unmodifiableMap(copy), origin, path);
  }

  /** Returns this mapping with the fields of another over it; mappings within are merged, too. */
  Tree overlaidBy(Tree other) {
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
    return new Tree(Collections.unmodifiableMap(merged), origin, path);
  }

  /** Returns this mapping with what another one says where this one says nothing. */
  Tree above(Tree defaults) {
    return new Tree(defaults.overlaidBy(this).fields, origin, path);
  }

  /** Returns the error for something that is wrong with this mapping. */
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
    return other instanceof Tree tree && fields.equals(tree.fields);
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
