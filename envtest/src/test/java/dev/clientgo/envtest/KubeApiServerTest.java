package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.process.ServerBinaries;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KubeApiServerTest {

  @Test
  void start_thenRestart_isReadyEachTimeAndLeavesNoProcess() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    Set<ProcessHandle> before = children();
    try (KubeApiServer server = KubeApiServer.start()) {
      assertThat(children()).filteredOn(child -> !before.contains(child)).hasSize(2);
      assertThat(server.kubeconfig())
          .contains("server: " + server.url(), "certificate-authority-data: ", "client-key-data: ");
      try (RESTClient client = RESTClient.create(server.restConfig())) {
        ResourceClient<Unstructured> maps =
            client
                .resource(
                    Unstructured.type(
                        new GroupVersionKind("", "v1", "ConfigMap"),
                        "configmaps",
                        /* namespaced= */ true))
                .inNamespace("default");
        String old = maps.create(configMap("a")).metadata().resourceVersion();
        maps.create(configMap("b"));
        server.restart();

        assertThat(firstEvent(client, old)).contains("\"code\":410").contains("too old");
      }
    }

    assertThat(before).containsAll(children());
  }

  private static Unstructured configMap(String name) {
    return Unstructured.parseYaml(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}")
        .get(0);
  }

  /** The watch cache of a server begins when it starts, as lesson 4 of the guide says. */
  private static String firstEvent(RESTClient client, String version) throws Exception {
    try (InputStream watch =
        client
            .get()
            .absPath("api", "v1", "configmaps")
            .param("watch", "true")
            .param("resourceVersion", version)
            .stream()) {
      return new BufferedReader(new InputStreamReader(watch, UTF_8)).readLine();
    }
  }

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current().children().collect(Collectors.toSet());
  }

  @Test
  void start_unknownFlag_reportsTheServersOutput() {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");

    assertThatThrownBy(() -> KubeApiServer.builder().flag("--no-such-flag").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kube-apiserver did not stay up, it exited with status")
        .hasMessageContaining("unknown flag: --no-such-flag");
  }

  @Test
  void start_noBinaries_reportsTheSearchedFoldersAndARemedy(@TempDir Path empty) {
    assertThatThrownBy(() -> KubeApiServer.builder().assets(empty).start())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(empty.toString())
        .hasMessageContaining("envtest/kube-apiserver/build");
  }

  @Test
  void folders_environment_assetsFirstThenCache() {
    List<Path> folders =
        ServerBinaries.folders(Map.of("KUBEBUILDER_ASSETS", "/assets", "CLIENTGO_CACHE", "/cache"));

    assertThat(folders.get(0)).isEqualTo(Path.of("/assets"));
    assertThat(folders.get(1).getParent()).isEqualTo(Path.of("/cache"));
    assertThat(folders.get(1).getFileName().toString())
        .startsWith("kube-apiserver-" + ServerBinaries.VERSION + "-");
  }
}
