package dev.clientgo.remotecommand.portforward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ports of the pod {@code default/p}, which are those of this machine. */
@Timeout(300)
public abstract class PortForwardContract {

  private static final int SIZE = 1_000_000;

  /** Returns the client of the server. */
  protected abstract RESTClient client();

  /** Returns whether the protocol of this class passes on the end of one direction. */
  protected abstract boolean isSpdy();

  private PortForward toPod(String pod) {
    return PortForward.toPod(client(), "default", pod)
        .withProtocols(List.of(isSpdy() ? PortServer.SPDY : PortServer.V4));
  }

  private PortForward toPod() {
    return toPod("p");
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  /** Sends bytes in a separate thread. */
  private static CompletableFuture<Void> send(Socket socket, byte[] bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            socket.getOutputStream().write(bytes);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void assertEchoes(Socket socket, byte[] bytes) throws Exception {
    CompletableFuture<Void> sent = send(socket, bytes);
    assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
    sent.get();
  }

  @Test
  void connect_toAPort_passesEachByteBothWays() throws Exception {
    try (PodProgram echo = PodProgram.echo()) {
      try (Socket socket = toPod().connect(echo.port())) {
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.getPort()).isEqualTo(echo.port());
        assertEchoes(socket, random(SIZE));
      }
      echo.awaitNoConnections();
    }
  }

  @Test
  void connect_toAPodThatEnds_readsToTheEnd() throws Exception {
    byte[] content = random(SIZE);
    try (PodProgram speaker = new PodProgram(pod -> pod.getOutputStream().write(content));
        Socket socket = toPod().connect(speaker.port())) {
      assertThat(socket.getInputStream().readAllBytes()).isEqualTo(content);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void connect_closedAfterAWrite_sendsAll() throws Exception {
    CompletableFuture<byte[]> got = new CompletableFuture<>();
    try (PodProgram reader =
        new PodProgram(pod -> got.complete(pod.getInputStream().readAllBytes()))) {
      try (Socket socket = toPod().connect(reader.port())) {
        socket.getOutputStream().write(random(SIZE));
      }
      assertThat(got.get()).isEqualTo(random(SIZE));
    }
  }

  @Test
  void shutdownOutput_reachesThePodOrSaysThatItCannot() throws Exception {
    try (PodProgram counter =
            new PodProgram(
                pod -> {
                  int size = pod.getInputStream().readAllBytes().length;
                  pod.getOutputStream().write(("got " + size).getBytes(UTF_8));
                });
        Socket socket = toPod().connect(counter.port())) {
      socket.getOutputStream().write(new byte[100_000]);
      if (isSpdy()) {
        socket.shutdownOutput();
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
            .isEqualTo("got 100000");
        assertThatThrownBy(() -> socket.getOutputStream().write(1))
            .isInstanceOf(SocketException.class);
      } else {
        assertThatThrownBy(socket::shutdownOutput)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("v4.channel.k8s.io, which cannot end one direction");
      }
    }
  }

  @Test
  void connect_toAPortWhereNothingListens_failsAtTheFirstRead() throws Exception {
    int port = PodProgram.unusedPort();
    try (Socket socket = toPod().connect(port)) {
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(IOException.class)
          .hasCauseInstanceOf(PortForwardException.class)
          .cause()
          .isInstanceOfSatisfying(
              PortForwardException.class,
              e -> {
                assertThat(e.pod()).isEqualTo("p");
                assertThat(e.port()).isEqualTo(port);
              })
          .hasMessageContaining("port " + port + " of the pod default/p: ")
          .hasMessageContaining("refused");
    }
  }

  @Test
  void connect_toAPodThatResets_isNoEnd() throws Exception {
    try (PodProgram resetting =
            new PodProgram(
                pod -> {
                  pod.getOutputStream().write(new byte[1000]);
                  pod.getInputStream().read();
                  pod.setSoLinger(true, 0);
                });
        Socket socket = toPod().connect(resetting.port())) {
      assertThat(socket.getInputStream().readNBytes(1000)).hasSize(1000);
      socket.getOutputStream().write(1);

      assertThatThrownBy(() -> socket.getInputStream().read())
          .hasCauseInstanceOf(PortForwardException.class);
    }
  }

  @Test
  void connect_toAnUnknownPod_throwsTheErrorOfTheServer() {
    assertThatThrownBy(() -> toPod("none").connect(80))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
    assertThatThrownBy(() -> toPod("none").listen(":80"))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
    assertThatThrownBy(() -> toPod("none").socketFactory().createSocket("any", 80))
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(ApiStatusException.class);
  }

  @Test
  void read_withATimeout_throwsAndGoesOn() throws Exception {
    try (PodProgram echo = PodProgram.echo();
        Socket socket = toPod().connect(echo.port())) {
      socket.setSoTimeout(20);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);

      socket.setSoTimeout(60_000);
      assertEchoes(socket, new byte[] {1, 2, 3});
    }
  }

  @Test
  void read_ofAnInterruptedThread_ends() throws Exception {
    try (PodProgram echo = PodProgram.echo();
        Socket socket = toPod().connect(echo.port())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void close_ofASocket_wakesItsReader() throws Exception {
    try (PodProgram echo = PodProgram.echo();
        Socket socket = toPod().connect(echo.port())) {
      CompletableFuture<Integer> read =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return socket.getInputStream().read();
                } catch (IOException e) {
                  return -2;
                }
              });
      close(socket);

      assertThat(read.get()).isEqualTo(-2);
      echo.awaitNoConnections();
    }
  }

  @Test
  void socketFactory_ofAnHttpClient_reachesThePod() throws Exception {
    try (MockWebServer server = new MockWebServer()) {
      server.start();
      for (int i = 0; i < 3; i++) {
        server.enqueue(new MockResponse.Builder().body("page " + i).build());
      }
      OkHttpClient http = new OkHttpClient.Builder().socketFactory(toPod().socketFactory()).build();
      for (int i = 0; i < 3; i++) {
        assertThat(get(http, "http://localhost:" + server.getPort() + "/" + i))
            .isEqualTo("page " + i);
      }
      http.connectionPool().evictAll();
    }
  }

  @Test
  void listener_ofAnHttpClient_reachesThePod() throws Exception {
    try (MockWebServer server = new MockWebServer()) {
      server.start();
      server.enqueue(new MockResponse.Builder().body("page").build());
      try (PortForwarder forwarder = toPod().listen(":" + server.getPort())) {
        int port = forwarder.localPort(server.getPort());
        OkHttpClient http = new OkHttpClient();
        assertThat(get(http, "http://127.0.0.1:" + port)).isEqualTo("page");
        http.connectionPool().evictAll();
      }
    }
  }

  private static String get(OkHttpClient http, String url) throws IOException {
    try (Response response = http.newCall(new Request.Builder().url(url).build()).execute()) {
      return response.body().string();
    }
  }

  @Test
  void listener_forwardsManyPortsAndConnectionsAtEachAddress() throws Exception {
    try (PodProgram first = PodProgram.echo();
        PodProgram second = new PodProgram(pod -> pod.getOutputStream().write(7));
        PortForwarder forwarder = toPod().listen(":" + first.port(), ":" + second.port())) {
      assertThat(forwarder.ports()).hasSize(2);
      List<Thread> threads = new ArrayList<>();
      List<Throwable> errors = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        int size = i * 10_000;
        for (InetSocketAddress address : forwarder.addresses()) {
          Thread thread =
              PodProgram.daemon(
                  () -> {
                    try {
                      check(address, forwarder.localPort(first.port()), size);
                    } catch (Throwable e) {
                      synchronized (errors) {
                        errors.add(e);
                      }
                    }
                  });
          threads.add(thread);
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(errors).isEmpty();
    }
  }

  private static void check(InetSocketAddress address, int echoPort, int size) throws Exception {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      if (address.getPort() == echoPort) {
        assertEchoes(socket, random(size));
      } else {
        assertThat(socket.getInputStream().readAllBytes()).containsExactly(7);
      }
    }
  }

  @Test
  void listener_whoseClientDoesNotRead_servesTheOthers() throws Exception {
    try (PodProgram endless =
            new PodProgram(
                pod -> {
                  OutputStream out = pod.getOutputStream();
                  while (true) {
                    out.write(new byte[100_000]);
                  }
                });
        PodProgram echo = PodProgram.echo();
        PortForwarder forwarder = toPod().listen(":" + endless.port(), ":" + echo.port());
        Socket lazy = local(forwarder, endless.port());
        Socket other = local(forwarder, echo.port())) {
      assertThat(lazy.getInputStream().read()).isZero();
      assertEchoes(other, random(SIZE));
      close(lazy);
      endless.awaitNoConnections();
    }
  }

  /** Closes a socket early, which a {@code try} block closes again. */
  private static void close(Socket socket) throws IOException {
    socket.close();
  }

  private static Socket local(PortForwarder forwarder, int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), forwarder.localPort(port));
  }

  @Test
  void listener_toAPortWhereNothingListens_resetsTheClientAndGoesOn() throws Exception {
    int port = PodProgram.unusedPort();
    RecordingListener events = new RecordingListener();
    try (PodProgram echo = PodProgram.echo();
        PortForwarder forwarder =
            toPod().withListener(events).listen(":" + port, ":" + echo.port());
        Socket good = local(forwarder, echo.port());
        Socket bad = local(forwarder, port)) {
      assertThatThrownBy(() -> bad.getInputStream().read()).isInstanceOf(SocketException.class);
      assertThat(events.awaitError()).isInstanceOf(PortForwardException.class);
      assertEchoes(good, random(1000));
    }
  }

  @Test
  void listener_passesOnTheEndOfAClient() throws Exception {
    if (!isSpdy()) {
      return; // The pod cannot be told.
    }
    RecordingListener events = new RecordingListener();
    try (PodProgram echo = PodProgram.echo();
        PortForwarder forwarder = toPod().withListener(events).listen(":" + echo.port());
        Socket socket = local(forwarder, echo.port())) {
      byte[] content = random(SIZE);
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(
              () -> {
                try (InputStream in = new ByteArrayInputStream(content)) {
                  in.transferTo(socket.getOutputStream());
                  socket.shutdownOutput();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(socket.getInputStream().readAllBytes()).isEqualTo(content);
      sent.get();
      assertThat(events.ends.poll(60, TimeUnit.SECONDS)).isEqualTo("closed");
    }
  }

  @Test
  void close_ofAListener_endsBothSides() throws Exception {
    try (PodProgram echo = PodProgram.echo()) {
      PortForwarder forwarder =
          toPod().withTimeout(Duration.ofMinutes(1)).listen(":" + echo.port());
      try (Socket socket = local(forwarder, echo.port())) {
        assertEchoes(socket, random(1000));

        forwarder.close();
        forwarder.close();

        assertThatThrownBy(() -> socket.getInputStream().read())
            .isInstanceOf(SocketException.class);
        echo.awaitNoConnections();
        // Another program may listen at the port by now, but it leads to the pod no more.
        assertThatThrownBy(
                () -> {
                  try (Socket late = local(forwarder, echo.port())) {
                    late.setSoTimeout(10_000);
                    assertEchoes(late, random(1000));
                  }
                })
            .isInstanceOfAny(IOException.class, AssertionError.class);
      }
    }
  }

  /** Records how connections end. */
  static final class RecordingListener implements PortForwarder.Listener {
    final BlockingQueue<Object> ends = new LinkedBlockingQueue<>();

    @Override
    public void closed(ForwardedPort port, SocketAddress client) {
      ends.add("closed");
    }

    @Override
    public void failed(ForwardedPort port, SocketAddress client, Exception error) {
      ends.add(error);
    }

    Object awaitError() throws InterruptedException {
      return ends.poll(60, TimeUnit.SECONDS);
    }
  }
}
