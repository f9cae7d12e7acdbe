package dev.clientgo.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A port that may be closed and opened again. */
final class Listener {

  private final Connection.Handler handler;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private ServerSocket socket;
  private int port;

  Listener(Connection.Handler handler) throws IOException {
    this.handler = handler;
    socket = new ServerSocket();
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  void open() throws IOException {
    socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    port = socket.getLocalPort();
    ServerSocket opened = socket;
    start(() -> accept(opened));
  }

  /** Closes the port and all connections. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
    connections.forEach(Connection::close);
  }

  private void accept(ServerSocket opened) {
    while (!opened.isClosed()) {
      try {
        Socket client = opened.accept();
        Connection connection = new Connection(client);
        connections.add(connection);
        start(
            () -> {
              connection.serve(handler);
              connections.remove(connection);
            });
      } catch (IOException e) {
        // The port was closed.
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "scripted-server");
    thread.setDaemon(true);
    thread.start();
  }
}
