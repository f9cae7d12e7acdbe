package dev.clientgo.envtest;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** JSON text to immutable trees of maps, lists, strings, booleans and numbers, and back. */
final class Json {

  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /**
   * Returns the value of a JSON text.
   *
   * @throws IllegalArgumentException if it is not one, with a message for the sender
   */
  static @Nullable Object parse(byte[] text) {
    try {
      return freeze(MAPPER.readTree(text));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** Returns the text of a tree. */
  static byte[] write(@Nullable Object tree) {
    return MAPPER.writeValueAsBytes(tree);
  }

  private static @Nullable Object freeze(JsonNode node) {
    if (node.isObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      node.properties().forEach(field -> map.put(field.getKey(), freeze(field.getValue())));
      return Collections.unmodifiableMap(map);
    }
    if (node.isArray()) {
      return Collections.unmodifiableList(
          node.valueStream().<@Nullable Object>map(Json::freeze).toList());
    }
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      return node.longValue();
    }
    return node.isNumber()
        ? node.numberValue()
        : node.isString() ? node.stringValue() : node.isBoolean() ? node.booleanValue() : null;
  }
}
