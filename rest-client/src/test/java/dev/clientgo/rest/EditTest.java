package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests of an edit. */
@Timeout(300)
final class EditTest extends ResourceClientFixture {

  @Test
  void edit_sendsTheDifferenceAndTheVersion() throws Exception {
    server.enqueue(answer("web", "7"), answer("web", "8"));

    Unstructured edited = deployments.edit("web", object -> object.with(3L, "spec", "replicas"));

    assertThat(edited.metadata().resourceVersion()).isEqualTo("8");
    server.takeRequest();
    RecordedRequest patch = server.takeRequest();
    assertThat(patch.getMethod()).isEqualTo("PATCH");
    assertThat(patch.getHeaders().get("Content-Type")).isEqualTo("application/merge-patch+json");
    assertThat(patch.getBody().utf8())
        .isEqualTo("{\"spec\":{\"replicas\":3},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }

  /** A type that knows of containers no more than name and image. */
  @SuppressWarnings("unchecked") // Containers are maps.
  private static final JsonCodec<Unstructured> OLD_TYPE =
      new JsonCodec<>() {
        @Override
        public Unstructured read(JsonReader in) {
          Unstructured object = Unstructured.CODEC.read(in);
          List<Object> known = new ArrayList<>();
          for (Object container : object.nestedList("spec", "containers").orElseThrow()) {
            Map<String, Object> map = new TreeMap<>((Map<String, Object>) container);
            map.keySet().retainAll(List.of("name", "image"));
            known.add(map);
          }
          return object.with(Map.of("containers", known), "spec");
        }

        @Override
        public void write(JsonWriter out, Unstructured value) {
          Unstructured.CODEC.write(out, value);
        }
      };

  @Test
  void edit_ofAListElement_keepsWhatTheTypeDoesNotKnow() throws Exception {
    ResourceType<Unstructured> old =
        ResourceType.namespaced(DEPLOYMENT.kind(), "deployments", OLD_TYPE);
    String sent =
        """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
         "spec":{"new":1,"containers":[{"name":"a","image":"1","x":{"y":2}},
         {"name":"b","image":"1","x":3},{"name":"c","image":"1","x":4}]}}\
        """;
    server.enqueue(TestServer.json(200, sent), TestServer.json(200, sent));
    List<Map<String, String>> changed =
        List.of(
            Map.of("name", "c", "image", "1"),
            Map.of("name", "a", "image", "2"),
            Map.of("name", "d", "image", "1"));

    client
        .resource(old)
        .inNamespace("ns")
        .edit("web", object -> object.with(changed, "spec", "containers"));

    server.takeRequest();
    assertThat(JsonReader.of(server.takeRequest().getBody().toByteArray()).nextTree())
        .isEqualTo(
            JsonReader.of(
                    """
                    {"spec":{"containers":[{"name":"c","image":"1","x":4},
                     {"name":"a","image":"2","x":{"y":2}},{"name":"d","image":"1"}]},
                     "metadata":{}}\
                    """
                        .getBytes(UTF_8))
                .nextTree());
  }

  @Test
  void edit_thatChangesNothing_sendsNothing() throws Exception {
    server.enqueue(answer("web", "7"));

    assertThat(deployments.edit("web", object -> object).metadata().resourceVersion())
        .isEqualTo("7");
    assertThat(server.requestCount()).isEqualTo(1);
  }

  @Test
  void edit_thatGivesNull_isRefused() throws Exception {
    server.enqueue(answer("web", "7"));

    assertThatThrownBy(() -> deployments.edit("web", object -> null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the change of the object is null");
  }

  /** TestRetryOnConflict in util/retry. */
  @Test
  void edit_afterAConflict_beginsAnew() throws Exception {
    MockResponse conflict =
        TestServer.json(
            409,
            "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"Conflict\",\"code\":409}");
    server.enqueue(answer("web", "7"), conflict, answer("web", "8"), answer("web", "9"));

    deployments.edit("web", object -> object.with(3L, "spec", "replicas"));

    assertThat(server.requestCount()).isEqualTo(4);
    assertThat(clock.sleeps())
        .singleElement(as(InstanceOfAssertFactories.DURATION))
        .isBetween(Duration.ofMillis(10), Duration.ofMillis(11));

    for (int i = 0; i < 5; i++) {
      server.enqueue(answer("web", "7"), conflict);
    }
    assertThatThrownBy(() -> deployments.edit("web", object -> object.with(3L, "spec", "replicas")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(server.requestCount()).isEqualTo(14);
  }

  @Test
  void editStatus_goesToTheStatus() throws Exception {
    server.enqueue(answer("web", "7"), answer("web", "8"));

    deployments.editStatus("web", object -> object.with(1L, "status", "replicas"));

    assertSent("GET /apis/apps/v1/namespaces/ns/deployments/web/status", "");
    assertPatch(
        "/status",
        "application/merge-patch+json",
        "{\"status\":{\"replicas\":1},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }
}
