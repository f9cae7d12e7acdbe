package dev.clientgo.apimachinery.managedfields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.RawJson;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One step of a path through an object: to a field, or to an element of a list by its key, value or
 * index. Immutable.
 *
 * <p>Corresponds to {@code fieldpath.PathElement} of structured-merge-diff; its text is that of
 * {@code fieldsV1}.
 */
public sealed interface PathElement {

  /**
   * The field of an object, or the entry of a map; {@code f:name} as text.
   *
   * @param name the name of the field
   */
  record Field(String name) implements PathElement {
    public Field {
      requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return "f:" + name;
    }
  }

  /**
   * The element of a list whose fields have these values; <code>k:{"name":"web"}</code> as text.
   *
   * @param fields the fields with their values
   */
  record Key(Map<String, @Nullable Object> fields) implements PathElement {
    public Key {
      fields = requireNonNull(Immutable.map(fields), "fields");
    }

    @Override
    public String toString() {
      return "k:" + json(new TreeMap<>(fields));
    }
  }

  /**
   * The element of a set with this value; {@code v:"x"} as text.
   *
   * @param value the value
   */
  record Value(@Nullable Object value) implements PathElement {
    @Override
    public String toString() {
      return "v:" + json(value);
    }
  }

  /**
   * The element of a list at this index; {@code i:0} as text.
   *
   * @param index the index, from 0
   */
  record Index(int index) implements PathElement {
    @Override
    public String toString() {
      return "i:" + index;
    }
  }

  /**
   * A step of an unknown kind. It matches nothing and keeps its text.
   *
   * @param text the text
   */
  record Unknown(String text) implements PathElement {
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Parses a step, such as {@code f:spec}.
   *
   * @throws IllegalArgumentException if the text is not a step
   */
  static PathElement parse(String text) {
    if (text.length() < 2 || text.charAt(1) != ':') {
      if (text.indexOf(':') < 0) {
        throw new IllegalArgumentException("not a step of a path, which needs a colon: " + text);
      }
      return new Unknown(text);
    }
    String content = text.substring(2);
    return switch (text.charAt(0)) {
      case 'f' -> new Field(content);
      case 'k' -> new Key(key(text, content));
      case 'v' -> new Value(tree(text, content));
      case 'i' -> new Index(index(text, content));
      default -> new Unknown(text);
    };
  }

  @SuppressWarnings("unchecked") // the keys in a tree are strings
  private static Map<String, @Nullable Object> key(String text, String json) {
    if (tree(text, json) instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new IllegalArgumentException("not a step of a path, which needs an object: " + text);
  }

  private static @Nullable Object tree(String text, String json) {
    try {
      JsonReader in = JsonReader.of(json.getBytes(UTF_8));
      Object tree = in.nextTree();
      if (in.peek() == JsonReader.Token.END_OF_STREAM) {
        return tree;
      }
    } catch (CodecException e) {
      throw new IllegalArgumentException("not a step of a path, which needs JSON: " + text, e);
    }
    throw new IllegalArgumentException(
        "not a step of a path, which needs exactly one JSON value: " + text);
  }

  private static int index(String text, String number) {
    if (!number.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("not a step of a path, which needs a number: " + text);
    }
    return Integer.parseInt(number);
  }

  private static String json(@Nullable Object tree) {
    return tree == null ? "null" : RawJson.of(JsonCodecs.TREE, tree).toString();
  }
}
