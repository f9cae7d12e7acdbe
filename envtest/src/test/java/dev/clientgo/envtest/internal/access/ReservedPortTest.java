package dev.clientgo.envtest.internal.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReservedPortTest {

  @Test
  void release_serverListensAndStops_staysReserved() throws IOException {
    try (ReservedPort port = ReservedPort.of(0)) {
      for (int round = 0; round < 3; round++) {
        assertRefused(port.number());

        port.release();
        try (ServerSocket server = listen(port.number(), true);
            Socket client = new Socket(InetAddress.getLoopbackAddress(), port.number());
            Socket accepted = server.accept()) {
          client.getOutputStream().write(7);
          assertThat(accepted.getInputStream().read()).isEqualTo(7);
        }
        port.reserveAgain();
      }
    }
  }

  /** Such as the copy of a listener in a process that is about to start. */
  @Test
  void listen_whileAnOlderListenerHasThePort_waits() throws IOException {
    AtomicInteger refused = new AtomicInteger();
    try (ReservedPort port = ReservedPort.of(0)) {
      port.release();
      ServerSocket older = listen(port.number(), true);

      ReservedPort.listen(
          () -> {
            try {
              listen(port.number(), true).close();
            } catch (BindException e) {
              refused.incrementAndGet();
              older.close();
              throw e;
            }
          });
    }
    assertThat(refused).hasValue(1);
  }

  private static void assertRefused(int port) {
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
    assertThatThrownBy(() -> listen(port, false).close()).isInstanceOf(BindException.class);
  }

  private static ServerSocket listen(int port, boolean reuse) throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(reuse);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  @Test
  void close_releasesThePort() {
    assertThat(IntStream.range(0, 5).anyMatch(i -> givesUp(ReservedPort.of(0))))
        .as("another process may be faster, but not each time")
        .isTrue();
  }

  private static boolean givesUp(ReservedPort port) {
    assertThatThrownBy(() -> listen(port.number(), false)).isInstanceOf(BindException.class);
    port.close();
    port.close();
    try {
      listen(port.number(), true).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
