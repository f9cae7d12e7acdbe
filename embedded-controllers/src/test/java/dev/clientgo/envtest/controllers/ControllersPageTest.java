package dev.clientgo.envtest.controllers;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The example of the section about these controllers in {@code docs/testing.md}. */
final class ControllersPageTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  @Test
  @SuppressWarnings("try") // The controllers only run.
  void controllersInTheEmbeddedServer() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        EmbeddedControllers controllers = EmbeddedControllers.start(server);
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      ConfigMap owner = maps.create(ConfigMap.of("default", "owner", map -> {}));
      maps.create(
          OwnerReferences.setController(ConfigMap.of("default", "child", map -> {}), owner));

      maps.delete("owner");

      maps.await("child", Optional::isEmpty, WAIT); // The garbage collector has deleted it.
    }
  }
}
