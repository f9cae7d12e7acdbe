package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.IncidentRecorder;
import dev.clientgo.controller.IncidentReplay;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Result;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/incidents.md}. */
@Timeout(120)
final class IncidentsPageTest {

  @TempDir Path folder;

  static Manager record(RESTClient client) {
    IncidentRecorder recorder =
        IncidentRecorder.builder()
            .bytes(16 << 20)
            .redact("spec.password", "data.token")
            .directory(Path.of("/var/incidents"), 5)
            .build();
    Manager manager =
        Manager.builder(client)
            .incidents(recorder)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080))
            .build();
    return manager;
  }

  static void replay(Path incident, Controller controller) throws IOException {
    try (IncidentReplay replay = ControllerSimulation.replay(incident, controller)) {
      replay.assertSame(); // All reconciles, in the order in which they began.
      replay.run(17); // One of them, in this thread: set a breakpoint in the reconciler.
    }
  }

  /** A controller that copies a number. */
  private static Controller copies(String replicas) {
    return Controller.builder(
            (request, context) -> {
              var maps = context.client().resource(ConfigMap.TYPE).inNamespace(request.namespace());
              if (maps.find(request).isPresent() && request.name().equals("shop")) {
                maps.createOrUpdate(
                    ConfigMap.of("default", "copy", c -> {}),
                    c -> c.with(b -> b.data(Map.of("replicas", replicas))));
              }
              return Result.done();
            })
        .named("copies")
        .forKind(ConfigMap.TYPE)
        .build();
  }

  @Test
  void anIncident_isReplayed_andOtherCodeDiffersAtItsFirstWrite() throws Exception {
    Path incident = folder.resolve("incident.bin");
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      var maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      IncidentRecorder recorder = IncidentRecorder.create();
      try (Manager manager = Manager.builder(client).incidents(recorder).build()) {
        manager.add(copies("2"));
        manager.start();
        maps.create(ConfigMap.of("default", "shop", c -> {}));
        maps.await("copy", copy -> copy.isPresent(), Duration.ofMinutes(1));
      }
      recorder.writeTo(incident);
    }

    try (IncidentReplay replay = ControllerSimulation.replay(incident, copies("2"))) {
      replay.assertSame();
    }
    try (IncidentReplay replay = ControllerSimulation.replay(incident, copies("3"))) {
      assertThat(replay.run().get(0))
          .hasToString(
              "reconcile #1 of copies default/shop: DIFFERENT write 1 was POST"
                  + " /api/v1/namespaces/default/configmaps with data.replicas \"2\", is \"3\"");
    }
  }
}
