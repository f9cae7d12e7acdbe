package dev.clientgo.envtest.internal.conversion;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.strategy.MetadataRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An object that a webhook has converted. The webhook may change all of it but its identity and its
 * metadata, of which it may change labels and annotations.
 *
 * @param original the object that it was given
 * @param converted the object that it has returned
 */
record ConvertedObject(Map<String, Object> original, Map<String, Object> converted) {

  private static final String METADATA = "metadata";

  /** Returns the object with the metadata that the webhook must not change. */
  Map<String, Object> checked(String apiVersion) throws InvalidConversionException {
    expect("groupVersion", apiVersion, JsonTree.string(converted, "apiVersion"));
    expect("kind", JsonTree.string(original, "kind"), JsonTree.string(converted, "kind"));
    checkSame("name", "name");
    checkSame("namespace", "namespace");
    checkSame("UID", "uid");
    Map<String, Object> checked = new LinkedHashMap<>(converted);
    checked.put(METADATA, metadata());
    return checked;
  }

  private static void expect(String what, String expected, String found)
      throws InvalidConversionException {
    if (!expected.equals(found)) {
      throw new InvalidConversionException(
          "object at index 0: invalid %s (expected %s, received %s)"
              .formatted(what, expected, found));
    }
  }

  private void checkSame(String what, String field) throws InvalidConversionException {
    String before = JsonTree.string(original, METADATA, field);
    String after = JsonTree.string(converted, METADATA, field);
    if (!before.equals(after)) {
      throw new InvalidConversionException(
          "object: must have the same %s: %s != %s".formatted(what, before, after));
    }
  }

  private Map<String, Object> metadata() throws InvalidConversionException {
    if (!converted.containsKey(METADATA)) {
      throw new InvalidConversionException("metadata: missing metadata in converted object");
    }
    Object returned = converted.get(METADATA);
    if (!(returned instanceof Map)) {
      throw new InvalidConversionException(
          "metadata: invalid metadata of type %s in converted object".formatted(goType(returned)));
    }
    Map<String, Object> metadata = new LinkedHashMap<>(JsonTree.object(original, METADATA));
    for (String field : List.of("labels", "annotations")) {
      Object values = JsonTree.asObject(returned).get(field);
      if (values == null) {
        metadata.remove(field);
      } else {
        metadata.put(field, texts(field, values, metadata.get(field)));
      }
    }
    return metadata;
  }

  private static Map<String, String> texts(String field, Object values, @Nullable Object before)
      throws InvalidConversionException {
    if (!(values instanceof Map)) {
      throw new InvalidConversionException(
          "metadata: invalid metadata.%s of type %s in converted object"
              .formatted(field, goType(values)));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : JsonTree.asObject(values).entrySet()) {
      if (!(entry.getValue() instanceof String text)) {
        throw new InvalidConversionException(
            "metadata: metadata.%s[%s] must be a string, but is %s in converted object"
                .formatted(field, entry.getKey(), goType(entry.getValue())));
      }
      texts.put(entry.getKey(), text);
    }
    if (!Objects.equals(texts, before)) {
      boolean labels = field.equals("labels");
      List<StatusCause> problems =
          MetadataRules.check(labels ? texts : Map.of(), labels ? Map.of() : texts);
      if (!problems.isEmpty()) {
        throw new InvalidConversionException("metadata: " + aggregate(problems));
      }
    }
    return texts;
  }

  /** Returns errors as one text; several are in brackets. */
  private static String aggregate(List<StatusCause> problems) {
    List<String> texts = problems.stream().map(p -> p.field() + ": " + p.message()).toList();
    return texts.size() == 1 ? texts.get(0) : texts.toString();
  }

  /** Returns the type of a value as kube-apiserver names it. */
  private static String goType(@Nullable Object value) {
    if (value == null) {
      return "<nil>";
    }
    if (value instanceof Map) {
      return "map[string]interface {}";
    }
    if (value instanceof List) {
      return "[]interface {}";
    }
    if (value instanceof String) {
      return "string";
    }
    return value instanceof Boolean ? "bool" : value instanceof Long ? "int64" : "float64";
  }
}
