package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compares what a server sent with what a codec makes of it: decoded and encoded again. */
final class RoundTrip {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private RoundTrip() {}

  /** Checks one object. */
  static <T extends KubernetesObject> T check(ResourceType<T> type, byte[] json) {
    return check(type, MAPPER.readTree(json));
  }

  /** Checks all items of a list, which have no kind of their own; returns how many there are. */
  static int checkList(ResourceType<?> type, byte[] json) {
    int count = 0;
    for (JsonNode item : MAPPER.readTree(json).get("items")) {
      ((ObjectNode) item)
          .put("apiVersion", type.kind().groupVersion().toString())
          .put("kind", type.kind().kind());
      check(type, item);
      count++;
    }
    return count;
  }

  private static <T extends KubernetesObject> T check(ResourceType<T> type, JsonNode sent) {
    T object = type.codec().read(JsonReader.of(MAPPER.writeValueAsBytes(sent)));
    JsonNode written = MAPPER.readTree(JsonWriter.toBytes(type.codec(), object));
    assertThat(written).as(type + " " + object.metadata().name()).isEqualTo(withoutNulls(sent));
    assertThat(type.codec().read(JsonReader.of(MAPPER.writeValueAsBytes(written))))
        .isEqualTo(object)
        .hasSameHashCodeAs(object);
    return object;
  }

  /**
   * Checks that an object that came in protobuf says in JSON what the one that came in JSON says.
   */
  static <T extends KubernetesObject> void checkTwin(ResourceType<T> type, T twin, T object) {
    assertThat(tree(type, twin)).as(type + " in protobuf").isEqualTo(tree(type, object));
    assertThat(twin).isEqualTo(object);
  }

  private static <T extends KubernetesObject> JsonNode tree(ResourceType<T> type, T object) {
    return MAPPER.readTree(JsonWriter.toBytes(type.codec(), object));
  }

  /**
   * An explicit null says the same as nothing, but for those within a part that is kept as JSON.
   */
  static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      List<String> absent = new ArrayList<>();
      object.forEachEntry(
          (name, value) -> {
            if (value.isNull()) {
              absent.add(name);
            } else {
              withoutNulls(value);
            }
          });
      object.remove(absent);
    } else if (node.isArray()) {
      node.forEach(RoundTrip::withoutNulls);
    }
    return node;
  }
}
