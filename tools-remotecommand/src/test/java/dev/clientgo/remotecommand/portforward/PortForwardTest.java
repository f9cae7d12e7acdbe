package dev.clientgo.remotecommand.portforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.FakeKubelet;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract with a server of this test, in both protocols. */
final class PortForwardTest {

  private static FakeKubelet kubelet;
  private static RESTClient client;

  @BeforeAll
  static void start() throws IOException {
    kubelet = new FakeKubelet(new PortServer());
    client = RESTClient.create(kubelet.config());
  }

  /** The client and the connections that it has left end here. */
  @AfterAll
  static void stop() throws Exception {
    client.close();
    kubelet.awaitNoConnections();
    kubelet.close();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("client-go-portforward-")) {
        thread.join(30_000);
        assertThat(thread.isAlive()).describedAs(thread.getName()).isFalse();
      }
    }
  }

  @Nested
  final class Spdy extends PortForwardContract {
    @Override
    protected RESTClient client() {
      return client;
    }

    @Override
    protected boolean isSpdy() {
      return true;
    }
  }

  @Nested
  final class Channels extends PortForwardContract {
    @Override
    protected RESTClient client() {
      return client;
    }

    @Override
    protected boolean isSpdy() {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connection_thatIsNotRead_holdsABufferOfFixedSize(boolean spdy) throws Exception {
    long much = 64L << 20; // More than the buffers of the sockets on the way hold.
    AtomicLong sent = new AtomicLong();
    byte[] piece = new byte[32 * 1024];
    try (PodProgram program =
        new PodProgram(
            pod -> {
              while (sent.get() < much) {
                pod.getOutputStream().write(piece);
                sent.addAndGet(piece.length);
              }
            })) {
      PortForward forward = PortForward.toPod(client, "default", "p");
      PortForward chosen = spdy ? forward : forward.withProtocols(List.of(PortServer.V4));
      try (Socket socket = chosen.connect(program.port())) {
        InputStream in = socket.getInputStream();
        Poll.every(Duration.ofMillis(10))
            .atMost(Duration.ofSeconds(60))
            .until(() -> in.available() == 64 * 1024);

        assertThat(sent.get()).isLessThan(much);
        assertThat(in.transferTo(OutputStream.nullOutputStream())).isEqualTo(much);
      }
    }
  }

  /** Waits as long as it takes for threads to end, and notes if one does not. */
  private static final class PatientClock implements Clock {
    private final Clock system = Clock.system();
    private final List<Boolean> ended = new CopyOnWriteArrayList<>();

    @Override
    public Instant now() {
      return system.now();
    }

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return system.await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      system.sleep(duration);
    }

    @Override
    public boolean join(List<Thread> threads, Duration timeout) throws InterruptedException {
      boolean all = system.join(threads, Duration.ofSeconds(20));
      ended.add(all);
      return all;
    }
  }

  /** Each would cost a second: the thread that writes to it cannot be interrupted. */
  @Test
  void close_whileAClientDoesNotRead_doesNotWaitForIt() throws Exception {
    PatientClock clock = new PatientClock();
    AtomicLong sent = new AtomicLong();
    byte[] piece = new byte[32 * 1024];
    try (PodProgram program =
        new PodProgram(
            pod -> {
              while (true) {
                pod.getOutputStream().write(piece);
                sent.addAndGet(piece.length);
              }
            })) {
      PortForward forward = PortForward.toPod(client, "default", "p").withClock(clock);
      PortForwarder forwarder = forward.listen(":" + program.port());
      clock.ended.clear();
      try (forwarder;
          Socket socket =
              new Socket(InetAddress.getLoopbackAddress(), forwarder.localPort(program.port()))) {
        assertThat(socket.getInputStream().read()).isZero();
        AtomicLong before = new AtomicLong();
        Poll.every(Duration.ofMillis(200))
            .atMost(Duration.ofSeconds(60))
            .until(() -> before.getAndSet(sent.get()) == sent.get()); // All buffers are full.
        forwarder.close();
      }
      assertThat(clock.ended).isNotEmpty().doesNotContain(false);
    }
  }

  @Test
  void listen_atATakenPort_namesItAndLeavesNothingOpen() throws Exception {
    PortForward forward =
        PortForward.toPod(client, "default", "p").withAddresses(InetAddress.getLoopbackAddress());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> forward.listen(":80", taken.getLocalPort() + ":80"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "cannot listen at port " + taken.getLocalPort() + " of 127.0.0.1: ");
    }
  }

  @Test
  void parse_readsTheNotationOfKubectl() {
    assertThat(ForwardedPort.parse("8080:80")).isEqualTo(new ForwardedPort(8080, 80));
    assertThat(ForwardedPort.parse("80")).isEqualTo(new ForwardedPort(80, 80));
    assertThat(ForwardedPort.parse(":80")).isEqualTo(new ForwardedPort(0, 80));
    assertThat(ForwardedPort.parse("0:80").toString()).isEqualTo("0:80");
    assertThat(ForwardedPort.parse("8080:http"))
        .isEqualTo(new ForwardedPort(8080, IntOrString.of("http")));
    assertThat(ForwardedPort.parse(":http").toString()).isEqualTo("0:http");
    for (String wrong :
        new String[] {
          "", ":", "80:", "x:80", "http:80", "80:-a", "80:A", "-1:80", "65536", "1:0", "http"
        }) {
      assertThatThrownBy(() -> ForwardedPort.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
