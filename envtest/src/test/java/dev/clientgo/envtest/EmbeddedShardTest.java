package dev.clientgo.envtest;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of shards against the embedded server. */
final class EmbeddedShardTest extends ShardContract {

  private static EmbeddedApiServer server;
  private static TestClient api;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.builder().featureGate("ShardedListAndWatch", true).start();
    api = TestClient.of(server);
  }

  @AfterAll
  static void stop() {
    api.close();
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }

  @Override
  TestClient api() {
    return api;
  }
}
