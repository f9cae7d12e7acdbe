package dev.clientgo.leaderelection;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Everything against the embedded server. */
final class EmbeddedElectionTest {

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
