package dev.clientgo.controller.webhook;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of webhooks against the embedded server. */
final class EmbeddedWebhookTest extends WebhookContract {

  private static EmbeddedApiServer server;

  @BeforeAll
  static void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    server.installCrds(DEFINITIONS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }
}
