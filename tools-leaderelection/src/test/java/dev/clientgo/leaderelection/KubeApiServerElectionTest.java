package dev.clientgo.leaderelection;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Everything against the real kube-apiserver. */
final class KubeApiServerElectionTest {

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
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

  @Nested
  final class Elections extends ElectionContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class Processes extends ElectionProcessContract {
    @Override
    ApiServer server() {
      return server;
    }
  }
}
