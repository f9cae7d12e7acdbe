package dev.clientgo.envtest.traffic;

import dev.clientgo.envtest.internal.access.ReservedPort;
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
import java.util.concurrent.atomic.AtomicLong;

/**
 * A TCP proxy on the loopback interface that breaks connections on request of a test: a network
 * that fails, between a client and a server that keeps running.
 *
 * <pre>{@code
 * try (var proxy = CuttingProxy.to(server.url());
 *     var client =
 *         RESTClient.create(server.restConfig().toBuilder().server(proxy.url().toString()).build())) {
 *   ...
 *   proxy.cut(); // Breaks the connections of the client.
 * }
 * }</pre>
 *
 * <p>Bytes pass unchanged, so the certificate of the server on the loopback interface stays valid.
 * Safe for use by many threads.
 */
public final class CuttingProxy implements AutoCloseable {

  private final ReservedPort port = ReservedPort.of(0);
  private volatile ServerSocket listener;
  private final URI server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong received = new AtomicLong();
  private volatile boolean closed;

  private CuttingProxy(URI server) throws IOException {
    this.server = server;
    this.listener = listen(port);
  }

  /**
   * Starts a proxy in front of a server on the loopback interface.
   *
   * @throws IOException if no port is free
   */
  public static CuttingProxy to(URI server) throws IOException {
    CuttingProxy proxy = new CuttingProxy(server);
    start(proxy::acceptAll);
    return proxy;
  }

  private static ServerSocket listen(ReservedPort port) throws IOException {
    port.release();
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number());
      ReservedPort.listen(() -> listener.bind(address));
      return listener;
    } catch (Throwable e) {
      listener.close();
      throw e;
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the address of the proxy: the server's, with another port. */
  public URI url() {
    return URI.create(server.getScheme() + "://" + server.getHost() + ":" + port());
  }

  /** Returns the port of the proxy. */
  public int port() {
    return port.number();
  }

  /** Returns the number of open sockets, two for each connection that passes. */
  public int openSockets() {
    return sockets.size();
  }

  /** Returns how many bytes the server has sent to clients through this proxy so far. */
  public long receivedBytes() {
    return received.get();
  }

  /** Breaks all open connections. */
  public void cut() {
    sockets.forEach(CuttingProxy::closeQuietly);
  }

  /**
   * Breaks all open connections and refuses new ones, until {@link #accept}. The port stays
   * reserved.
   */
  public void refuse() throws IOException {
    listener.close();
    port.reserveAgain();
    cut();
  }

  /** Accepts connections again, after {@link #refuse}. */
  public void accept() throws IOException {
    listener = listen(port);
    start(this::acceptAll);
  }

  private void acceptAll() {
    ServerSocket own = listener;
    while (!closed) {
      try {
        Socket client = own.accept();
        client.setTcpNoDelay(true);
        sockets.add(client);
        start(() -> connect(client));
      } catch (IOException e) {
        return; // The proxy is closed or refuses connections.
      }
    }
  }

  private void connect(Socket client) {
    try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      upstream.setTcpNoDelay(true);
      sockets.add(upstream);
      start(() -> copy(upstream, client, received));
      copy(client, upstream, new AtomicLong());
    } catch (IOException e) {
      closeQuietly(client); // The server is restarting.
    } finally {
      sockets.remove(client);
    }
  }

  private void copy(Socket from, Socket to, AtomicLong copied) {
    byte[] buffer = new byte[16 << 10];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        out.write(buffer, 0, count);
        copied.addAndGet(count);
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

  /** Breaks all connections and frees the port. */
  @Override
  public void close() throws IOException {
    closed = true;
    listener.close();
    port.close();
    cut();
  }
}
