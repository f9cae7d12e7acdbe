package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import okio.Buffer;
import okio.BufferedSink;
import okio.ByteString;
import okio.GzipSink;
import okio.Okio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A watch from the socket to the event. */
@Timeout(300)
final class StreamWatchTest {

  private static final String ADDED =
      "{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
          + "\"metadata\":{\"name\":\"a\"}}}\n";

  private static Watch<Unstructured> watch(RESTClient client) throws InterruptedException {
    return client.get().absPath("/w").watch(Unstructured.CODEC, DecodeContext.create());
  }

  private interface Scenario {
    void run(EndlessBody body, RESTClient client, Watch<Unstructured> watch) throws Exception;
  }

  private static void scenario(TestServer.Wire wire, Scenario scenario) throws Exception {
    EndlessBody body = new EndlessBody(wire);
    try (TestServer server = TestServer.start(wire).enqueue(body.send("\n").response());
        RESTClient client = RESTClient.create(server.config().build());
        Watch<Unstructured> watch = watch(client)) {
      scenario.run(body, client, watch);
      body.end();
    }
  }

  private static void assertName(Optional<WatchEvent<Unstructured>> event, String name) {
    assertThat(event)
        .hasValueSatisfying(
            e ->
                assertThat(e)
                    .isInstanceOfSatisfying(
                        WatchEvent.Added.class,
                        added ->
                            assertThat(((Unstructured) added.value()).metadata().name())
                                .isEqualTo(name)));
  }

  @ParameterizedTest
  @EnumSource
  void next_givesEachEventAsItComes(TestServer.Wire wire) throws Exception {
    scenario(
        wire,
        (body, client, watch) -> {
          body.send(ADDED);
          assertName(watch.next(), "a");

          body.send(ADDED.substring(0, 30)).send(ADDED.substring(30).replace("\"a\"", "\"b\""));
          assertName(watch.next(), "b");
        });
  }

  @ParameterizedTest
  @EnumSource
  void next_compressedAtEachFlush_givesEachEventAsItComes(TestServer.Wire wire) throws Exception {
    EndlessBody body = new EndlessBody(wire);
    MockResponse response =
        body.response().newBuilder().setHeader("Content-Encoding", "gzip").build();
    try (TestServer server = TestServer.start(wire).enqueue(response);
        RESTClient client = RESTClient.create(server.config().build());
        Watch<Unstructured> watch =
            client
                .get()
                .absPath("/w")
                .param("watch", "true")
                .watch(Unstructured.CODEC, DecodeContext.create())) {
      body.send(gzip(ADDED + ADDED.replace("\"a\"", "\"b\"")));
      assertName(watch.next(), "a");
      assertName(watch.next(), "b");

      body.send(gzip(ADDED.substring(0, 30))).send(gzip(ADDED.substring(30)));
      assertName(watch.next(), "a");

      body.end();
      assertThat(watch.next()).isEmpty();
      assertThat(server.takeRequest().getHeaders().get("Accept-Encoding")).isEqualTo("gzip");
    }
  }

  private static ByteString gzip(String text) throws IOException {
    Buffer compressed = new Buffer();
    try (BufferedSink gzip = Okio.buffer(new GzipSink(compressed))) {
      gzip.writeUtf8(text);
    }
    return compressed.readByteString();
  }

  @ParameterizedTest
  @EnumSource
  void next_whenTheServerEndsTheWatch_isEmpty(TestServer.Wire wire) throws Exception {
    scenario(
        wire,
        (body, client, watch) -> {
          body.send(ADDED).end();

          assertThat(watch.next()).isPresent();
          assertThat(watch.next()).isEmpty();
          assertThat(watch.next()).isEmpty();
          assertThat(client.transport().openResponses()).isZero();
        });
  }

