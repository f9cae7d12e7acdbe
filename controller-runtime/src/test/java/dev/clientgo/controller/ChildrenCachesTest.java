package dev.clientgo.controller;

import static dev.clientgo.controller.ChildrenFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.ChildrenResult.State;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Children of kinds with several versions, and with caches that have only a part. */
final class ChildrenCachesTest {

  private static final ResourceType<Unstructured> V1 = gadgets("v1");
  private static final ResourceType<Unstructured> V2 = gadgets("v2");

  private static final Unstructured DEFINITION =
      Unstructured.parseYaml(
              """
              apiVersion: apiextensions.k8s.io/v1
              kind: CustomResourceDefinition
              metadata: {name: gadgets.example.com}
              spec:
                group: example.com
                scope: Namespaced
                names: {plural: gadgets, kind: Gadget}
                versions:
                - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
              """)
          .get(0);

  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static ResourceType<Unstructured> gadgets(String version) {
    return Unstructured.type(
        new GroupVersionKind("example.com", version, "Gadget"), "gadgets", /* namespaced= */ true);
  }

  private static Unstructured gadget(String version) {
    return Unstructured.parseYaml(
            "{apiVersion: example.com/%s, kind: Gadget, metadata: {name: a, namespace: default}}"
                .formatted(version))
        .get(0);
  }

  @Test
  void kindThatIsOwnedInTwoVersions_isOneKind() throws Exception {
    client
        .resource(
            Unstructured.type(
                new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
                "customresourcedefinitions",
                /* namespaced= */ false))
        .create(DEFINITION);
    try (ChildrenFixture fixture =
        new ChildrenFixture(client, "shop", "shops", informers -> {}, V1, V2)) {
      ChildrenResult created = fixture.children().apply(gadget("v1"));

      assertThat(created.children()).hasSize(1);
      assertThat(client.resource(V1).inNamespace("default").find("a")).isPresent();
      assertThatThrownBy(() -> fixture.children().apply(gadget("v1"), gadget("v2")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("two children");
      assertThat(fixture.children().apply(List.of()).in(State.DELETED)).hasSize(1);
      assertThat(client.resource(V2).inNamespace("default").list().items()).isEmpty();
    }
  }

  @Test
  void childThatNoCacheWouldHave_isRefused() throws Exception {
    client
        .resource(ConfigMap.TYPE)
        .create(
            ConfigMap.of(
                "default", "shop", c -> c.editMetadata(m -> m.labels(Map.of("app", "shop")))));
    try (ChildrenFixture fixture =
        new ChildrenFixture(
            client,
            "shop",
            "shops",
            informers ->
                informers.tweakListOptions(
                    options -> options.toBuilder().labelSelector("app=shop").build()))) {
      assertThatThrownBy(() -> fixture.children().apply(secret("a", "1")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Secret default/a cannot be a child of")
          .hasMessageContaining("with its labels");
      assertThat(fixture.secrets.find("a")).isEmpty();
    }
  }
}
