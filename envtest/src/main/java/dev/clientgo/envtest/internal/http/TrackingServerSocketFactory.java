package dev.clientgo.envtest.internal.http;

import dev.clientgo.envtest.internal.access.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/**
 * Creates the socket that the server listens on, and tracks the connections that it accepts.
 *
 * <p>The number of a connection is its place in the order of acceptance, from 0, as in
 * MockWebServer. Safe for use by many threads.
 */
public final class TrackingServerSocketFactory extends ServerSocketFactory {

  private final Map<Integer, ClientConnection> open = new ConcurrentSkipListMap<>();
  private final AtomicInteger accepted = new AtomicInteger();

  /**
   * Returns an open connection.
   *
   * @throws IOException if the connection is closed
   */
  ClientConnection connection(int number) throws IOException {
    ClientConnection connection = open.get(number);
    if (connection == null) {
      throw new IOException("connection " + number + " is closed");
    }
    return connection;
  }

  /** Returns the open connections, the oldest first. */
  public List<ClientConnection> connections() {
    return List.copyOf(open.values());
  }

  private void track(ClientConnection connection) {
    int number = accepted.getAndIncrement();
    open.put(number, connection);
    connection.onGone(() -> open.remove(number));
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new ServerSocket() {
      @Override
      public void bind(SocketAddress address, int backlog) throws IOException {
        ReservedPort.listen(() -> super.bind(address, backlog));
      }

      @Override
      public Socket accept() throws IOException {
        ClientConnection connection = new ClientConnection();
        implAccept(connection);
        connection.setTcpNoDelay(true); // Headers and body are two writes.
        track(connection);
        return connection;
      }
    };
  }

  @Override
  public ServerSocket createServerSocket(int port) {
    throw bindsItself();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) {
    throw bindsItself();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
    throw bindsItself();
  }

  private static UncheckedIOException bindsItself() {
    return new UncheckedIOException(new IOException("MockWebServer binds its socket itself"));
  }
}
