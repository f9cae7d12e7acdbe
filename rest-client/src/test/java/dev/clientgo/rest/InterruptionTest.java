package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every place in which a call can block ends at once when its thread is interrupted. */
@Timeout(300)
final class InterruptionTest {

  private static RESTClient client(RestConfig config) {
    return RESTClient.create(config, Clock.system(), Timeouts.STANDARD);
  }

  @ParameterizedTest
  @EnumSource
  void execute_interruptedWhileItWaitsForHeaders_ends(TestServer.Wire wire) throws Exception {
    try (TestServer server = TestServer.start(wire);
        RESTClient client = client(server.config().build())) {
      server.enqueue(
          new MockResponse.Builder().onResponseStart(SocketEffect.Stall.INSTANCE).build());

      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      server.takeRequest();
      call.awaitIn("execute").interrupt();

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      assertThat(client.transport().openResponses()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void execute_interruptedWhileItReadsTheBody_ends(TestServer.Wire wire) throws Exception {
    EndlessBody body = new EndlessBody(wire).send("{");
    try (TestServer server = TestServer.start(wire).enqueue(body.response());
        RESTClient client = client(server.config().build())) {

      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("readAll").interrupt();

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      assertThat(client.transport().openResponses()).isZero();
      body.end();
    }
  }

  /** Nothing blocks when the body is there already, and yet the thread is to stop. */
  @ParameterizedTest
  @EnumSource
  void execute_interruptedBeforeItReadsTheBody_ends(TestServer.Wire wire) throws Exception {
    RequestMetrics interrupting =
        new RequestMetrics() {
          @Override
          public void attempted(Attempt attempt, int code, Duration latency) {
            Thread.currentThread().interrupt();
          }
        };
    try (TestServer server = TestServer.start(wire).enqueue(TestServer.json(200, "{}"));
        RESTClient client =
            RESTClient.builder(server.config().build()).metrics(interrupting).build()) {

      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      assertThat(client.transport().openResponses()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void stream_interruptedWhileItIsRead_throwsAndKeepsTheFlag(TestServer.Wire wire)
      throws Exception {
    EndlessBody body = new EndlessBody(wire).send("log");
    try (TestServer server = TestServer.start(wire).enqueue(body.response());
        RESTClient client = client(server.config().build())) {

      TestThread<Boolean> call =
          TestThread.start(
              () -> {
                try (InputStream log = client.get().absPath("/log").stream()) {
                  log.readNBytes(4);
                  return false;
                } catch (java.io.InterruptedIOException e) {
                  return Thread.interrupted();
                }
              });
      call.awaitIn("readNBytes").interrupt();

      assertThat(call.result()).isTrue();
      assertThat(client.transport().openResponses()).isZero();
      body.end();
    }
  }

  @ParameterizedTest
  @EnumSource
  void execute_threadInterruptedBefore_endsAndSendsNothing(TestServer.Wire wire) throws Exception {
    try (TestServer server = TestServer.start(wire);
        RESTClient client = client(server.config().build())) {

      TestThread<Result> call =
          TestThread.start(
              () -> {
                Thread.currentThread().interrupt();
                return client.get().absPath("/x").execute();
              });

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      assertThat(server.requestCount()).isZero();
    }
  }

  @Test
  void execute_interruptedDuringTheHandshake_ends() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        RESTClient client =
            client(RestConfig.builder("https://127.0.0.1:" + silent.getLocalPort()).build())) {

      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("startHandshake").interrupt();

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void execute_interruptedWhileItConnects_ends() throws Exception {
    InetAddress localhost = InetAddress.getLoopbackAddress();
    List<SocketChannel> queued = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, localhost)) {
      // Nobody accepts: the kernel queues a few connections and then ignores the rest.
      for (int i = 0; i < 8; i++) {
        SocketChannel channel = SocketChannel.open();
        queued.add(channel);
        channel.configureBlocking(false);
        channel.connect(new InetSocketAddress(localhost, full.getLocalPort()));
      }
      try (RESTClient client =
          client(RestConfig.builder("http://127.0.0.1:" + full.getLocalPort()).build())) {
        TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
        call.awaitIn("awaitTcpConnect").interrupt();
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
      }
    } finally {
      for (SocketChannel channel : queued) {
        channel.close();
      }
    }
  }

  /** The rejected design, sockets that are channels, would fail this. */
  @Test
  void execute_interruptedOnHttp2_leavesOtherCallsOfTheConnectionAlone() throws Exception {
    EndlessBody first = new EndlessBody(TestServer.Wire.HTTP_2).send("a");
    EndlessBody second = new EndlessBody(TestServer.Wire.HTTP_2).send("b");
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2);
        RESTClient client = client(server.config().build())) {
      server.enqueue(first.response(), second.response());

      try (InputStream watch = client.get().absPath("/first").stream()) {
        assertThat(watch.read()).isEqualTo('a');
        TestThread<Result> call = TestThread.start(() -> client.get().absPath("/2").execute());
        call.awaitIn("readAll").interrupt();
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);

        first.send("c").end();

        assertThat(watch.read()).isEqualTo('c');
        assertThat(watch.read()).isEqualTo(-1);
        assertThat(server.takeRequest().getConnectionIndex()).isEqualTo(0);
        assertThat(server.takeRequest().getConnectionIndex()).isEqualTo(0);
      }
      second.end();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_whileAnotherThreadReads_wakesIt(TestServer.Wire wire) throws Exception {
    EndlessBody body = new EndlessBody(wire).send("x");
    try (TestServer server = TestServer.start(wire).enqueue(body.response())) {
      RESTClient client = client(server.config().build());
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("readAll");

      client.close();

      assertThat(call.failure())
          .isInstanceOf(dev.clientgo.apimachinery.errors.TransportException.class);
      assertThat(client.transport().openResponses()).isZero();
      assertThat(client.transport().connections()).isZero();
      body.end();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_whileAnotherThreadWaitsForHeaders_leavesNoConnection(TestServer.Wire wire)
      throws Exception {
    try (TestServer server = TestServer.start(wire)) {
      server.enqueue(
          new MockResponse.Builder().onResponseStart(SocketEffect.Stall.INSTANCE).build());
      RESTClient client = client(server.config().build());
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      server.takeRequest();

      client.close();

      assertThat(call.failure())
          .isInstanceOf(dev.clientgo.apimachinery.errors.TransportException.class);
      assertThat(client.transport().connections()).isZero();
    }
  }
}
