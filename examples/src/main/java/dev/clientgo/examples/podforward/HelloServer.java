package dev.clientgo.examples.podforward;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The program of the pod: a web server with one page. */
final class HelloServer {

  /** The line that the program prints, before the number of its port. */
  static final String SERVING = "serving at port ";

  private HelloServer() {}

  /** Serves at any free port, and prints a line with its number when it does. */
  public static void main(String[] arguments) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] page = ("hello from " + exchange.getRequestURI()).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
          }
        });
    server.start();
    System.out.println(SERVING + server.getAddress().getPort());
  }

  /** Returns the command of a shell that runs this program with the Java of the lesson. */
  static String command() {
    return "exec '%s' -cp '%s' %s"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            System.getProperty("java.class.path"),
            HelloServer.class.getName());
  }
}
