package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import org.junit.jupiter.api.Test;

final class EmbeddedApiServerTest {

  @Test
  void start_plain_servesAndLeavesNoThread() {
    int before = threads();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        TestClient client = TestClient.of(server)) {

      assertThat(
              client
                  .post(
                      "/api/v1/namespaces/default/configmaps",
                      "{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}")
                  .text())
          .contains("\"k\":\"v\"");
      assertThat(client.get("/api/v1/namespaces/default/configmaps/a").code()).isEqualTo(200);
      try (Events events =
          client.watch("/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0")) {
        assertThat(events.next()).asString().isEqualTo("ADDED a");
        client.mergePatch("/api/v1/namespaces/default/configmaps/a", "{\"data\":{\"k\":\"2\"}}");
        Event event = events.next();
        assertThat(event).asString().isEqualTo("MODIFIED a");
        client.delete("/api/v1/namespaces/default/configmaps/a");
        assertThat(events.next()).asString().isEqualTo("DELETED a");
      }
    }
    assertThat(threads()).isEqualTo(before);
  }

  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> t.getName().contains("MockWebServer") || t.getName().contains("envtest"))
            .count();
  }
}
