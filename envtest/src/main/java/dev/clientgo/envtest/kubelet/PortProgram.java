package dev.clientgo.envtest.kubelet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * The program behind a port of a pod, written as a function. It runs once for each forwarded
 * connection, in a separate thread, which is interrupted when the client goes away.
 */
@FunctionalInterface
public interface PortProgram {

  /**
   * Serves a connection, which ends when this returns.
   *
   * @throws Exception if it fails; the client gets an error with this message
   */
  void serve(Connection connection) throws Exception;

  /** Returns a program that sends back each byte. */
  static PortProgram echo() {
    return connection -> connection.inputStream().transferTo(connection.outputStream());
  }

  /** Returns a program that connects to a port of this machine. */
  static PortProgram tcp(String host, int port) {
    return connection -> {
      try (Socket socket = new Socket(host, port)) {
        Thread sender = new Thread(() -> send(connection.inputStream(), socket), "envtest-port");
        sender.setDaemon(true);
        sender.start();
        try (OutputStream out = connection.outputStream()) {
          socket.getInputStream().transferTo(out);
        } finally {
          sender.interrupt();
        }
      }
    };
  }

  private static void send(InputStream from, Socket to) {
    try {
      from.transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // The other direction ends with the connection.
    }
  }

  /** A connection to a port of a pod, as the program behind the port sees it. */
  interface Connection {

    /** Returns the namespace of the pod. */
    String namespace();

    /** Returns the name of the pod. */
    String pod();

    /** Returns the port. */
    int port();

    /** Returns the bytes from the client. It ends when the client has closed its half. */
    InputStream inputStream();

    /** Returns the stream to the client. Each write is sent at once. Closing it ends this half. */
    OutputStream outputStream();
  }
}
