package dev.clientgo.controller;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Incidents on the real kube-apiserver. */
final class KubeApiServerIncidentTest extends IncidentContract {

  private static KubeApiServer server;

  @BeforeAll
  static void startServer() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ApiServer server() {
    return server;
  }

  @Override
  String prefix() {
    return "shop-";
  }
}
