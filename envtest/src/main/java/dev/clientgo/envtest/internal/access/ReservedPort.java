package dev.clientgo.envtest.internal.access;

import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;

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

  private static final Duration LONGEST_COPY = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(5);
  private static final boolean SHARED = isShared();

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
    if (!SHARED) {
      close();
    }
  }

  /** Tries it with another port: a probe that listens on the reserved one could outlive its end. */
  private static boolean isShared() {
    try (Socket holder = bind(0);
        ServerSocket other = new ServerSocket()) {
      other.setReuseAddress(true);
      other.bind(holder.getLocalSocketAddress());
      return true;
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("cannot try a port of 127.0.0.1", e);
    }
  }

  /** Binds the socket of a server. */
  @FunctionalInterface
  public interface Binding {
    /** Binds the socket, or throws {@link BindException} if the port is in use. */
    void bind() throws IOException;
  }

  /**
   * Makes a server listen on a released port. While this JVM starts a process, the process has
   * copies of all sockets, so a listener that was closed may take the port a moment longer; this
   * method waits for that.
   *
   * @throws BindException if the port is in use for longer
   * @throws InterruptedIOException if the thread is interrupted
   */
  public static void listen(Binding binding) throws IOException {
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    while (true) {
      try {
        binding.bind();
        return;
      } catch (BindException e) {
        if (clock.nanoTime() - start > LONGEST_COPY.toNanos()) {
          throw e;
        }
      }
      try {
        clock.sleep(POLL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted before the server could listen");
      }
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
