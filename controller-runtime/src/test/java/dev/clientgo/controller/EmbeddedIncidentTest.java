package dev.clientgo.controller;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;

/** Incidents on the embedded server. */
final class EmbeddedIncidentTest extends IncidentContract {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }
}
