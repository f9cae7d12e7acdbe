package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The client in CBOR, on the embedded server. */
final class EmbeddedCborTest extends CborContract {

  private EmbeddedApiServer server;

  @BeforeAll
  void start() {
    server = EmbeddedApiServer.builder().featureGate(GATE, true).start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }

  @Override
  void expireVersions() {
    server.faults().expireResourceVersions();
  }

  @Test
  void request_inCbor_isRecordedWithItsObject() throws Exception {
    server.clearRequests();
    try (RESTClient client =
        RESTClient.create(
            server.restConfig().toBuilder().cbor(RestConfig.CborMode.PREFER).build())) {
      maps(client).create(map("recorded"));
      maps(client).apply(map("applied"), ApplyOptions.of("tester"));
    }

    ApiRequest request = server.requests().get(0);
    assertThat(request.contentType()).isEqualTo("application/cbor");
    assertThat(request.object().metadata().name()).isEqualTo("recorded");
    assertThat(request.summary()).isEqualTo("create configmaps default/recorded");
    ApiRequest apply = server.requests().get(1);
    assertThat(apply.contentType()).isEqualTo("application/apply-patch+cbor");
    assertThat(apply.object().metadata().name()).isEqualTo("applied");
  }

  @Test
  void featureGate_unknown_isRefused() {
    assertThatThrownBy(() -> EmbeddedApiServer.builder().featureGate("Nonsense", true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no feature gate Nonsense; there are [");
  }

  /**
   * Without the gate, the first request is refused, and sent again in JSON; later ones are JSON.
   */
  @Test
  void create_onAServerWithoutCbor_isSentInJson() throws Exception {
    try (EmbeddedApiServer old = EmbeddedApiServer.start();
        RESTClient client =
            RESTClient.create(
                old.restConfig().toBuilder().cbor(RestConfig.CborMode.PREFER).build())) {
      Unstructured created = maps(client).create(map("a"));
      maps(client).create(map("b"));

      assertThat(maps(client).get("a")).isEqualTo(created);
      assertThat(old.requests(r -> r.matches("create", "configmaps")))
          .extracting(ApiRequest::contentType)
          .containsExactly("application/cbor", "application/json", "application/json");
    }
  }

  private static ResourceClient<Unstructured> maps(RESTClient client) {
    return client.dynamic(new GroupVersionResource("", "v1", "configmaps")).inNamespace("default");
  }

  private static Unstructured map(String name) {
    return Unstructured.of(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name)));
  }
}
