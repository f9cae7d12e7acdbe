package dev.clientgo.kubernetes;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** All kinds of the embedded server. */
final class EmbeddedKindsTest {

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
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
}
