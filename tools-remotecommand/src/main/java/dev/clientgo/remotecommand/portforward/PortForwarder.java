package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Threads. An acceptor for each local address and port. Each connection has one that reads from
 * the client, besides the receiver and the heartbeat of its ForwardSession.
 */

/**
 * Local ports whose connections go to a pod. {@link PortForward#listen} opens them.
 *
 * <p>A connection that fails ends alone: its client sees a reset connection, never an end that
 * looks complete, and the {@link Listener} gets the error. Each connection resolves the target
 * again. So after the pod was replaced, or its node came back, the next connection works.
 *
 * <p>Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code portforward.PortForwarder}. Unlike client-go: it does not
 * end when the connection to the server breaks.
 */
public final class PortForwarder implements AutoCloseable {

  private static final Logger LOG = System.getLogger(PortForwarder.class.getName());

  private static final int BACKLOG = 128;

  /** How often a free port is looked for that is free at all addresses. */
  private static final int ATTEMPTS = 10;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final Duration THREADS_END = Duration.ofSeconds(5);

  private static final ThreadFactory THREADS = DaemonThreads.named("client-go-portforward-local-");

  private final PodConnector connector;
  private final List<BoundPort> bound;
  private final Listener listener;
  private final Clock clock;
  private final Set<ForwardedConnection> connections = ConcurrentHashMap.newKeySet();
  private final CrashLog crashes = new CrashLog(LOG);
  private volatile boolean closed;

  /** A port, and the sockets that listen at it. */
  record BoundPort(ForwardedPort port, List<ServerSocket> sockets) {}

  /** Logs errors; that a client breaks its connection is none of the server or the pod. */
  private static final class LoggingListener implements Listener {
    @Override
    public void failed(ForwardedPort port, SocketAddress client, Exception error) {
      Level level = error instanceof IOException ? Level.DEBUG : Level.WARNING;
      LOG.log(level, "A connection failed: client=" + client + " port=" + port, error);
    }
  }

  PortForwarder(PodConnector connector, List<BoundPort> bound, Listener listener) {
    this.connector = connector;
    this.bound = bound;
    this.listener = listener;
    this.clock = connector.clock();
  }

  /**
   * Opens the local ports, without accepting connections.
   *
   * @param addresses where to listen; empty for those of localhost
   */
  static PortForwarder bind(
      PodConnector connector,
      List<ForwardedPort> ports,
      List<InetAddress> addresses,
      @Nullable Listener listener)
      throws IOException {
    List<BoundPort> bound = new ArrayList<>();
    try {
      for (ForwardedPort port : ports) {
        bound.add(
            addresses.isEmpty() ? bindLocalhost(port) : bindAll(port, addresses, port.local()));
      }
    } catch (IOException e) {
      closeAll(bound);
      throw e;
    }
    return new PortForwarder(
        connector, List.copyOf(bound), listener == null ? new LoggingListener() : listener);
  }

  /**
   * As kubectl, IPv4 and IPv6. Unlike kubectl: a port that another program has at one of them is an
   * error, since a client of {@code localhost} may reach that program. A machine may lack one.
   */
  private static BoundPort bindLocalhost(ForwardedPort port) throws IOException {
    byte[] one = new byte[16];
    one[15] = 1;
    InetAddress v4 = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    InetAddress v6 = Inet6Address.getByAddress("localhost", one);
    List<InetAddress> present = Stream.of(v4, v6).filter(PortForwarder::isPresent).toList();
    return bindAll(port, present.isEmpty() ? List.of(v4) : present, port.local());
  }

