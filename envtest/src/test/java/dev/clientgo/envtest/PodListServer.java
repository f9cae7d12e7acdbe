package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Serves a list of very many pods and generates each as it sends it, so that the server needs no
 * memory. It supports no streaming lists, its watches send nothing, and each connection handles one
 * request.
 */
final class PodListServer implements AutoCloseable {

  private static final String HEADERS =
      "Content-Type: application/json\r\nConnection: close\r\n\r\n";

  private final ServerSocket listener;
  private final int pods;

  private PodListServer(ServerSocket listener, int pods) {
    this.listener = listener;
    this.pods = pods;
  }

  static PodListServer start(int pods) throws IOException {
    PodListServer server =
        new PodListServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), pods);
    start(server::acceptAll);
    return server;
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "pod-list-server");
    thread.setDaemon(true);
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        start(() -> answer(socket));
      }
    } catch (IOException e) {
      // The server is closed.
    }
  }

  private void answer(Socket connection) {
    try (Socket socket = connection) {
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      String request = String.valueOf(in.readLine());
      while (!String.valueOf(in.readLine()).isEmpty()) {
        // The headers are irrelevant.
      }
      OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      if (request.contains("sendInitialEvents")) {
        out.write(("HTTP/1.1 422 Unprocessable Entity\r\n" + HEADERS).getBytes(UTF_8));
        out.write(
            ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":422,"
                    + "\"reason\":\"Invalid\",\"message\":\"no streaming lists here\"}")
                .getBytes(UTF_8));
        out.flush();
      } else {
        out.write(("HTTP/1.1 200 OK\r\n" + HEADERS).getBytes(UTF_8));
        if (request.contains("watch=true")) {
          out.flush();
          in.read(); // Until the client disconnects.
        } else {
          list(out);
        }
      }
    } catch (IOException e) {
      // The client has disconnected.
    }
  }

  private void list(OutputStream out) throws IOException {
    out.write(
        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":["
            .getBytes(UTF_8));
    for (int i = 0; i < pods; i++) {
      out.write((i == 0 ? "" : ",").getBytes(UTF_8));
      out.write(pod(i).getBytes(UTF_8));
    }
    out.write("]}".getBytes(UTF_8));
    out.flush();
  }

  private static String pod(int i) {
    StringBuilder env = new StringBuilder();
    for (int n = 0; n < 12; n++) {
      env.append(n == 0 ? "" : ",")
          .append("{\"name\":\"VARIABLE_")
          .append(n)
          .append("\",\"value\":\"value ")
          .append(i)
          .append(" of ")
          .append(n)
          .append("\"}");
    }
    return """
    {"metadata":{"name":"pod-%1$d","namespace":"ns-%2$d","uid":"00000000-0000-0000-0000-%1$012d",\
    "resourceVersion":"%1$d","creationTimestamp":"2026-01-01T00:00:00Z",\
    "labels":{"app":"app-%2$d","tier":"backend"}},"spec":{"nodeName":"node-%2$d","containers":[\
    {"name":"main","image":"registry.example/app:%2$d","env":[%3$s]}]},\
    "status":{"phase":"Running","podIP":"10.0.0.1","message":"unique to %1$d"}}\
    """
        .formatted(i, i % 100, env);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
