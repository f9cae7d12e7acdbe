package dev.clientgo.envtest;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.http.HttpEndpoint;
import dev.clientgo.envtest.internal.kubelet.KubeletRoutes;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node of a real kube-apiserver whose containers a test plays. Requests for them travel through
 * the API server to an HTTPS endpoint of this process, as to a kubelet.
 *
 * <pre>{@code
 * try (KubeApiServer server = KubeApiServer.start();
 *     FakeNode node = FakeNode.start(server, "node-1", true)) {
 *   node.kubelet().runPod("default", "web-0", "app");
 *   node.kubelet().container("app", ContainerProgram.echo());
 * }
 * }</pre>
 *
 * <p>No pod is started because it is bound to the node: {@link FakeKubelet#runPod} stores pods with
 * their status. Safe for use by many threads.
 */
public final class FakeNode implements AutoCloseable {

  private static final GroupVersionResource NODES = new GroupVersionResource("", "v1", "nodes");
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");

  private final String name;
  private final RESTClient client;
  private final FakeKubelet kubelet;
  private final HttpEndpoint endpoint;

  private FakeNode(KubeApiServer server, String name) {
    this.name = name;
    this.client = RESTClient.create(server.restConfig());
    this.kubelet = FakeKubelet.create(Clock.system(), this::put);
    this.endpoint =
        new HttpEndpoint(new KubeletRoutes(kubelet, Clock.system()), server.kubeletSockets());
  }

  /**
   * Registers a node.
   *
   * @param webSockets whether the API server passes WebSockets on to the node, as since Kubernetes
   *     1.36; otherwise it translates them to SPDY
   * @throws InterruptedException if the thread is interrupted
   */
  public static FakeNode start(KubeApiServer server, String name, boolean webSockets)
      throws InterruptedException {
    FakeNode node = new FakeNode(server, name);
    try {
      node.register(webSockets);
      return node;
    } catch (RuntimeException | InterruptedException e) {
      node.close();
      throw e;
    }
  }

  private void register(boolean webSockets) throws InterruptedException {
    int port = endpoint.start(0);
    ResourceClient<Unstructured> nodes = client.dynamic(NODES);
    nodes.create(
        Unstructured.of(
            Map.of("apiVersion", "v1", "kind", "Node", "metadata", Map.of("name", name))));
    Map<String, Object> address = Map.of("type", "InternalIP", "address", "127.0.0.1");
    nodes.editStatus(
        name,
        node ->
            node.with(List.of(address), "status", "addresses")
                .with((long) port, "status", "daemonEndpoints", "kubeletEndpoint", "Port")
                .with(
                    webSockets ? List.of("ExtendWebSocketsToKubelet") : null,
                    "status",
                    "declaredFeatures"));
  }

  /** Returns what plays the containers. Its pods run on this node. */
  public FakeKubelet kubelet() {
    return kubelet;
  }

  private void put(Unstructured pod) {
    String namespace = Optional.ofNullable(pod.metadata().namespace()).orElse("default");
    ResourceClient<Unstructured> pods = client.dynamic(PODS).inNamespace(namespace);
    Map<String, Object> status =
        pod.nestedMap("status").map(found -> Map.<String, Object>copyOf(found)).orElse(Map.of());
    try {
      Unstructured created = pods.create(pod.without("status").with(name, "spec", "nodeName"));
      pods.updateStatus(created.with(status, "status"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a pod was stored", e);
    }
  }

  /** Ends the connections of the node, which stays registered. */
  @Override
  public void close() {
    client.close();
    endpoint.close();
  }
}
