package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract against the real server, which defines the correct behaviour. */
final class KubeApiServerContractTest extends ApiServerContract {

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
