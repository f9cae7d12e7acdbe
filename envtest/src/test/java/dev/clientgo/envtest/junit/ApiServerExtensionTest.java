package dev.clientgo.envtest.junit;

import static dev.clientgo.envtest.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Isolated;

/** A class of tests as a user would write it; the second test sees what is left of the first. */
@ApiServerTest(crds = "src/test/crds")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ApiServerExtensionTest {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final GroupVersionResource WIDGETS =
      new GroupVersionResource("example.com", "v1", "widgets");

  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");

  private static RESTClient clientOfFirst;
  private static String namespaceOfFirst;

  @Test
  @Order(1)
  void parameters_areAClientANamespaceAndAServer(
      RESTClient client, @TestNamespace String namespace, ApiServer server) throws Exception {
    Unstructured settings =
        Unstructured.parse(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"settings\"}}");

    client.dynamic(CONFIG_MAPS).inNamespace(namespace).create(settings);

    assertThat(client.dynamic(CONFIG_MAPS).inNamespace(namespace).find("settings")).isPresent();
    assertThat(server.url()).hasHost("127.0.0.1");
    clientOfFirst = client;
    namespaceOfFirst = namespace;
  }

  @Test
  @Order(2)
  void nextTest_hasAClientAndANamespaceOfItsOwn(
      EmbeddedApiServer server, RESTClient client, @TestNamespace String namespace)
      throws Exception {
    assertThat(namespace).isNotEqualTo(namespaceOfFirst);
    assertThat(client.dynamic(CONFIG_MAPS).inNamespace(namespace).list().items()).isEmpty();
    assertThat(client.dynamic(NAMESPACES).find(namespace)).isPresent();
    assertThat(client.dynamic(NAMESPACES).find(namespaceOfFirst)).isEmpty();
    assertThat(server.objects(CONFIG_MAPS).list()).isEmpty();
    assertThatThrownBy(() -> clientOfFirst.dynamic(CONFIG_MAPS).list())
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("the client is closed");
  }

  @Test
  void definitions_areServed(RESTClient client, @TestNamespace String namespace) throws Exception {
    Unstructured widget =
        Unstructured.parse(
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"}}");

    client.dynamic(WIDGETS).inNamespace(namespace).create(widget);

    assertThatThrownBy(() -> client.dynamic(WIDGETS).inNamespace(namespace).create(widget))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isAlreadyExists()).isTrue());
  }

  @Test
  void informers_areOfTheServerAndClosedAfterTheTest(
      SharedInformerFactory factory, RESTClient client, @TestNamespace String namespace)
      throws Exception {
    var widgets = factory.dynamic(WIDGETS).inNamespace(namespace);
    var informer = widgets.informer();
    factory.start();
    client
        .dynamic(WIDGETS)
        .inNamespace(namespace)
        .create(
            Unstructured.of(Map.of("metadata", Map.of("name", "w")))
                .withType("example.com/v1", "Widget"));

    Unstructured found = await(informer).untilFound(namespace + "/w");

    assertThat(found.kind()).isEqualTo("Widget");
  }

  @Test
  void kubeconfig_isAFileOfTheServer(
      @TestKubeconfig Path kubeconfig, RestConfig config, ApiServer server) throws Exception {
    assertThat(KubeConfig.parse(Files.readString(kubeconfig)).restConfig().server())
        .hasPort(server.url().getPort())
        .isEqualTo(config.server());
  }

  /** No other class of the run sees its definitions and objects go. */
  @Nested
  @Isolated
  @ApiServerTest(crds = "src/test/crds", reset = true)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  final class WithReset {

    @Test
    @Order(1)
    void first_leavesAnObject(RESTClient client) throws Exception {
      leave(client);
    }

    @Test
    @Order(2)
    void second_doesNotSeeIt(RESTClient client) throws Exception {
      leave(client);
    }

    private static void leave(RESTClient client) throws Exception {
      var widgets = client.dynamic(WIDGETS).inNamespace("default");
      widgets.create(
          Unstructured.of(Map.of("metadata", Map.of("name", "left")))
              .withType("example.com/v1", "Widget"));
    }
  }

  /** A class, or a nested one, that runs against the real server whatever the others do. */
  @Nested
  @ApiServerTest(server = ApiServerTest.Server.REAL)
  final class OnTheRealServer {

    @Test
    void server_isTheRealOne(
        KubeApiServer server, RESTClient client, @TestNamespace String namespace) throws Exception {
      assertThat(client.dynamic(NAMESPACES).find(namespace)).isPresent();
      assertThat(server.restConfig().server()).hasScheme("https");
    }
  }
}
