package dev.clientgo.envtest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy on the loopback interface whose connections a test can cut. */
final class CuttingProxy implements AutoCloseable {

  private volatile ServerSocket listener;
  private final int port;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private CuttingProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.port = listener.getLocalPort();
    this.target = target;
  }

  static CuttingProxy to(URI server) throws IOException {
    CuttingProxy proxy = new CuttingProxy(listen(0), server.getPort());
    start(proxy::acceptAll);
    return proxy;
  }

  private static ServerSocket listen(int port) throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    return listener;
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return port;
  }

  int openConnections() {
    return sockets.size();
  }

  /** Breaks all open connections. */
  void cut() {
    sockets.forEach(CuttingProxy::closeQuietly);
  }

  /** Breaks all open connections, and refuses new ones. */
  void refuse() throws IOException {
    listener.close();
    cut();
  }

  /** Accepts connections again, after {@link #refuse}. */
  void accept() throws IOException {
    listener = listen(port);
    start(this::acceptAll);
  }

  private void acceptAll() {
    ServerSocket own = listener;
    while (!closed) {
      try {
        Socket client = own.accept();
        sockets.add(client);
        start(() -> connect(client));
      } catch (IOException e) {
        return; // The proxy is closed or refuses connections.
      }
    }
  }

  private void connect(Socket client) {
    try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      sockets.add(server);
      start(() -> copy(server, client));
      copy(client, server);
    } catch (IOException e) {
      closeQuietly(client); // The server is restarting.
    } finally {
      sockets.remove(client);
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
      }
    } catch (IOException e) {
      // The test or one of the ends has closed the connection.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    cut();
  }
}
