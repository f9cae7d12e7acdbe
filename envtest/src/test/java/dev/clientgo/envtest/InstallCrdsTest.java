package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.rest.RESTClient;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link ApiServer#installCrds}, on each server that there is. */
final class InstallCrdsTest {

  private static final Path WIDGETS = Path.of("src/test/crds/widgets.yaml");
  private static final List<ApiServer> SERVERS = new ArrayList<>();

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    SERVERS.add(EmbeddedApiServer.start());
    if (KubeApiServer.isAvailable()) {
      SERVERS.add(KubeApiServer.start());
    }
  }

  @AfterAll
  static void close() {
    SERVERS.forEach(ApiServer::close);
  }

  static List<ApiServer> servers() {
    return SERVERS;
  }

  /** A test that begins at once must not meet a 404, and a second run must not meet a conflict. */
  @ParameterizedTest
  @MethodSource("servers")
  void installCrds_returnsWhenAllVersionsAreServed(ApiServer server) throws Exception {
    Files.copy(WIDGETS, folder.resolve("widgets.yaml"));
    server.installCrds(folder);
    String changed = Files.readString(WIDGETS).replace("- wd", "- wdg");
    Files.writeString(folder.resolve("widgets.yaml"), changed);
    server.installCrds(folder.resolve("widgets.yaml"));

    try (RESTClient client = RESTClient.create(server.restConfig())) {
      for (String version : List.of("v1", "v1beta1")) {
        var widgets = client.dynamic(new GroupVersionResource("example.com", version, "widgets"));
        assertThat(widgets.list().items()).isEmpty();
      }
      var definitions =
          client.dynamic(
              new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions"));
      assertThat(
              definitions
                  .get("widgets.example.com")
                  .nestedStringList("spec", "names", "shortNames"))
          .contains(List.of("wdg"));
    }
  }

  @Test
  void installCrds_badInput_saysWhatAndWhere() throws Exception {
    ApiServer server = SERVERS.get(0);
    Path other = Files.writeString(folder.resolve("other.txt"), "kind: Deployment", UTF_8);
    Path broken = Files.writeString(folder.resolve("broken.txt"), "a: [", UTF_8);

    assertThatThrownBy(() -> server.installCrds(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no YAML or JSON file");
    assertThatThrownBy(() -> server.installCrds(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("other.txt has a Deployment: only definitions");
    assertThatThrownBy(() -> server.installCrds(broken))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("broken.txt, line 1");
    assertThatThrownBy(() -> server.installCrds(folder.resolve("none.yaml")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("none.yaml");
  }
}
