package dev.clientgo.apimachinery.patch;

import java.util.Map;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Reads the documents of the tests. */
final class Json {

  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static Object tree(String json) {
    return MAPPER.readValue(json.replace('\'', '"'), Object.class);
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(String json) {
    return (Map<String, Object>) tree(json);
  }
}
