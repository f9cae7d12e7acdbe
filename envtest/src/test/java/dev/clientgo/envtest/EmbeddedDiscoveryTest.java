package dev.clientgo.envtest;

import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the discovery contract against the embedded server. */
final class EmbeddedDiscoveryTest extends DiscoveryContract {

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(KubeConfig.parse(server.kubeconfig()).restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Override
  RESTClient client() {
    return client;
  }
}