  private static boolean isPresent(InetAddress address) {
    try {
      bind(address, 0).close();
      return true;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "This machine cannot listen: address=" + address, e);
      return false;
    }
  }

  /** Listens at all addresses at the same port. */
  private static BoundPort bindAll(ForwardedPort port, List<InetAddress> addresses, int local)
      throws IOException {
    IOException last = null;
    for (int i = 0; i < (local == 0 ? ATTEMPTS : 1); i++) {
      List<ServerSocket> sockets = new ArrayList<>();
      try {
        int chosen = local;
        for (InetAddress address : addresses) {
          ServerSocket socket = bind(address, chosen);
          sockets.add(socket);
          chosen = socket.getLocalPort();
        }
        return new BoundPort(new ForwardedPort(chosen, port.remote()), List.copyOf(sockets));
      } catch (IOException e) {
        closeAll(List.of(new BoundPort(port, sockets)));
        last = e;
      }
    }
    throw last == null ? new IOException("no address to listen at") : last;
  }

  private static ServerSocket bind(InetAddress address, int port) throws IOException {
    try {
      return new ServerSocket(port, BACKLOG, address);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen at port "
              + port
              + " of "
              + address.getHostAddress()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static void closeAll(List<BoundPort> bound) {
    for (BoundPort each : bound) {
      for (ServerSocket socket : each.sockets) {
        try {
          socket.close();
        } catch (IOException e) {
          LOG.log(Level.DEBUG, "Closing a socket that listens failed", e);
        }
      }
    }
  }

  /** Starts to accept connections. */
  void start() {
    for (BoundPort each : bound) {
      for (ServerSocket socket : each.sockets) {
        THREADS.newThread(() -> accept(socket, each.port)).start();
      }
    }
  }

  private void accept(ServerSocket socket, ForwardedPort port) {
    while (!closed) {
      try {
        Socket client = socket.accept();
        serve(client, port);
        crashes.succeeded();
      } catch (Throwable e) {
        if (closed || !pause(e)) {
          return;
        }
      }
    }
  }

  /** Starts a connection; without a thread for it, its client sees a reset. */
  private void serve(Socket client, ForwardedPort port) {
    ForwardedConnection connection =
        new ForwardedConnection(
            connector, client, port.remote(), new Reports(port, client.getRemoteSocketAddress()));
    connections.add(connection);
    try {
      THREADS.newThread(() -> run(connection)).start();
    } catch (Throwable e) {
      connections.remove(connection);
      connection.close();
      throw e;
    }
  }

  private void run(ForwardedConnection connection) {
    try {
      if (closed) {
        connection.close();
      }
      connection.run();
    } catch (Throwable e) {
      connection.close();
      CrashLog.log(LOG, Level.ERROR, "A connection failed: way=" + connector, e);
    } finally {
      connections.remove(connection);
    }
  }

  /** For instance because too many files are open; the next connections may do better. */
  private boolean pause(Throwable e) {
    crashes.failed("cannot accept a connection for " + connector, e);
    try {
      clock.sleep(PAUSE);
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Returns why this forwarder accepts no connections, if that has failed three times in a row, for
   * instance because too many files are open; it keeps trying.
   */
  public Optional<String> problem() {
    return crashes.problem();
  }

  /** Returns the ports, in the order of the caller, with the local ports that are really open. */
  public List<ForwardedPort> ports() {
    return bound.stream().map(BoundPort::port).toList();
  }

  /**
   * Returns the local port of a port of the target.
   *
   * @throws IllegalArgumentException if that port is not forwarded
   */
  public int localPort(int remote) {
    return localPort(IntOrString.of(remote));
  }

  /**
   * Returns the local port of a port of the target that was forwarded by its name.
   *
   * @throws IllegalArgumentException if that port is not forwarded
   */
  public int localPort(String remote) {
    return localPort(IntOrString.of(remote));
  }

  private int localPort(IntOrString remote) {
    return ports().stream()
        .filter(port -> port.remote().equals(remote))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(remote + " is not among the ports " + ports()))
        .local();
  }

  /** Returns the local addresses and ports that accept connections. */
  public List<InetSocketAddress> addresses() {
    return bound.stream()
        .flatMap(each -> each.sockets.stream())
        .map(socket -> new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort()))
        .toList();
  }

  /** Returns the target and the ports. */
  @Override
  public String toString() {
    return connector + ", ports " + ports();
  }

  /**
   * Closes the local ports and all their connections at once. Waits at most 5 s for their threads.
   * Does nothing the second time.
   */
  @Override
  public void close() {
    closed = true;
    closeAll(bound);
    List<ForwardedConnection> open = List.copyOf(connections);
    open.forEach(ForwardedConnection::close);
    try {
      clock.join(
          open.stream().map(ForwardedConnection::thread).flatMap(Optional::stream).toList(),
          THREADS_END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The threads end without this wait.
    }
  }

  /** Passes the events of one connection on to the listener. */
  private final class Reports implements ForwardedConnection.Observer {
    private final ForwardedPort port;
    private final SocketAddress client;

    Reports(ForwardedPort port, SocketAddress client) {
      this.port = port;
      this.client = client;
    }

    @Override
    public void opened() {
      report(() -> listener.opened(port, client));
    }

    @Override
    public void ended(@Nullable Exception error) {
      report(
          () -> {
            if (error == null) {
              listener.closed(port, client);
            } else {
              listener.failed(port, client, error);
            }
          });
    }

    private void report(Runnable event) {
      try {
        event.run();
      } catch (Throwable e) {
        CrashLog.log(LOG, Level.WARNING, "A PortForwarder.Listener has failed", e);
      }
    }
  }

  /**
   * Receives what happens to the connections of a forwarder. Its methods are called in the threads
   * of the connections, many at once, and should return soon.
   */
  public interface Listener {

    /** A connection to the pod is open. */
    default void opened(ForwardedPort port, SocketAddress client) {}

    /** A connection has ended without an error, or because the forwarder was closed. */
    default void closed(ForwardedPort port, SocketAddress client) {}

    /**
     * A connection could not be opened, or broke. Its client sees a reset connection; all others go
     * on.
     *
     * @param error a {@link PortForwardException} if the node could not reach the port, an {@code
     *     ApiStatusException} if the server refused, a {@code TransportException} if the connection
     *     to the server broke, or an {@code IOException} if the one to the client did
     */
    default void failed(ForwardedPort port, SocketAddress client, Exception error) {}
  }
}
