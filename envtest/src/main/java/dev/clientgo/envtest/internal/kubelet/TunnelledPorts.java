package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.http.Pipe;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.http.UpgradedSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** SPDY in binary messages of a WebSocket, cut anywhere: {@code SPDY/3.1+portforward.k8s.io}. */
final class TunnelledPorts implements Response.Upgrade {

  private final PortTarget target;

  TunnelledPorts(PortTarget target) {
    this.target = target;
  }

  @Override
  public void speak(UpgradedSocket socket) throws IOException, InterruptedException {
    ServerWebSocket webSocket = new ServerWebSocket(socket);
    Pipe bytes = new Pipe(Clock.system(), () -> {});
    Thread ports = new Thread(() -> serve(bytes, webSocket), "envtest-ports");
    ports.start();
    socket.onGone(
        () -> {
          bytes.close();
          ports.interrupt();
        });
    try {
      webSocket.receive(
          (first, part, length) -> {
            bytes.write(Arrays.copyOf(part, length));
            bytes.flush();
          });
    } finally {
      bytes.end(null);
      ports.interrupt();
      ports.join();
    }
  }

  private void serve(Pipe bytes, ServerWebSocket webSocket) {
    SpdyPorts ports = new SpdyPorts(target);
    try (SpdyConnection connection = new SpdyConnection(bytes.in(), new Messages(webSocket))) {
      try {
        connection.receive(ports);
      } finally {
        ports.clientGone();
      }
      webSocket.close();
    } catch (IOException e) {
      webSocket.cut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The client is gone.
    } finally {
      bytes.close();
    }
  }

  /** Sends each write as one message. */
  private static final class Messages extends OutputStream {
    private final ServerWebSocket webSocket;

    Messages(ServerWebSocket webSocket) {
      this.webSocket = webSocket;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      webSocket.send(bytes, offset, length);
    }
  }
}
