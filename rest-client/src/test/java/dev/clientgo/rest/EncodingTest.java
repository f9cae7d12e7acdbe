package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.serializer.Serializer;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.InputStream;
import java.util.Base64;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** If a type offers another encoding than JSON, the client uses it; callers see no difference. */
@Timeout(300)
final class EncodingTest {

  private static final GroupVersionKind POD = new GroupVersionKind("", "v1", "Pod");
  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(POD, "pods", true)
          .with(json -> json.prefer(new Toy<>(Serializer.json(Unstructured.codec(POD)))));
  private static final String WEB_JSON =
      "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"}}";
  private static final String PARTIAL_JSON =
      "{\"apiVersion\":\"meta.k8s.io/v1\",\"kind\":\"PartialObjectMetadata\","
          + "\"metadata\":{\"name\":\"web\"}}";
  private static final Unstructured WEB = Unstructured.parse(WEB_JSON);

  private TestServer server;
  private RESTClient client;
  private ResourceClient<Unstructured> pods;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    client = RESTClient.create(server.config().build());
    pods = client.resource(PODS).inNamespace("default");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void create_sendsAndReadsThePreferredEncoding() throws Exception {
    server.enqueue(toy(WEB_JSON));

    assertThat(pods.create(WEB)).isEqualTo(WEB);

    RecordedRequest request = server.takeRequest();
    assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/x-toy");
    assertThat(request.getHeaders().get("Accept")).isEqualTo("application/x-toy,application/json");
    assertThat(Base64.getDecoder().decode(request.getBody().utf8())).asString().isEqualTo(WEB_JSON);
  }

  @Test
  void get_ofAServerThatAnswersInJson_readsJson() throws Exception {
    server.enqueue(TestServer.json(200, WEB_JSON), toy(WEB_JSON));

    assertThat(pods.get("web")).isEqualTo(WEB);
    assertThat(pods.get("web")).isEqualTo(WEB);
  }

  @Test
  void get_whereTheConfigurationSaysJson_asksForNothingElse() throws Exception {
    server.enqueue(TestServer.json(200, WEB_JSON));

    try (RESTClient json =
        RESTClient.create(server.config().contentType("application/json").build())) {
      assertThat(json.resource(PODS).inNamespace("default").get("web")).isEqualTo(WEB);
    }

    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo("application/json");
  }

  @Test
  void list_readsTheEncodingOfTheAnswer() throws Exception {
    String list = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[" + WEB_JSON + "]}";
    server.enqueue(toy(list), TestServer.json(200, list));

    assertThat(pods.list(ListOptions.NONE)).containsExactly(WEB);
    assertThat(pods.list(ListOptions.NONE)).containsExactly(WEB);
    assertThat(server.takeRequest().getHeaders().get("Accept"))
        .isEqualTo("application/x-toy,application/json");
  }

  @Test
  void watch_readsTheEncodingOfTheAnswer() throws Exception {
    server.enqueue(toy("{\"type\":\"ADDED\",\"object\":" + WEB_JSON + "}"));

    try (Watch<Unstructured> watch = pods.watch(ListOptions.NONE)) {
      assertThat(watch.next()).contains(new WatchEvent.Added<>(WEB));
    }
  }

  @Test
  void answer_inAnUnknownEncoding_isAnErrorThatNamesIt() {
    server.always(
        new MockResponse.Builder()
            .code(200)
            .setHeader("Content-Type", "text/csv")
            .body("<html>")
            .build());

    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> pods.get("web"))
        .withMessageContaining("text/csv")
        .withMessageContaining("application/x-toy,application/json");
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> pods.list(ListOptions.NONE))
        .withMessageContaining("text/csv");
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> pods.watch(ListOptions.NONE))
        .withMessageContaining("text/csv");
  }

  /** Upstream: metadata.TestClient, for get, list and watch. */
  @Test
  void metadataOnly_isAskedForAndRead() throws Exception {
    ResourceClient<PartialObjectMetadata> metadata =
        client.resource(ResourceType.metadata(POD, "pods", true)).inNamespace("default");
    server.enqueue(
        TestServer.json(200, PARTIAL_JSON),
        TestServer.json(
            200,
            "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\","
                + "\"items\":["
                + PARTIAL_JSON
                + "]}"),
        TestServer.json(200, "{\"type\":\"ADDED\",\"object\":" + PARTIAL_JSON + "}"));
    PartialObjectMetadata web = PartialObjectMetadata.of(WEB);

    assertThat(metadata.get("web")).isEqualTo(web);
    assertThat(metadata.list(ListOptions.NONE)).containsExactly(web);
    try (Watch<PartialObjectMetadata> watch = metadata.watch(ListOptions.NONE)) {
      assertThat(watch.next()).contains(new WatchEvent.Added<>(web));
    }

    String one =
        "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
            + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo(one);
    assertThat(server.takeRequest().getHeaders().get("Accept"))
        .isEqualTo(one.replace("Metadata;", "MetadataList;"));
    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo(one);
  }

  private static MockResponse toy(String json) {
    return new MockResponse.Builder()
        .code(200)
        .setHeader("Content-Type", "application/x-toy")
        .body(Base64.getEncoder().encodeToString(json.getBytes(UTF_8)))
        .build();
  }

  /** An encoding of tests: JSON in base64. */
  private record Toy<T>(Serializer<T> json) implements Serializer<T> {

    @Override
    public String mediaType() {
      return "application/x-toy";
    }

    @Override
    public byte[] write(T object) {
      return Base64.getEncoder().encode(json.write(object));
    }

    @Override
    public T read(InputStream in, DecodeContext context) {
      return json.read(Base64.getDecoder().wrap(in), context);
    }

    @Override
    public ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink) {
      return json.readList(Base64.getDecoder().wrap(in), context, sink);
    }

    @Override
    public Decoder<T> watch(InputStream in, DecodeContext context) {
      return json.watch(Base64.getDecoder().wrap(in), context);
    }
  }
}
