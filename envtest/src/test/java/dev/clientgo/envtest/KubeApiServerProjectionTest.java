package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Reads some fields of objects of the real server. */
final class KubeApiServerProjectionTest extends ProjectionContract {

  private static KubeApiServer server;
  private static TestClient api;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
    api = TestClient.of(server);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      api.close();
      server.close();
    }
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
