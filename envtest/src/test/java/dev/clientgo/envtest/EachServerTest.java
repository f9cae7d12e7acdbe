package dev.clientgo.envtest;

import static dev.clientgo.envtest.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.rest.RESTClient;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an {@link ApiServer} does besides serving, on each server that there is. */
final class EachServerTest {

  private static final Path WIDGETS = Path.of("src/test/crds/widgets.yaml");
  private static final List<ApiServer> SERVERS = new ArrayList<>();

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");
  private static final GroupVersionResource NODES = new GroupVersionResource("", "v1", "nodes");
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");
  private static final GroupVersionResource DEFINITIONS =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  private static final GroupVersionResource WIDGETS_V1 =
      new GroupVersionResource("example.com", "v1", "widgets");

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
  @ParameterizedTest(autoCloseArguments = false)
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

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("servers")
  void deleteNamespace_takesAllThatIsInIt(ApiServer server) throws Exception {
    try (RESTClient client = RESTClient.create(server.restConfig())) {
      server.installCrds(WIDGETS);
      for (String namespace : List.of("gone", "gone-2")) {
        client.dynamic(NAMESPACES).create(object("v1", "Namespace", namespace));
        client.dynamic(CONFIG_MAPS).inNamespace(namespace).create(finalized("v1", "ConfigMap"));
        client
            .dynamic(WIDGETS_V1)
            .inNamespace(namespace)
            .create(finalized("example.com/v1", "Widget"));
        client.dynamic(PODS).inNamespace(namespace).create(runningPod());
      }

      assertThat(server.deleteNamespace("gone")).isTrue();

      assertThat(client.dynamic(NAMESPACES).find("gone")).isEmpty();
      for (GroupVersionResource kind : List.of(CONFIG_MAPS, WIDGETS_V1, PODS)) {
        assertThat(client.dynamic(kind).inNamespace("gone").list().items()).isEmpty();
        assertThat(client.dynamic(kind).inNamespace("gone-2").list().items()).hasSize(1);
      }
      assertThat(server.deleteNamespace("gone")).isFalse();
      // Nothing holds it any more, so that a test can use the name again.
      client.dynamic(NAMESPACES).create(object("v1", "Namespace", "gone"));
      server.deleteNamespace("gone-2");
      assertThatThrownBy(() -> server.deleteNamespace("default"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("default is the server's own");
    }
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("servers")
  void reset_leavesAServerAsNew(ApiServer server) throws Exception {
    try (RESTClient client = RESTClient.create(server.restConfig());
        SharedIndexInformer<Unstructured> informer =
            SharedIndexInformer.builder(
                    ListWatch.<Unstructured>of(
                        client.dynamic(CONFIG_MAPS)::list, client.dynamic(CONFIG_MAPS)::watch))
                .type(client.dynamic(CONFIG_MAPS).type())
                .build()) {
      server.reset();
      final long atStart = client.dynamic(CONFIG_MAPS).list().items().size();
      server.installCrds(WIDGETS);
      client.dynamic(NAMESPACES).create(object("v1", "Namespace", "shop"));
      client.dynamic(CONFIG_MAPS).inNamespace("shop").create(finalized("v1", "ConfigMap"));
      client.dynamic(CONFIG_MAPS).inNamespace("default").create(finalized("v1", "ConfigMap"));
      client.dynamic(WIDGETS_V1).inNamespace("shop").create(finalized("example.com/v1", "Widget"));
      client.dynamic(NODES).create(object("v1", "Node", "node-1"));
      informer.start();
      await(informer).untilFound("shop/a");

      server.reset();

      await(informer).untilDeleted("shop/a");
      assertThat(client.dynamic(NAMESPACES).list().items())
          .extracting(namespace -> namespace.metadata().name())
          .containsExactlyInAnyOrder("default", "kube-node-lease", "kube-public", "kube-system");
      assertThat(client.dynamic(CONFIG_MAPS).list().items()).hasSize((int) atStart);
      assertThat(client.dynamic(NODES).list().items()).isEmpty();
      assertThat(client.dynamic(DEFINITIONS).list().items()).isEmpty();
      server.installCrds(WIDGETS);
      assertThat(client.dynamic(WIDGETS_V1).list().items()).isEmpty();
    }
  }

  @Test
  void reset_embedded_clearsFaultsAndTheRecord() throws Exception {
    EmbeddedApiServer server = (EmbeddedApiServer) SERVERS.get(0);
    try (RESTClient client = RESTClient.create(server.restConfig())) {
      server.faults().on(request -> request.matches("list", "nodes")).answer(403);
      assertThatThrownBy(() -> client.dynamic(NODES).list()).isInstanceOf(ApiStatusException.class);

      server.reset();

      assertThat(server.requests()).isEmpty();
      assertThat(client.dynamic(NODES).list().items()).isEmpty();
    }
  }

  private static Unstructured object(String apiVersion, String kind, String name) {
    return Unstructured.of(Map.of("metadata", Map.of("name", name))).withType(apiVersion, kind);
  }

  private static Unstructured finalized(String apiVersion, String kind) {
    return Unstructured.of(
            Map.of("metadata", Map.of("name", "a", "finalizers", List.of("example.com/a"))))
        .withType(apiVersion, kind);
  }

  /** A pod on a node, whose deletion waits for the kubelet. */
  private static Unstructured runningPod() {
    return object("v1", "Pod", "web")
        .with(
            Map.of("nodeName", "node-1", "containers", List.of(Map.of("name", "c", "image", "i"))),
            "spec");
  }
}
