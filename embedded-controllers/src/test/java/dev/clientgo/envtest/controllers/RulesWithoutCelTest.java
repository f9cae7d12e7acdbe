package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The embedded server without {@code dev.cel:cel}, which this module does not have. */
final class RulesWithoutCelTest {

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: rules.example.com}
      spec:
        group: example.com
        scope: Cluster
        names: {plural: rules, kind: Rule}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties: {a: {type: integer, x-kubernetes-validations: [{rule: self < 5}]}}
      """;

  @Test
  void definitionWithRules_isAcceptedWithAWarning() throws Exception {
    List<String> warnings = new CopyOnWriteArrayList<>();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client =
            RESTClient.builder(server.restConfig())
                .warningHandler((code, agent, text) -> warnings.add(text))
                .build()) {
      client
          .dynamic(
              new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions"))
          .create(Unstructured.parseYaml(DEFINITION).get(0));

      assertThat(warnings)
          .containsExactly(
              "the embedded server ignores the CEL in this object: dev.cel:cel is not on the class"
                  + " path");
      Unstructured rule =
          Unstructured.parseYaml(
                  "{apiVersion: example.com/v1, kind: Rule, metadata: {name: x}, a: 9}")
              .get(0);
      assertThat(
              client.dynamic(new GroupVersionResource("example.com", "v1", "rules")).create(rule))
          .isNotNull();
    }
  }
}
