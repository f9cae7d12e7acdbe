package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that misbehaves on the level of sockets. */
final class RawServer implements AutoCloseable {

  /** The end of a connection whose request has been read. */
  @FunctionalInterface
  interface Misbehaviour {
    void on(Socket socket) throws IOException;
  }

  /** Closes the connection as if all were well. */
  static final Misbehaviour CLOSE = socket -> {};

  /** Resets the connection. */
  static final Misbehaviour RESET = socket -> socket.setSoLinger(true, 0);

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();

  private RawServer(Misbehaviour misbehaviour) throws IOException {
    Thread thread = new Thread(() -> serve(misbehaviour), "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  static RawServer start(Misbehaviour misbehaviour) throws IOException {
    return new RawServer(misbehaviour);
  }

  /** Sends some text and closes the connection. */
  static Misbehaviour send(String text) {
    return socket -> {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
    };
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  int port() {
    return server.getLocalPort();
  }

  int requestCount() {
    return requests.get();
  }

  /** Returns how many connections there were, once all that there are have been dealt with. */
  int connectionCount() throws IOException {
    try (Socket last = new Socket(InetAddress.getLoopbackAddress(), port())) {
      last.shutdownOutput();
      last.getInputStream().read(); // The server takes one after the other.
    }
    return connections.decrementAndGet();
  }

  private void serve(Misbehaviour misbehaviour) {
    while (true) {
      try (Socket socket = server.accept()) {
        connections.incrementAndGet();
        if (readRequest(socket.getInputStream())) {
          requests.incrementAndGet();
          misbehaviour.on(socket);
        }
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private static boolean readRequest(InputStream in) throws IOException {
    StringBuilder request = new StringBuilder();
    while (request.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      request.append((char) next);
      if (request.length() == 1 && next == 0x16) {
        return true; // The first byte of a TLS handshake.
      }
    }
    int length = request.indexOf("Content-Length: ");
    if (length > 0) {
      int end = request.indexOf("\r\n", length);
      in.readNBytes(Integer.parseInt(request.substring(length + 16, end)));
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