  @ParameterizedTest
  @EnumSource
  void close_byAnotherThread_endsNext(TestServer.Wire wire) throws Exception {
    scenario(
        wire,
        (body, client, watch) -> {
          TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watch::next);
          next.awaitIn("next");

          watch.close();
          watch.close();

          assertThat(next.result()).isEmpty();
          assertThat(watch.next()).isEmpty();
          assertThat(client.transport().openResponses()).isZero();
        });
  }

  @ParameterizedTest
  @EnumSource
  void next_interrupted_throwsAndClosesTheWatch(TestServer.Wire wire) throws Exception {
    scenario(
        wire,
        (body, client, watch) -> {
          TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watch::next);
          next.awaitIn("next").interrupt();

          assertThat(next.failure()).isInstanceOf(InterruptedException.class);
          assertThat(watch.next()).isEmpty();
          assertThat(client.transport().openResponses()).isZero();
        });
  }

  @ParameterizedTest
  @EnumSource
  void clientClosed_endsNext(TestServer.Wire wire) throws Exception {
    scenario(
        wire,
        (body, client, watch) -> {
          TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watch::next);
          next.awaitIn("next");

          client.close();

          assertThat(next.result()).isEmpty();
          assertThat(client.transport().connections()).isZero();
        });
  }

  @Test
  void next_whenTheConnectionBreaksWithinAnEvent_isEmpty() throws Exception {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n";
    try (RawServer server = RawServer.start(RawServer.send(head + ADDED + ADDED.substring(0, 20)));
        RESTClient client = RESTClient.create(RestConfig.builder(server.url()).build());
        Watch<Unstructured> watch = watch(client)) {
      assertName(watch.next(), "a");
      assertThat(watch.next()).isEmpty();
    }
  }

  @Test
  void next_whenTheStreamEndsWithinAnEvent_isEmpty() throws Exception {
    scenario(
        TestServer.Wire.HTTP_2,
        (body, client, watch) -> {
          body.send(ADDED.substring(0, 20)).end();

          assertThat(watch.next()).isEmpty();
        });
  }

  /** TestDecoder in rest/watch: what cannot be understood is an event. */
  @Test
  void next_ofGarbage_isAFailureAndTheEnd() throws Exception {
    scenario(
        TestServer.Wire.HTTP_1_1,
        (body, client, watch) -> {
          body.send("<html>");

          assertThat(watch.next())
              .hasValueSatisfying(e -> assertThat(e).isInstanceOf(WatchEvent.Failed.class));
          assertThat(watch.next()).isEmpty();
        });
  }

  @Test
  void next_ofAnError_isItsStatus() throws Exception {
    scenario(
        TestServer.Wire.HTTP_1_1,
        (body, client, watch) -> {
          body.send(
              "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                  + "\"status\":\"Failure\",\"reason\":\"Expired\",\"code\":410}}");

          Consumer<WatchEvent.Failed<?>> expired =
              failed ->
                  assertThat(failed.error())
                      .isInstanceOfSatisfying(
                          ApiStatusException.class,
                          e -> assertThat(e.isResourceExpired()).isTrue());
          assertThat(watch.next())
              .hasValueSatisfying(
                  e ->
                      assertThat(e)
                          .isInstanceOfSatisfying(WatchEvent.Failed.class, expired::accept));
        });
  }

  /** TestRequestWatch: only 200 opens a watch. */
  @ParameterizedTest
  @CsvSource({"201", "204", "403", "500"})
  void watch_withAnotherStatus_isAnError(int code) throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1)
                .enqueue(TestServer.json(code, code == 204 ? "" : "{}"));
        RESTClient client = RESTClient.create(server.config().build())) {
      assertThatThrownBy(() -> watch(client))
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(code));
      assertThat(client.transport().openResponses()).isZero();
    }
  }

  /** TestRequestWatch, "server returns forbidden with json content". */
  @Test
  void watch_thatIsForbidden_saysWhy() throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1)
                .enqueue(
                    TestServer.json(
                        403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"secrets"
                            + " is forbidden\",\"reason\":\"Forbidden\",\"code\":403}"));
        RESTClient client = RESTClient.create(server.config().build())) {
      assertThatThrownBy(() -> watch(client))
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isForbidden()).isTrue())
          .hasMessage("secrets is forbidden");
    }
  }

  /** What HTTP/2 pings do for a connection, this does for a watch, on HTTP/1.1 too. */
  @ParameterizedTest
  @EnumSource
  void next_ofASilentWatch_isEmptyAfterTheIdleTimeout(TestServer.Wire wire) throws Exception {
    Patience.grow(Duration.ofMillis(200), idle -> endsAfterOneEvent(wire, idle));
  }

  /** Returns whether there was an event before the watch was silent for too long. */
  private static boolean endsAfterOneEvent(TestServer.Wire wire, Duration idle) throws Exception {
    EndlessBody body = new EndlessBody(wire).send(ADDED);
    try (TestServer server = TestServer.start(wire).enqueue(body.response());
        RESTClient client = RESTClient.create(server.config().watchIdleTimeout(idle).build());
        Watch<Unstructured> watch =
            client
                .get()
                .absPath("/w")
                .maxRetries(0)
                .watch(Unstructured.CODEC, DecodeContext.create())) {
      boolean told = watch.next().filter(WatchEvent.Added.class::isInstance).isPresent();
      assertThat(watch.next()).isEmpty();
      body.end();
      return told;
    }
  }

  @Test
  void watch_hasNoOverallTimeout() throws IOException, InterruptedException {
    EndlessBody body = new EndlessBody(TestServer.Wire.HTTP_1_1);
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1).enqueue(body.send(ADDED).response());
        RESTClient client =
            RESTClient.create(server.config().timeout(Duration.ofSeconds(1)).build());
        Watch<Unstructured> watch = watch(client)) {
      assertThat(watch.next()).isPresent();
      assertThat(server.takeRequest().getTarget()).isEqualTo("/w");
      body.end();
    }
  }
}
