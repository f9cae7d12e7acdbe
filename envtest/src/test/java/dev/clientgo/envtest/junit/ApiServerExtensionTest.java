package dev.clientgo.envtest.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A class of tests as a user would write it; the second test sees what is left of the first. */
@ApiServerTest(crds = "src/test/crds")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ApiServerExtensionTest {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersionResource("", "v1", "configmaps");
  private static final GroupVersionResource WIDGETS =
      new GroupVersionResource("example.com", "v1", "widgets");

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
    assertThat(client.dynamic(new GroupVersionResource("", "v1", "namespaces")).find(namespace))
        .isPresent();
    assertThat(server.requests(request -> request.matches("delete", "namespaces"))).isNotEmpty();
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
}
