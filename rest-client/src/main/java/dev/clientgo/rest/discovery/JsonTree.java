package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON as maps and lists. Absent fields and those of another type read as empty.
 */
final class JsonTree {

  private JsonTree() {}

  /**
   * Reads an object.
   *
   * @param origin the origin of the JSON, for the error
   * @throws CodecException if it is not a JSON object
   */
  static Map<?, ?> parse(byte[] json, String origin) {
    if (JsonReader.of(json).nextTree() instanceof Map<?, ?> document) {
      return document;
    }
    throw CodecException.malformed(origin + ": the response is not a JSON object", "", -1, null);
  }

  static byte[] write(Map<String, ?> document) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    JsonWriter writer = JsonWriter.to(json);
    writer.tree(document);
    writer.flush();
    return json.toByteArray();
  }

  static String text(Map<?, ?> object, String field) {
    return object.get(field) instanceof String text ? text : "";
  }

  static @Nullable String textOrNull(Map<?, ?> object, String field) {
    String text = text(object, field);
    return text.isEmpty() ? null : text;
  }

  static boolean isTrue(Map<?, ?> object, String field) {
    return Boolean.TRUE.equals(object.get(field));
  }

  static Map<?, ?> object(Map<?, ?> object, String field) {
    return object.get(field) instanceof Map<?, ?> child ? child : Map.of();
  }

  static List<Map<?, ?>> objects(Map<?, ?> object, String field) {
    List<Map<?, ?>> objects = new ArrayList<>();
    for (Object element : list(object, field)) {
      if (element instanceof Map<?, ?> child) {
        objects.add(child);
      }
    }
    return objects;
  }

  static List<String> texts(Map<?, ?> object, String field) {
    List<String> texts = new ArrayList<>();
    for (Object element : list(object, field)) {
      if (element instanceof String text) {
        texts.add(text);
      }
    }
    return texts;
  }

  private static List<?> list(Map<?, ?> object, String field) {
    return object.get(field) instanceof List<?> list ? list : List.of();
  }
}
