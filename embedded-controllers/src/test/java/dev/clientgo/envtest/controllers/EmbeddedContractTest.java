package dev.clientgo.envtest.controllers;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contracts of the controllers, on the embedded server and the embedded controllers. */
final class EmbeddedContractTest extends AllContracts {

  private static EmbeddedApiServer server;
  private static EmbeddedControllers controllers;
  private static RESTClient client;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedApiServer.start();
    controllers =
        EmbeddedControllers.builder(server)
            .pods(
                PodScript.builder()
                    .image(EndpointsContract.IMAGE, PodLife.notPlayed())
                    .image(JobContract.FAILS, PodLife.exits(3))
                    .image(JobContract.RUNS, PodLife.runs())
                    .build())
            .start();
    client = RESTClient.create(server.restConfig());
    for (String name : List.of("node-1", "node-2", "node-3")) {
      client.resource(Node.TYPE).create(Node.of(name, node -> {}));
    }
  }

  @AfterAll
  static void stop() {
    client.close();
    controllers.close();
    server.close();
  }

  @Override
  ApiServer server() {
    return server;
  }

  @Override
  RESTClient client() {
    return client;
  }
}
