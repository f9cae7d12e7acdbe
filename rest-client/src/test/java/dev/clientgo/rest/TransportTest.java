package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.internal.net.Timeouts;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Many calls at once, and what is left when they are over. */
@Timeout(300)
final class TransportTest {

  /** Answers each request with a body that stays open. */
  private static final class Endless extends Dispatcher {
    private final TestServer.Wire wire;
    private final List<EndlessBody> bodies = new ArrayList<>();

    Endless(TestServer.Wire wire) {
      this.wire = wire;
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
      EndlessBody body = new EndlessBody(wire).send("x");
      synchronized (bodies) {
        bodies.add(body);
      }
      return body.response();
    }

    void end() {
      synchronized (bodies) {
        bodies.forEach(EndlessBody::end);
      }
    }
  }

  /** TestTransportConcurrency, and no limit. */
  @ParameterizedTest
  @EnumSource
  void stream_ofManyThreads_isNotLimited(TestServer.Wire wire) throws Exception {
    int watches = 100;
    Endless endless = new Endless(wire);
    CountDownLatch open = new CountDownLatch(watches);
    CountDownLatch one = new CountDownLatch(1);
    try (TestServer server = TestServer.start(wire);
        RESTClient client = RESTClient.create(server.config().build())) {
      server.mock().setDispatcher(endless);
      List<TestThread<Integer>> threads = new ArrayList<>();
      for (int i = 0; i < watches; i++) {
        threads.add(
            TestThread.start(
                () -> {
                  try (InputStream in = client.get().absPath("/w").stream()) {
                    int first = in.read();
                    open.countDown();
                    one.countDown();
                    in.read();
                    return first;
                  }
                }));
        // Two that find no connection may make one each, and keep it.
        assertThat(one.await(60, TimeUnit.SECONDS)).isTrue();
      }

      assertThat(open.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(client.transport().openResponses()).isEqualTo(watches);
      Set<Integer> connections = new HashSet<>();
      for (int i = 0; i < watches; i++) {
        connections.add(server.takeRequest().getConnectionIndex());
      }
      assertThat(connections).hasSize(wire == TestServer.Wire.HTTP_2 ? 1 : watches);

      endless.end();
      for (TestThread<Integer> thread : threads) {
        assertThat(thread.result()).isEqualTo('x');
      }
      assertThat(client.transport().openResponses()).isZero();
    }
  }

  @Test
  void close_leavesNoConnectionAndNoThreadThatKeepsTheProgramAlive() throws Exception {
    TestServer server = TestServer.start(TestServer.Wire.HTTP_2);
    RESTClient client = RESTClient.create(server.config().build());
    server.always(TestServer.json(200, "{}"));
    client.get().absPath("/x").execute();
    assertThat(client.transport().connections()).isEqualTo(1);

    client.close();
    client.close();
    server.close();

    assertThat(client.transport().connections()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().matches("(?i).*(okhttp|okio|client-go).*"))
        .filteredOn(thread -> !thread.getName().contains("MockWebServer"))
        .allMatch(Thread::isDaemon);
  }

  /** TestReuseRequest. */
  @ParameterizedTest
  @EnumSource
  void connection_isUsedAgain(TestServer.Wire wire) throws Exception {
    try (TestServer server = TestServer.start(wire).always(TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build())) {
      for (int i = 0; i < 5; i++) {
        client.get().absPath("/x").execute();
        assertThat(server.takeRequest().getConnectionIndex()).isZero();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"DISABLE_HTTP2, 1, HTTP/1.1", "DISABLE_HTTP2, '', HTTP/2", "OTHER, 1, HTTP/2"})
  void http2_isSpokenUnlessTheEnvironmentForbidsIt(String name, String value, String protocol)
      throws Exception {
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_2).enqueue(TestServer.json(200, "{}"));
        RESTClient client =
            RESTClient.builder(server.config().build(), Map.of(name, value)).build()) {
      client.get().absPath("/x").execute();

      assertThat(server.takeRequest().getVersion()).isEqualTo(protocol);
    }
  }

  /**
   * TestHTTP1DoNotReuseRequestAfterTimeout: an answer that is still to come would be taken for that
   * to the next request; HTTP/2 tells them apart.
   */
  @ParameterizedTest
  @EnumSource
  void timeout_leavesNoConnectionOnWhichAnAnswerIsDue(TestServer.Wire wire) throws Exception {
    Patience.grow(Duration.ofMillis(250), timeout -> isAskedBeforeATimeout(wire, timeout));
  }

  /** Returns whether the server was asked at all before the time was up. */
  private static boolean isAskedBeforeATimeout(TestServer.Wire wire, Duration timeout)
      throws Exception {
    EndlessBody late = new EndlessBody(wire);
    try (TestServer server =
            TestServer.start(wire)
                .enqueue(TestServer.json(200, "{}"), late.response(), TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build())) {
      client.get().absPath("/a").execute();
      assertThatThrownBy(() -> client.get().absPath("/hang").timeout(timeout).execute())
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT));
      if (server.requestCount() == 1) {
        return false;
      }
      client.get().absPath("/b").execute();
      late.end();

