package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.internal.net.Timeouts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for one object. */
@Timeout(300)
final class AwaitTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final FakeClock clock = FakeClock.create();
  private TestServer server;
  private RESTClient client;
  private ResourceClient<Unstructured> things;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD);
    things = client.dynamic(new GroupVersionResource("", "v1", "things"));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String thing(String version, boolean ready) {
    return "{\"kind\":\"Thing\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"t\",\"resourceVersion\":\""
        + version
        + "\"},\"ready\":"
        + ready
        + "}";
  }

  private static MockResponse list(String version, String items) {
    return TestServer.json(
        200,
        "{\"kind\":\"ThingList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
            + version
            + "\"},\"items\":["
            + items
            + "]}");
  }

  private static MockResponse events(String... events) {
    return TestServer.json(200, String.join("\n", events));
  }

  private static String event(String type, String object) {
    return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
  }

  private static boolean isReady(Optional<Unstructured> thing) {
    return thing.flatMap(it -> it.nestedBoolean("ready")).orElse(false);
  }

  @Test
  void object_thatIsAsItShouldBe_isReturnedAtOnce() throws Exception {
    server.enqueue(list("5", thing("3", true)));

    assertThat(things.await("t", AwaitTest::isReady, MINUTE)).isPresent();
    assertThat(server.takeRequest().getTarget())
        .isEqualTo("/api/v1/things?fieldSelector=metadata.name%3Dt");
  }

  @Test
  void object_thatBecomesSo_isReturned() throws Exception {
    server.enqueue(
        list("5", thing("3", false)),
        events(event("MODIFIED", thing("6", false)), event("MODIFIED", thing("7", true))));

    Optional<Unstructured> ready = things.await("t", AwaitTest::isReady, MINUTE);

    assertThat(ready.orElseThrow().metadata().resourceVersion()).isEqualTo("7");
    server.takeRequest();
    assertThat(server.takeRequest().getTarget())
        .isEqualTo(
            "/api/v1/things?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dt"
                + "&resourceVersion=5&watch=true");
  }

  /** Otherwise it would wait for the rest of its time, for nothing. */
  @Test
  void clientThatIsClosed_endsTheWait() throws Exception {
    server.enqueue(list("5", ""), TestServer.json(200, ""));

    assertThatThrownBy(
            () ->
                things.await(
                    "t",
                    thing -> {
                      client.close();
                      return false;
                    },
                    MINUTE))
        .isInstanceOf(TransportException.class)
        .hasMessage("the client is closed");
  }

  @Test
  void object_thatComesAndGoes_isSeen() throws Exception {
    server.enqueue(
        list("5", ""),
        events(event("ADDED", thing("6", false)), event("DELETED", thing("7", false))));
    boolean[] seen = new boolean[1];

    Optional<Unstructured> gone =
        things.await(
            "t",
            thing -> {
              seen[0] |= thing.isPresent();
              return seen[0] && thing.isEmpty();
            },
            MINUTE);

    assertThat(gone).isEmpty();
  }

  @Test
  void forgottenVersion_beginsAnew() throws Exception {
    String expired =
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":410,\"reason\":\"Expired\","
            + "\"status\":\"Failure\"}";
    server.enqueue(list("5", ""), events(event("ERROR", expired)), list("9", thing("8", true)));

    assertThat(things.await("t", AwaitTest::isReady, MINUTE)).isPresent();
  }

  @Test
  void deadline_saysHowTheObjectWas() throws Exception {
    EndlessBody body = new EndlessBody(TestServer.Wire.HTTP_1_1);
    server.enqueue(list("5", thing("3", false)), body.response());
    TestThread<Optional<Unstructured>> waiting =
        TestThread.start(() -> things.await("t", AwaitTest::isReady, MINUTE));
    clock.awaitWaiters(1);
    server.takeRequest();
    RecordedRequest watch = server.takeRequest();
    assertThat(watch.getTarget()).contains("watch=true");

    clock.advance(MINUTE);

    assertThat(waiting.failure())
        .isInstanceOf(TimeoutException.class)
        .hasMessage(
            "t of things did not meet the condition in time; it exists, at resourceVersion 3");
    body.end();
  }

  @Test
  void interrupt_endsTheWait() throws Exception {
    EndlessBody body = new EndlessBody(TestServer.Wire.HTTP_1_1);
    server.enqueue(list("5", ""), body.response());
    TestThread<Optional<Unstructured>> waiting =
        TestThread.start(() -> things.await("t", AwaitTest::isReady, MINUTE));
    server.takeRequest();
    server.takeRequest();

    waiting.interrupt();

    assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    assertThat(client.transport().openResponses()).isZero();
    body.end();
  }
}
