package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of shards against the real server. */
final class KubeApiServerShardTest extends ShardContract {

  private static KubeApiServer server;
  private static TestClient api;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try {
      server = KubeApiServer.builder().flag("--feature-gates=ShardedListAndWatch=true").start();
    } catch (IllegalStateException e) {
      assumeFalse(("" + e.getMessage()).contains("unrecognized feature gate"), "before 1.36");
      throw e;
    }
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
