package dev.clientgo.envtest.internal.access;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A port of the loopback interface, reserved whether or not a server listens on it. The system does
 * not give it to programs that ask for any free port, and refuses connections while no server
 * listens.
 *
 * <p>A socket that is bound but never listens reserves the port. On systems other than Linux that
 * may prevent the server from listening; there the reservation is given up while the port is
 * released. Not safe for use by many threads.
 */
public final class ReservedPort implements AutoCloseable {

  private final int number;
  private Socket socket;

  private ReservedPort(int port) {
    socket = bind(port);
    number = socket.getLocalPort();
  }

  /**
   * Reserves a port.
   *
   * @param port the number, or 0 for any free port
   * @throws IllegalStateException if the port is in use
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
      throw new IllegalStateException("cannot reserve port " + port + " of 127.0.0.1", e);
    }
  }

  private static InetSocketAddress address(int port) throws IOException {
    return new InetSocketAddress(
        InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}), port);
  }

  public int number() {
    return number;
  }

  /** Lets a server listen on the port. */
  public void release() {
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
   * Reserves the port again after the server has stopped.
   *
   * @throws IllegalStateException if another program has taken it
   */
  public void reserveAgain() {
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
