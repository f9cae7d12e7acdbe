package dev.clientgo.envtest;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Reads some fields of objects of the embedded server, which sends all. */
final class EmbeddedProjectionTest extends ProjectionContract {

  private static EmbeddedApiServer server;
  private static TestClient api;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
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
