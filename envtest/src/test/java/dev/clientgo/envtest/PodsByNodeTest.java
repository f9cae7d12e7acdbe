package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of the pods of a node, which the server reads from an index. */
@ApiServerTest(server = ApiServerTest.Server.EMBEDDED, reset = true)
final class PodsByNodeTest {

  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");

  private ServedObjects objects;
  private ResourceClient<Unstructured> pods;

  @BeforeEach
  void connect(EmbeddedApiServer server, RESTClient client) {
    objects = server.objects(PODS);
    pods = client.dynamic(PODS);
  }

  private void put(String namespace, String name, String node) {
    objects.put(
        Unstructured.of(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Map.of("namespace", namespace, "name", name),
                "spec",
                node.isEmpty() ? Map.of() : Map.of("nodeName", node))));
  }

  private List<String> on(String node, ListOptions.Builder options) throws InterruptedException {
    return pods
        .list(options.fieldSelector(FieldSelector.equal("spec.nodeName", node)).build())
        .stream()
        .map(pod -> pod.metadata().namespace() + "/" + pod.metadata().name())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void list_afterRandomChanges_hasThePodsOfTheNode(long seed) throws Exception {
    Random random = new Random(seed);
    Map<String, String> nodes = new TreeMap<>();
    for (int i = 0; i < 200; i++) {
      String namespace = "ns-" + random.nextInt(2);
      String name = "pod-" + random.nextInt(10);
      if (random.nextInt(4) == 0) {
        objects.delete(namespace, name);
        nodes.remove(namespace + "/" + name);
      } else {
        String node = random.nextInt(4) == 0 ? "" : "node-" + random.nextInt(3);
        put(namespace, name, node);
        nodes.put(namespace + "/" + name, node);
      }
    }

    for (String node : List.of("", "node-0", "node-1", "node-2", "node-9")) {
      List<String> expected =
          nodes.keySet().stream().filter(key -> node.equals(nodes.get(key))).toList();
      assertThat(on(node, ListOptions.builder())).as(node).isEqualTo(expected);
      assertThat(on(node, ListOptions.builder().resourceVersion("0"))).isEqualTo(expected);
    }
  }

  @Test
  void pages_ofANode_goOnBehindPodsOfOtherNodes() throws Exception {
    put("default", "a", "node-1");
    put("default", "b", "node-2");
    put("default", "c", "node-1");

    assertThat(on("node-1", ListOptions.builder().limit(1)))
        .containsExactly("default/a", "default/c");
  }
}
