package dev.clientgo.envtest;

import static dev.clientgo.envtest.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.envtest.junit.TestRole;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The examples of {@code docs/testing.md}, which are compiled and run here, and in the module of
 * the embedded controllers.
 */
final class TestingPageTest {

  private static final GroupVersionResource WIDGETS =
      new GroupVersionResource("example.com", "v1", "widgets");

  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");

  private static final Duration WAIT = Duration.ofSeconds(60);

  @Nested
  @ApiServerTest(crds = "src/test/crds")
  final class WidgetTest {

    @Test
    void widget_isStored(RESTClient client, @TestNamespace String namespace) throws Exception {
      ResourceClient<Unstructured> widgets = client.dynamic(WIDGETS).inNamespace(namespace);
      widgets.create(widget("small"));

      assertThat(widgets.find("small")).isPresent();
    }
  }

  @Nested
  @ApiServerTest(crds = "src/test/crds")
  final class Waits {

    @Test
    void waiting(SharedInformerFactory factory, RESTClient client, @TestNamespace String namespace)
        throws Exception {
      ResourceClient<Unstructured> widgets = client.dynamic(WIDGETS).inNamespace(namespace);
      SharedIndexInformer<Unstructured> informer =
          factory.dynamic(WIDGETS).inNamespace(namespace).informer();
      factory.start();
      widgets.create(widget("small"));
      widgets.create(widget("medium"));
      widgets.create(widget("large"));

      await(informer).until("3 widgets", cache -> cache.list().size() == 3);
      Unstructured small = await(informer).untilFound(namespace + "/small");
      await(informer).untilAsserted(cache -> assertThat(cache.list()).contains(small));
      widgets.delete("large");
      await(widgets).within(Duration.ofSeconds(10)).untilDeleted(namespace + "/large");
    }
  }

  private static Unstructured widget(String name) {
    return Unstructured.of(Map.of("metadata", Map.of("name", name)))
        .withType("example.com/v1", "Widget");
  }

  @Test
  void withoutJUnit() throws Exception {
    try (ApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.installCrds(Path.of("src/test/crds"));

      assertThat(client.dynamic(WIDGETS).list().items()).isEmpty();
    }
  }

  @Test
  void withoutSockets() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().listen(false).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      assertThat(client.dynamic(NAMESPACES).get("default").metadata().name()).isEqualTo("default");
      assertThat(server.connections()).isZero();
    }
  }

  @Test
  void networksThatFail() throws Exception {
    try (ApiServer server = EmbeddedApiServer.start();
        CuttingProxy proxy = CuttingProxy.to(server.url());
        RESTClient client =
            RESTClient.create(
                server.restConfig().toBuilder().server(proxy.url().toString()).build())) {
      server.installCrds(Path.of("src/test/crds"));
      ResourceClient<Unstructured> widgets = client.dynamic(WIDGETS).inNamespace("default");
      widgets.create(widget("small"));
      proxy.cut();

      assertThat(widgets.await("small", Optional::isPresent, Duration.ofSeconds(30))).isPresent();
    }
  }

  @Test
  void aWholeCluster() throws Exception {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: hello}
        spec:
          restartPolicy: Never
          containers: [{name: c, image: busybox, command: [echo, hello]}]
        """;
    try (KubeCluster cluster = KubeCluster.start();
        RESTClient client = RESTClient.create(cluster.restConfig())) {
      ResourceClient<Unstructured> pods =
          client.dynamic(new GroupVersionResource("", "v1", "pods")).inNamespace("default");
      pods.create(Unstructured.parseYaml(pod).get(0));

      pods.await("hello", found -> found.filter(TestingPageTest::succeeded).isPresent(), WAIT);
    }
  }

  private static boolean succeeded(Unstructured pod) {
    return pod.nestedString("status", "phase").equals(Optional.of("Succeeded"));
  }

  @Nested
  @ApiServerTest(server = ApiServerTest.Server.EMBEDDED)
  final class LeastPrivilege {

    private final GroupVersionResource maps = new GroupVersionResource("", "v1", "configmaps");

    private void runController(RESTClient client, String namespace) throws Exception {
      client.dynamic(maps).list();
      client.dynamic(maps).inNamespace(namespace).find("settings");
    }

    @Test
    void roles_areFound(EmbeddedApiServer server, @TestNamespace String namespace)
        throws Exception {
      RestConfig config = server.restConfig("robot", List.of("system:masters"));
      try (RESTClient client = RESTClient.create(config)) {
        runController(client, namespace);
      }
      String roles = server.permissions(config).anywhere(namespace).needed("robot");

      assertThat(roles).isEqualTo(Files.readString(Path.of("src/test/resources/robot.yaml")));
    }

    @Test
    void roles_areEnforced(EmbeddedApiServer server, @TestNamespace String namespace)
        throws Exception {
      RestConfig config = server.enforce(Path.of("src/test/resources/robot.yaml"));
      try (RESTClient client = RESTClient.create(config)) {
        runController(client, namespace);
      }
      Permissions permissions = server.permissions(config).anywhere(namespace);
      permissions.assertSufficient();
      assertThat(permissions.unused()).isEmpty();
    }

    @Test
    void roles_ofAParameter(
        @TestRole("src/test/resources/robot.yaml") RESTClient client,
        @TestNamespace String namespace)
        throws Exception {
      runController(client, namespace);
    }
  }
}
