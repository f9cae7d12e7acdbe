package dev.clientgo.rest.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The schemas that a server publishes. The Go tests named are in {@code openapi3/root_test.go} and
 * {@code openapi/cached/client_test.go}.
 */
@Timeout(60)
final class OpenAPITest {

  private DiscoveryServer server;

  @BeforeEach
  void start() throws Exception {
    server = new DiscoveryServer();
    server
        .json(
            "/openapi/v3",
            """
            {"paths":{
             "api/v1":{"serverRelativeURL":"/openapi/v3/api/v1?hash=AB%2FC"},
             "apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=DEF"},
             "apis/batch/v1":{"serverRelativeURL":"/openapi/v3/apis/batch/v1?hash=G"},
             "apis":{"serverRelativeURL":"/openapi/v3/apis?hash=H"},
             "version":{"serverRelativeURL":"/openapi/v3/version?hash=I"}}}""")
        .json("/openapi/v3/api/v1?hash=AB%2FC", "{\"openapi\":\"3.0.0\",\"core\":true}")
        .json("/openapi/v3/apis/apps/v1?hash=DEF", "{\"openapi\":\"3.0.0\"}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** TestOpenAPIV3Root_GroupVersions. */
  @Test
  void groupVersions_areThoseOfThePaths() throws Exception {
    OpenAPIRoot root = OpenAPIRoot.of(server.discovery().openAPIV3());

    assertThat(root.groupVersions())
        .containsExactly(
            new GroupVersion("apps", "v1"),
            new GroupVersion("batch", "v1"),
            new GroupVersion("", "v1"));
  }

  /** TestOpenAPIV3Root_GVSpec, TestOpenAPIV3Root_GVSpecAsMap. */
  @Test
  void spec_isReadFromWhereTheServerSays() throws Exception {
    OpenAPIRoot root = OpenAPIRoot.of(server.discovery().openAPIV3());

    assertThat(root.spec(new GroupVersion("", "v1")).get("core")).isEqualTo(true);
    assertThat(server.requests()).containsExactly("/openapi/v3", "/openapi/v3/api/v1?hash=AB%2FC");
    assertThatThrownBy(() -> root.spec(new GroupVersion("none", "v1")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue())
        .hasMessageContaining("apis/none/v1");
  }

  /** TestOpenAPIDiskCache and its like in memory: success and failure are kept. */
  @Test
  void cached_asksForEachThingOnce() throws Exception {
    OpenAPIClient cached = server.discovery().openAPIV3().cached();
    OpenAPIGroupVersion apps = cached.paths().get("apis/apps/v1");

    byte[] first = apps.schema(OpenAPIClient.JSON);
    first[0] = '!';
    assertThat(new String(apps.schema(OpenAPIClient.JSON), UTF_8))
        .isEqualTo("{\"openapi\":\"3.0.0\"}");
    assertThat(cached.paths().get("apis/apps/v1")).isSameAs(apps);
    assertThat(cached.cached()).isSameAs(cached);
    assertThat(server.requests())
        .containsExactly("/openapi/v3", "/openapi/v3/apis/apps/v1?hash=DEF");

    OpenAPIGroupVersion batch = cached.paths().get("apis/batch/v1");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> batch.schema(OpenAPIClient.JSON))
          .isInstanceOf(ApiStatusException.class);
    }
    assertThat(server.requests()).hasSize(1);
    assertThat(batch.serverRelativeURL()).isEqualTo("/openapi/v3/apis/batch/v1?hash=G");
  }
}
