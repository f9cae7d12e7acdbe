package dev.clientgo.rest.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The schemas that a server publishes. The Go tests named are in {@code openapi3/root_test.go} and
 * {@code openapi/cached/client_test.go}.
 */
@Timeout(300)
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
             "version":{"serverRelativeURL":"/openapi/v3/version?hash=I"}}}\
            """)
        .json("/openapi/v3/api/v1?hash=AB%2FC", "{\"openapi\":\"3.0.0\",\"core\":true}")
        .json("/openapi/v3/apis/apps/v1?hash=DEF", "{\"openapi\":\"3.0.0\"}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** TestOpenAPIV3Root_GroupVersions, TestOpenAPIV3Root_PathToGroupVersion. */
  @Test
  void groupVersions_areThoseOfThePaths() throws Exception {
    OpenAPIClient root = server.discovery().openAPIV3();

    assertThat(root.groupVersions())
        .containsExactly(
            new GroupVersion("apps", "v1"),
            new GroupVersion("batch", "v1"),
            new GroupVersion("", "v1"));
  }

  /**
   * TestOpenAPIV3Root_GVSpec, TestOpenAPIV3Root_GVSpecAsMap, TestOpenAPIV3Root_GroupVersionToPath.
   */
  @Test
  void spec_isReadFromWhereTheServerSays() throws Exception {
    OpenAPIClient root = server.discovery().openAPIV3();

    assertThat(root.spec(new GroupVersion("", "v1")).get("core")).isEqualTo(true);
    assertThat(server.requests()).containsExactly("/openapi/v3", "/openapi/v3/api/v1?hash=AB%2FC");
    assertThatThrownBy(() -> root.spec(new GroupVersion("none", "v1")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue())
        .hasMessageContaining("apis/none/v1");
  }

  /** TestGroupVersion: a server behind a path, which it may know of or not. */
  @ParameterizedTest
  @CsvSource({"'', ''", "/endpoint, ''", "/endpoint, /endpoint"})
  void schema_isBelowThePathOfTheServer(String prefix, String told) throws Exception {
    String url = "/openapi/v3/apis/apps/v1?hash=014fbff9a07c";
    server
        .json(
            prefix + "/openapi/v3",
            "{\"paths\":{\"apis/apps/v1\":{\"serverRelativeURL\":\"" + told + url + "\"}}}")
        .json(prefix + url, "{\"openapi\":\"3.0.0\"}");
    RestConfig config = server.client().config();
    String address = config.server().resolve(prefix.isEmpty() ? "/" : prefix).toString();
    try (RESTClient client = RESTClient.create(config.toBuilder().server(address).build())) {
      OpenAPIGroupVersion apps = OpenAPIClient.of(client).paths().get("apis/apps/v1");

      assertThat(new String(apps.schema(OpenAPIClient.JSON), UTF_8))
          .isEqualTo("{\"openapi\":\"3.0.0\"}");
      assertThat(apps.serverRelativeURL()).isEqualTo(url);
    }
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

  /* --------------- On disk: discovery/cached/disk/round_tripper_test.go --------------- */

  private static final String CORE = "/openapi/v3/api/v1?hash=AB%2FC";

  @TempDir private Path folder;

  private String core(OpenAPIClient client) throws InterruptedException {
    OpenAPIGroupVersion core = client.paths().get("api/v1");
    return new String(core.schema(OpenAPIClient.JSON), UTF_8);
  }

  private OpenAPIClient onDisk() {
    return server.discovery().openAPIV3().cached(folder);
  }

  private Path theFile() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().get(0);
    }
  }

  /** TestCacheRoundTripper, TestCacheRoundTripperPathPerm: a later run does not ask again. */
  @Test
  void disk_documentOfTheSameHash_isAskedForOnce() throws Exception {
    assertThat(core(onDisk())).isEqualTo(core(onDisk())).contains("\"core\":true");

    assertThat(server.requests()).containsExactly("/openapi/v3", CORE, "/openapi/v3");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(theFile())))
        .isEqualTo("rw-rw----");
  }

  /** A definition has changed between the list of documents and the document. */
  @Test
  void schema_thatHasChangedSince_isTheLatest() throws Exception {
    OpenAPIClient client = server.discovery().openAPIV3();
    OpenAPIGroupVersion before = client.paths().get("api/v1");
    server.fail(CORE, 301).json("/openapi/v3/api/v1", "{\"new\":true}");

    assertThat(new String(before.schema(OpenAPIClient.JSON), UTF_8)).isEqualTo("{\"new\":true}");
    assertThat(core(onDisk())).isEqualTo("{\"new\":true}");
    // And back again: what stood in for it has not become it.
    server.json(CORE, "{\"core\":true}");
    assertThat(core(onDisk())).isEqualTo("{\"core\":true}");
  }

  @Test
  void disk_documentOfAnotherHash_isAskedFor() throws Exception {
    core(onDisk());
    server
        .json(
            "/openapi/v3",
            "{\"paths\":{\"api/v1\":{\"serverRelativeURL\":\"/openapi/v3/api/v1?hash=NEW\"}}}")
        .json("/openapi/v3/api/v1?hash=NEW", "{\"new\":true}");

    assertThat(core(onDisk())).isEqualTo("{\"new\":true}");
  }

  /** TestSumDiskCache; and a file that is too short to have one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 40})
  void disk_damagedFile_isAsGoodAsNone(int length) throws Exception {
    String asked = core(onDisk());
    byte[] content = Files.readAllBytes(theFile());
    Files.write(theFile(), Arrays.copyOf(content, length));

    assertThat(core(onDisk())).isEqualTo(asked);
    assertThat(Files.readAllBytes(theFile())).isEqualTo(content);
  }

  @Test
  void disk_withoutAHash_isNotKept() throws Exception {
    server
        .json(
            "/openapi/v3",
            "{\"paths\":{\"api/v1\":{\"serverRelativeURL\":\"/openapi/v3/api/v1\"}}}")
        .json("/openapi/v3/api/v1", "{}");

    core(onDisk());
    core(onDisk());

    assertThat(server.requests()).filteredOn("/openapi/v3/api/v1"::equals).hasSize(2);
  }

  @Test
  void disk_thatCannotBeWritten_isNoObstacle() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThat(core(server.discovery().openAPIV3().cached(file))).contains("\"core\":true");
  }

  @Test
  void disk_failure_isNotKept() throws Exception {
    OpenAPIGroupVersion batch = onDisk().paths().get("apis/batch/v1");
    assertThatThrownBy(() -> batch.schema(OpenAPIClient.JSON))
        .isInstanceOf(ApiStatusException.class);
    server.json("/openapi/v3/apis/batch/v1?hash=G", "{}");

    assertThat(batch.schema(OpenAPIClient.JSON)).hasSize(2);
  }
}
