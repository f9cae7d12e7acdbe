package dev.clientgo.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** All kinds of the real kube-apiserver. */
final class KubeApiServerKindsTest {

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
  final class BuiltIn extends BuiltInKindsContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class Custom extends CustomKindsContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class Subresources extends SubresourceContract {
    @Override
    RESTClient client() {
      return client;
    }
  }
}
