package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.envtest.internal.access.ReservedPort;
import dev.clientgo.envtest.internal.http.HttpEndpoint;
import dev.clientgo.envtest.internal.http.InProcessEndpoint;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The two ways to an embedded server: a port, if it listens, and the connections of clients of this
 * process. Safe for use by many threads.
 */
final class Endpoints {

  private final HttpEndpoint.Handler handler;

  /** Null for plain HTTP. */
  private final @Nullable SSLSocketFactory sockets;

  private final boolean listens;
  private final InProcessEndpoint inProcess;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable HttpEndpoint endpoint;

  /** Null until the server starts for the first time. */
  @GuardedBy("lock")
  private @Nullable ReservedPort reservedPort;

  @GuardedBy("lock")
  private boolean closed;

  private volatile int port;

  /**
   * Creates endpoints that are not open yet.
   *
   * @param port the port, 0 for one that the system chooses; empty for a server that does not
   *     listen
   */
  Endpoints(
      HttpEndpoint.Handler handler,
      @Nullable SSLSocketFactory sockets,
      OptionalInt port,
      InProcessEndpoint inProcess) {
    this.handler = handler;
    this.sockets = sockets;
    this.listens = port.isPresent();
    this.port = port.orElse(0);
    this.inProcess = inProcess;
  }

  boolean listens() {
    return listens;
  }

  int port() {
    return port;
  }

  InProcessEndpoint inProcess() {
    return inProcess;
  }

  /** Returns the number of open connections to the port. */
  int connections() {
    lock.lock();
    try {
      return endpoint == null ? 0 : endpoint.listener().connections().size();
    } finally {
      lock.unlock();
    }
  }

  /** Breaks all connections. */
  void closeConnections() {
    inProcess.closeConnections();
    lock.lock();
    try {
      if (endpoint != null) {
        endpoint.closeConnections();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Accepts connections, at the same port each time. Does nothing if it does so already. */
  void open() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the server is closed");
      }
      inProcess.refuse(false);
      if (listens && endpoint == null) {
        listenLocked();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void listenLocked() {
    if (reservedPort == null) {
      reservedPort = ReservedPort.of(port);
    }
    reservedPort.release();
    HttpEndpoint started = new HttpEndpoint(handler, sockets);
    port = started.start(reservedPort.number());
    endpoint = started;
  }

  /** Breaks all connections and refuses new ones until {@link #open}. The port stays reserved. */
  void stop() {
    lock.lock();
    try {
      refuseLocked();
      if (endpoint != null) {
        stopLocked();
        requireNonNull(reservedPort, "reservedPort").reserveAgain();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void refuseLocked() {
    inProcess.refuse(true);
    inProcess.closeConnections();
  }

  @GuardedBy("lock")
  private void stopLocked() {
    if (endpoint != null) {
      endpoint.close();
      endpoint = null;
    }
  }

  /** Stops for good. */
  void close() {
    lock.lock();
    try {
      closed = true;
      refuseLocked();
      stopLocked();
      if (reservedPort != null) {
        reservedPort.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
