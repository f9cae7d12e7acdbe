package dev.clientgo.kubectl;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Everything against the embedded server. */
final class EmbeddedKubectlTest {

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
  final class Applying extends ApplyContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class Waiting extends WaitContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class RollingOut extends RolloutContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class Draining extends DrainContract {
    @Override
    RESTClient client() {
      return client;
    }
  }
}
