package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.config.RestConfig;
import java.util.HashMap;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import okio.Buffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upstream: dynamic.TestDynamicClientCBOREnablement, rest.TestClientContentConfig. */
@Timeout(300)
final class CborTest {

  private static final String SHIP_JSON =
      "{\"apiVersion\":\"sea/v1\",\"kind\":\"Ship\",\"metadata\":{\"name\":\"a\"}}";
  private static final String REFUSAL =
      "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"status\":\"Failure\",\"code\":415,"
          + "\"reason\":\"UnsupportedMediaType\",\"message\":\"unknown format\"}";
  private static final Unstructured SHIP = Unstructured.parse(SHIP_JSON);

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "      |       | application/json                  | application/json",
        "true  |       | application/cbor,application/json | application/json",
        "1     | false | application/cbor,application/json | application/json",
        "True  | true  | application/cbor,application/json | application/cbor",
        "      | true  | application/json                  | application/json",
        "false | true  | application/json                  | application/json",
        "maybe | true  | application/json                  | application/json",
      })
  void create_gatesInTheEnvironment_decide(
      @Nullable String allow, @Nullable String prefer, String accept, String contentType)
      throws Exception {
    Map<String, String> environment = new HashMap<>();
    put(environment, "KUBE_FEATURE_ClientsAllowCBOR", allow);
    put(environment, "KUBE_FEATURE_ClientsPreferCBOR", prefer);
    server.enqueue(TestServer.json(201, SHIP_JSON));

    try (RESTClient client = RESTClient.builder(server.config().build(), environment).build()) {
      assertThat(ships(client).create(SHIP)).isEqualTo(SHIP);
    }

    RecordedRequest request = server.takeRequest();
    assertThat(request.getHeaders().get("Accept")).isEqualTo(accept);
    assertThat(request.getHeaders().get("Content-Type")).isEqualTo(contentType);
  }

  private static void put(Map<String, String> map, String name, @Nullable String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  @Test
  void create_whereCborIsPreferred_sendsAndReadsIt() throws Exception {
    server.enqueue(cbor(201, SHIP_JSON));

    try (RESTClient client = client(RestConfig.CborMode.PREFER)) {
      assertThat(ships(client).create(SHIP)).isEqualTo(SHIP);
    }

    byte[] sent = server.takeRequest().getBody().toByteArray();
    assertThat(Unstructured.CODEC.read(JsonReader.ofCbor(sent, DecodeContext.create())))
        .isEqualTo(SHIP);
  }

  /** Unlike client-go, where the first request fails. */
  @Test
  void create_refused_isSentAgainInJson_andSoAreLaterRequests() throws Exception {
    server.enqueue(
        TestServer.json(415, REFUSAL),
        TestServer.json(201, SHIP_JSON),
        TestServer.json(200, SHIP_JSON));

    try (RESTClient client = client(RestConfig.CborMode.PREFER)) {
      assertThat(ships(client).create(SHIP)).isEqualTo(SHIP);
      assertThat(ships(client).apply(SHIP, ApplyOptions.of("me"))).isEqualTo(SHIP);
    }

    assertThat(contentType()).isEqualTo("application/cbor");
    assertThat(contentType()).isEqualTo("application/json");
    assertThat(contentType()).isEqualTo("application/apply-patch+yaml");
  }

  @Test
  void apply_refused_isSentAgainInJson() throws Exception {
    server.enqueue(TestServer.json(415, REFUSAL), TestServer.json(200, SHIP_JSON));

    try (RESTClient client = client(RestConfig.CborMode.PREFER)) {
      assertThat(ships(client).apply(SHIP, ApplyOptions.of("me"))).isEqualTo(SHIP);
    }

    assertThat(contentType()).isEqualTo("application/apply-patch+cbor");
    RecordedRequest again = server.takeRequest();
    assertThat(again.getHeaders().get("Content-Type")).isEqualTo("application/apply-patch+yaml");
    assertThat(again.getBody().utf8()).isEqualTo(SHIP_JSON);
  }

  @Test
  void create_jsonRefused_isAnError() throws Exception {
    server.enqueue(TestServer.json(415, REFUSAL));

    try (RESTClient client = client(RestConfig.CborMode.ALLOW)) {
      assertThatThrownBy(() -> ships(client).create(SHIP))
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isUnsupportedMediaType()).isTrue());
    }
  }

  @Test
  void get_statusInCbor_isTheError() throws Exception {
    server.enqueue(
        cbor(
            404,
            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"no ship\",\"code\":404,"
                + "\"reason\":\"NotFound\",\"apiVersion\":\"v1\",\"kind\":\"Status\"}"));

    try (RESTClient client = client(RestConfig.CborMode.ALLOW)) {
      assertThatThrownBy(() -> ships(client).get("a"))
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue())
          .hasMessage("no ship");
    }
  }

  @Test
  void get_whereTheConfigurationSaysJson_asksForNothingElse() throws Exception {
    server.enqueue(TestServer.json(200, SHIP_JSON));

    try (RESTClient client =
        RESTClient.create(
            server
                .config()
                .cbor(RestConfig.CborMode.PREFER)
                .contentType("application/json")
                .build())) {
      assertThat(ships(client).get("a")).isEqualTo(SHIP);
    }

    assertThat(server.takeRequest().getHeaders().get("Accept")).isEqualTo("application/json");
  }

  private @Nullable String contentType() throws InterruptedException {
    return server.takeRequest().getHeaders().get("Content-Type");
  }

  private RESTClient client(RestConfig.CborMode mode) {
    return RESTClient.create(server.config().cbor(mode).build());
  }

  private static MockResponse cbor(int code, String json) {
    return new MockResponse.Builder()
        .code(code)
        .setHeader("Content-Type", "application/cbor")
        .body(new Buffer().write(JsonWriter.toCbor(RawJson.CODEC, RawJson.of(json))))
        .build();
  }

  private static ResourceClient<Unstructured> ships(RESTClient client) {
    return client
        .resource(Unstructured.type(new GroupVersionKind("sea", "v1", "Ship"), "ships", true))
        .inNamespace("default");
  }
}
