package dev.clientgo.remotecommand;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.FakeNode;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * The contract with a real API server in front of the fake kubelet. The server passes WebSockets on
 * to one node, and translates them for the other.
 */
final class FakeNodeTest {

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  private static FakeNode node(String name, boolean webSockets) throws InterruptedException {
    FakeNode node = FakeNode.start(server, name, webSockets);
    node.kubelet().runPod("default", "on-" + name, "c");
    node.kubelet().container("c", ContainerProgram.localProcess());
    return node;
  }

  @Nested
  final class Passed extends RemoteCommandContract {
    private static FakeNode node;

    @BeforeAll
    static void start() throws Exception {
      node = node("passing", true);
    }

    @AfterAll
    static void stop() {
      node.close();
    }

    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String pod() {
      return "on-passing";
    }
  }

  @Nested
  final class Translated extends RemoteCommandContract {
    private static FakeNode node;

    @BeforeAll
    static void start() throws Exception {
      node = node("translating", false);
    }

    @AfterAll
    static void stop() {
      node.close();
    }

    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String pod() {
      return "on-translating";
    }
  }
}
