package dev.clientgo.rest;

import dev.clientgo.clock.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Carries bytes to a server until it is frozen, when its connections stay up and say nothing, or
 * turned to another server, as if that had come up in the place of the first.
 */
final class FreezingProxy implements AutoCloseable {

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private volatile int target;

  FreezingProxy(int target) throws IOException {
    this.target = target;
    DaemonThreads.named("freezing-proxy").newThread(this::accept).start();
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Freezes the connections that there are; those to come are carried. */
  void freeze() {
    connections.forEach(connection -> connection.frozen = true);
  }

  /** Cuts the connections that there are; those to come lead to another server. */
  void turnTo(int target) throws IOException {
    this.target = target;
    for (Connection connection : connections) {
      connection.close();
    }
  }

  private static final class Connection implements AutoCloseable {
    private final Socket client;
    private final Socket server;
    private volatile boolean frozen;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void copy(Socket from, Socket to) {
      byte[] buffer = new byte[8192];
      try (this) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (!frozen) {
            out.write(buffer, 0, read);
          }
        }
      } catch (IOException e) {
        // Closed by one of the ends.
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Connection connection =
            new Connection(client, new Socket(InetAddress.getLoopbackAddress(), target));
        connections.add(connection);
        DaemonThreads.named("freezing-up")
            .newThread(() -> connection.copy(connection.client, connection.server))
            .start();
        DaemonThreads.named("freezing-down")
            .newThread(() -> connection.copy(connection.server, connection.client))
            .start();
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
