package dev.clientgo.kubernetes.alpha;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.alpha.metrics.v1beta1.NodeMetrics;
import dev.clientgo.kubernetes.alpha.metrics.v1beta1.PodMetrics;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What metrics-server answers, from a server with such objects. */
final class MetricsTest {

  private static final String DEFINITION =
      """
      {"metadata": {"name": "%1$s.metrics.k8s.io",
                    "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
       "spec": {"group": "metrics.k8s.io", "scope": "%3$s", "names": {"plural": "%1$s", "kind": "%2$s"},
                "versions": [{"name": "v1beta1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
                  {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
      """;

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    define("pods", "PodMetrics", "Namespaced");
    define("nodes", "NodeMetrics", "Cluster");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static void define(String plural, String kind, String scope) throws InterruptedException {
    client
        .post()
        .absPath("apis", "apiextensions.k8s.io", "v1", "customresourcedefinitions")
        .body(DEFINITION.formatted(plural, kind, scope).getBytes(UTF_8), "application/json")
        .execute()
        .raw();
  }

  private static void post(String json, String... path) throws InterruptedException {
    client.post().absPath(path).body(json.getBytes(UTF_8), "application/json").execute().raw();
  }

  @Test
  void podMetrics_areRead() throws InterruptedException {
    post(
        """
        {"apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetrics", "metadata": {"name": "web-0"},
         "timestamp": "2026-01-31T12:00:00Z", "window": "15.04s",
         "containers": [{"name": "web", "usage": {"cpu": "1234567n", "memory": "12345Ki"}}]}
        """,
        "apis",
        "metrics.k8s.io",
        "v1beta1",
        "namespaces",
        "default",
        "pods");

    Clientset alpha = Clientset.of(client);
    List<PodMetrics> usage =
        alpha.metrics().v1beta1().pods("default").list(ListOptions.NONE).items();

    PodMetrics metrics = usage.get(0);
    assertThat(metrics.metadata().name()).isEqualTo("web-0");
    assertThat(metrics.window()).isEqualTo("15.04s");
    assertThat(metrics.timestamp()).hasToString("2026-01-31T12:00:00Z");
    assertThat(metrics.containers().get(0).name()).isEqualTo("web");
    assertThat(metrics.containers().get(0).usage())
        .isEqualTo(Map.of("cpu", Quantity.parse("1234567n"), "memory", Quantity.parse("12345Ki")));
  }

  @Test
  void nodeMetrics_areRead() throws InterruptedException {
    post(
        """
        {"apiVersion": "metrics.k8s.io/v1beta1", "kind": "NodeMetrics", "metadata": {"name": "n"},
         "timestamp": "2026-01-31T12:00:00Z", "window": "20s", "usage": {"cpu": "250m"}}
        """,
        "apis",
        "metrics.k8s.io",
        "v1beta1",
        "nodes");

    NodeMetrics metrics = Clientset.of(client).metrics().v1beta1().nodes().get("n");

    assertThat(metrics.usage()).isEqualTo(Map.of("cpu", Quantity.parse("250m")));
  }
}
