package dev.clientgo.controller;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Scopes on the embedded server. */
final class EmbeddedScopeTest extends ScopeContract {

  private static EmbeddedApiServer server;

  @BeforeAll
  static void startServer() {
    server = EmbeddedApiServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }
}
