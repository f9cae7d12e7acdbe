package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.runtime.Scheme;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.Scale;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import okio.Buffer;
import okio.BufferedSource;
import okio.GzipSource;
import okio.Okio;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Decodes each object of a recorded answer, as a tree and as its type, and encodes it again. */
final class WireRoundTrip {

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final Scheme SCHEME = ApiScheme.addTo(Scheme.builder()).build();

  /** Types of every server that no group has. */
  private static final Map<String, JsonCodec<?>> COMMON =
      Map.of(
          "v1/Status", Status.CODEC,
          "meta.k8s.io/v1/Table", Table.CODEC,
          "meta.k8s.io/v1/PartialObjectMetadata", PartialObjectMetadata.CODEC,
          "autoscaling/v1/Scale", Scale.CODEC);

  private WireRoundTrip() {}

  static void check(Exchange exchange) throws IOException {
    for (JsonNode object : objects(exchange)) {
      assertThat(Unstructured.parse(object.toString()).toJackson()).isEqualTo(object);
      JsonCodec<?> codec = codec(object);
      if (codec != null) {
        byte[] encoded = encoded(codec, object);
        assertThat(MAPPER.readTree(encoded)).isEqualTo(RoundTrip.withoutNulls(object));
        assertThat(encoded(codec, MAPPER.readTree(encoded))).isEqualTo(encoded);
      }
    }
  }

  private static <T> byte[] encoded(JsonCodec<T> codec, JsonNode object) {
    return JsonWriter.toBytes(codec, codec.read(JsonReader.of(MAPPER.writeValueAsBytes(object))));
  }

  private static JsonCodec<?> codec(JsonNode object) {
    String apiVersion = object.path("apiVersion").asString("");
    String kind = object.path("kind").asString("");
    GroupVersionKind full = GroupVersion.parse(apiVersion).withKind(kind);
    return SCHEME.recognizes(full) ? SCHEME.codec(full) : COMMON.get(apiVersion + "/" + kind);
  }

  /** Returns the objects in an answer: of a list its items, of a watch those of its events. */
  private static List<JsonNode> objects(Exchange exchange) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (JsonNode document : documents(exchange)) {
      JsonNode object = document.path("type").isString() ? document.get("object") : document;
      String kind = object.path("kind").asString("");
      if (object.has("items") && kind.endsWith("List")) {
        for (JsonNode item : object.get("items")) {
          objects.add(withKind((ObjectNode) item, object, kind));
        }
      } else if (!kind.isEmpty()) {
        objects.add(object);
      }
    }
    return objects;
  }

  /** The items of a built-in kind do not say what they are. */
  private static JsonNode withKind(ObjectNode item, JsonNode list, String listKind) {
    if (!item.has("kind")) {
      item.put("kind", listKind.substring(0, listKind.length() - "List".length()));
      item.set("apiVersion", list.get("apiVersion"));
    }
    return item;
  }

  private static List<JsonNode> documents(Exchange exchange) throws IOException {
    String type = String.valueOf(exchange.answer().headers().get("Content-Type"));
    String body = type.startsWith("application/json") ? text(exchange.answer()) : "";
    if (body.isEmpty()) {
      return List.of();
    }
    return exchange.question().target().contains("watch=true") && exchange.answer().code() == 200
        ? wholeLines(body).map(MAPPER::readTree).toList()
        : List.of(MAPPER.readTree(body));
  }

  private static String text(Exchange.Answer answer) throws IOException {
    if (!"gzip".equals(answer.headers().get("Content-Encoding"))) {
      return answer.body().utf8();
    }
    try (BufferedSource source = Okio.buffer(new GzipSource(new Buffer().write(answer.body())))) {
      return source.readUtf8();
    }
  }

  /** The last line of a watch may have been cut. */
  private static Stream<String> wholeLines(String body) {
    return body.substring(0, body.lastIndexOf('\n') + 1).lines();
  }
}
