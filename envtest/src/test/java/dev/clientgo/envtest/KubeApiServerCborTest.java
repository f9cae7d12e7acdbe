package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The client in CBOR, on the real server. */
final class KubeApiServerCborTest extends CborContract {

  private KubeApiServer server;

  @BeforeAll
  void start() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.builder().flag("--feature-gates=" + GATE + "=true").start();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ApiServer server() {
    return server;
  }
}