      assertThat(server.takeRequest().getConnectionIndex()).isZero();
      assertThat(server.takeRequest().getConnectionIndex()).isZero();
      assertThat(server.takeRequest().getConnectionIndex())
          .isEqualTo(wire == TestServer.Wire.HTTP_2 ? 0 : 1);
      return true;
    }
  }

  /** TestReconnectBrokenTCPInFlight_HTTP1: a connection that is in use is not taken. */
  @Test
  void callThatHangs_doesNotHoldUpTheNext() throws Exception {
    EndlessBody hanging = new EndlessBody(TestServer.Wire.HTTP_1_1_TLS);
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_1_1_TLS)
                .enqueue(hanging.response(), TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build())) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/hang").execute());
      assertThat(server.takeRequest().getTarget()).isEqualTo("/hang");

      assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
      assertThat(server.takeRequest().getConnectionIndex()).isEqualTo(1);

      call.awaitIn("read").interrupt();
      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      hanging.end();
    }
  }

  /** TestReconnectBrokenTCP: a peer that is gone without a word answers no ping. */
  @Test
  void ping_withoutAnAnswer_endsTheCall_andTheNextHasAnotherConnection() throws Exception {
    Timeouts often =
        new Timeouts(
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(90),
            Duration.ofMillis(500));
    Endless endless = new Endless(TestServer.Wire.HTTP_2);
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2);
        FreezingProxy proxy = new FreezingProxy(server.mock().getPort());
        RESTClient client =
            RESTClient.create(
                server.config().server("https://127.0.0.1:" + proxy.port()).build(),
                Clock.system(),
                often)) {
      server
          .mock()
          .setDispatcher(
              new Dispatcher() {
                @Override
                public MockResponse dispatch(RecordedRequest request) {
                  return request.getTarget().equals("/w")
                      ? endless.dispatch(request)
                      : TestServer.json(200, "{}");
                }
              });
      // On a busy machine a ping may be lost before the proxy freezes.
      assertThatThrownBy(
              () -> {
                try (InputStream in = client.get().absPath("/w").stream()) {
                  in.read();
                  proxy.freeze();
                  in.read();
                }
              })
          .isInstanceOfAny(IOException.class, TransportException.class);
      endless.end();

      assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
      assertThat(server.takeRequest().getConnectionIndex()).isZero();
      assertThat(server.takeRequest().getConnectionIndex()).isPositive();
    }
  }

  @Test
  void connections_ofManyCallers_areUsedAgain() throws Exception {
    int callers = 40;
    CyclicBarrier allAreHere = new CyclicBarrier(callers);
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client = RESTClient.create(server.config().build())) {
      server.mock().setDispatcher(answering(allAreHere));
      Set<Integer> connections = new HashSet<>();
      for (int round = 0; round < 2; round++) {
        List<TestThread<Result>> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
          threads.add(TestThread.start(() -> client.get().absPath("/x").execute()));
        }
        for (TestThread<Result> thread : threads) {
          assertThat(thread.result().statusCode()).isEqualTo(200);
          connections.add(server.takeRequest().getConnectionIndex());
        }
      }

      assertThat(connections).hasSize(callers);
    }
  }

  private static Dispatcher answering(CyclicBarrier barrier) {
    return new Dispatcher() {
      @Override
      public MockResponse dispatch(RecordedRequest request) throws InterruptedException {
        try {
          barrier.await(60, TimeUnit.SECONDS);
        } catch (BrokenBarrierException | TimeoutException e) {
          throw new IllegalStateException(e);
        }
        return TestServer.json(200, "{}");
      }
    };
  }

  /** A server that goes down sends GOAWAY; requests that it has not begun move on. */
  @Test
  void goAway_movesRequestsToAnotherConnection() throws Exception {
    MockResponse goAway =
        TestServer.json(200, "{}")
            .newBuilder()
            .onResponseEnd(mockwebserver3.SocketEffect.ShutdownConnection.INSTANCE)
            .build();
    try (TestServer server =
            TestServer.start(TestServer.Wire.HTTP_2)
                .enqueue(goAway, TestServer.json(200, "{}"), TestServer.json(200, "{}"));
        RESTClient client = RESTClient.create(server.config().build())) {
      client.get().absPath("/a").execute();
      client.post().absPath("/b").body(new byte[] {'1'}, "text/plain").execute();
      client.get().absPath("/c").execute();

      assertThat(server.takeRequest().getConnectionIndex()).isZero();
      assertThat(server.takeRequest().getTarget()).isEqualTo("/b");
      assertThat(server.takeRequest().getTarget()).isEqualTo("/c");
    }
  }
}
