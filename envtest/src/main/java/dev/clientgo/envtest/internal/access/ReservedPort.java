package dev.clientgo.envtest.internal.access;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A port of the loopback interface that is ours, whether somebody listens on it or not: the system
 * gives it to nobody who asks for any port, and refuses connections as long as nobody listens.
 *
 * <p>It is held by a socket that is bound and never listens. Where the system lets nobody listen on
 * a port that is held so, unlike Linux, the port is given up while it is lent. Not safe for use by
 * many threads.
 */
public final class ReservedPort implements AutoCloseable {

  private final int number;
  private Socket socket;

  private ReservedPort(int port) {
    socket = bind(port);
    number = socket.getLocalPort();
  }

  /**
   * Takes a port.
   *
   * @param port its number, or 0 for any that is free
   * @throws IllegalStateException if it is taken
   */
  public static ReservedPort of(int port) {
    return new ReservedPort(port);
  }

  private static Socket bind(int port) {
    Socket socket = new Socket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address(port));
      return socket;
    } catch (IOException e) {
      close(socket);
      throw new IllegalStateException("cannot have port " + port + " of 127.0.0.1", e);
    }
  }

  private static InetSocketAddress address(int port) throws IOException {
    return new InetSocketAddress(
        InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}), port);
  }

  public int number() {
    return number;
  }

  /** Lets somebody listen. */
  public void lend() {
    if (!isShared()) {
      close();
    }
  }

  private boolean isShared() {
    try (ServerSocket other = new ServerSocket()) {
      other.setReuseAddress(true);
      other.bind(address(number));
      return true;
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("cannot try port " + number + " of 127.0.0.1", e);
    }
  }

  /**
   * Keeps the port, now that nobody listens any more.
   *
   * @throws IllegalStateException if somebody was faster
   */
  public void takeBack() {
    if (socket.isClosed()) {
      socket = bind(number);
    }
  }

  @Override
  public void close() {
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close a socket that was never connected", e);
    }
  }
}
