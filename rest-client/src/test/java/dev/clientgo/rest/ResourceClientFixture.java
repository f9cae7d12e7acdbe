package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.internal.net.Timeouts;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that is asked for deployments, and what it answers. */
abstract class ResourceClientFixture {

  static final ResourceType<Unstructured> DEPLOYMENT =
      Unstructured.type(new GroupVersionKind("apps", "v1", "Deployment"), "deployments", true);
  static final ResourceType<Unstructured> NODE =
      Unstructured.type(new GroupVersionKind("", "v1", "Node"), "nodes", false);

  final RecordingClock clock = new RecordingClock();
  TestServer server;
  RESTClient client;
  ResourceClient<Unstructured> deployments;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD);
    deployments = client.resource(DEPLOYMENT).inNamespace("ns");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  static String object(String name, String version) {
    return """
    {"apiVersion":"apps/v1","kind":"Deployment",
     "metadata":{"name":"%s","namespace":"ns","resourceVersion":"%s"},"spec":{"replicas":1}}\
    """
        .formatted(name, version);
  }

  static MockResponse answer(String name, String version) {
    return TestServer.json(200, object(name, version));
  }

  static Unstructured web() {
    return Unstructured.parse(object("web", "7"));
  }

  void assertSent(String request, String body) throws InterruptedException {
    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getMethod() + " " + sent.getTarget()).isEqualTo(request);
    assertThat(sent.getBody() == null ? "" : sent.getBody().utf8()).isEqualTo(body);
  }

  void assertPatch(String end, String type, String body) throws InterruptedException {
    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getMethod() + " " + sent.getTarget())
        .isEqualTo("PATCH /apis/apps/v1/namespaces/ns/deployments/web" + end);
    assertThat(sent.getHeaders().get("Content-Type")).isEqualTo(type);
    assertThat(sent.getBody().utf8()).isEqualTo(body);
  }
}
