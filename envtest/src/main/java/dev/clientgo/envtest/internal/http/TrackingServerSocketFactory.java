package dev.clientgo.envtest.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ServerSocketFactory;

/**
 * Makes the socket that a server listens on, and knows its connections: those that are open, and by
 * the number under which the server knows them, which is the order in which they came.
 */
public final class TrackingServerSocketFactory extends ServerSocketFactory {

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<Integer, ClientConnection> open = new LinkedHashMap<>();

  @GuardedBy("lock")
  private int accepted;

  /** Returns a connection that is open. */
  public ClientConnection connection(int number) throws IOException {
    lock.lock();
    try {
      ClientConnection connection = open.get(number);
      if (connection == null) {
        throw new IOException("connection " + number + " is gone");
      }
      return connection;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the connections that are open. */
  public List<ClientConnection> connections() {
    lock.lock();
    try {
      return List.copyOf(open.values());
    } finally {
      lock.unlock();
    }
  }

  private void add(ClientConnection connection) {
    int number;
    lock.lock();
    try {
      number = accepted++;
      open.put(number, connection);
    } finally {
      lock.unlock();
    }
    connection.onGone(() -> remove(number));
  }

  private void remove(int number) {
    lock.lock();
    try {
      open.remove(number);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new ServerSocket() {
      @Override
      public Socket accept() throws IOException {
        ClientConnection connection = new ClientConnection();
        implAccept(connection);
        connection.setTcpNoDelay(true); // Headers and body come in two writes.
        add(connection);
        return connection;
      }
    };
  }

  @Override
  public ServerSocket createServerSocket(int port) {
    throw unused();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) {
    throw unused();
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
    throw unused();
  }

  private static UncheckedIOException unused() {
    return new UncheckedIOException(new IOException("the server binds its socket itself"));
  }
}
