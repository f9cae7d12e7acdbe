package dev.clientgo.controller.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.clientgo.clock.DaemonThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Serves pages over HTTP with the JDK's server. Safe for use by many threads. */
public final class HttpEndpoints implements AutoCloseable {

  private static final Logger LOG = System.getLogger(HttpEndpoints.class.getName());

  /**
   * A page.
   *
   * @param code the HTTP status
   * @param contentType the media type
   * @param text the body
   */
  public record Page(int code, String contentType, String text) {}

  private final HttpServer server;
  private final Map<String, Function<Map<String, String>, Page>> pages;

  private HttpEndpoints(HttpServer server, Map<String, Function<Map<String, String>, Page>> pages) {
    this.server = server;
    this.pages = Map.copyOf(pages);
  }

  /**
   * Starts to serve.
   *
   * @param address where to listen; port 0 for any
   * @param pages functions that make the pages, by their paths; each receives the query
   * @throws IllegalStateException if the address cannot be used
   */
  public static HttpEndpoints start(
      InetSocketAddress address, Map<String, Function<Map<String, String>, Page>> pages) {
    HttpServer server;
    try {
      server = HttpServer.create(address, /* backlog= */ 0);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot listen at " + address + ": " + e.getMessage() + "; choose another port", e);
    }
    HttpEndpoints endpoints = new HttpEndpoints(server, pages);
    ThreadFactory threads = DaemonThreads.named("manager-http-");
    server.setExecutor(task -> threads.newThread(task).start());
    server.createContext("/", endpoints::answer);
    server.start();
    return endpoints;
  }

  /** Returns where this listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        send(exchange, new Page(405, "text/plain; charset=utf-8", "only GET\n"));
        return;
      }
      URI uri = exchange.getRequestURI();
      Function<Map<String, String>, Page> page = pages.get(uri.getPath());
      send(
          exchange,
          page != null
              ? make(page, query(uri.getRawQuery()))
              : new Page(404, "text/plain; charset=utf-8", index()));
    }
  }

  private static Map<String, String> query(@Nullable String text) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String part : text == null ? new String[0] : text.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      query.put(
          URLDecoder.decode(name, UTF_8),
          equals < 0 ? "" : URLDecoder.decode(part.substring(equals + 1), UTF_8));
    }
    return query;
  }

  private static Page make(Function<Map<String, String>, Page> page, Map<String, String> query) {
    try {
      return page.apply(query);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A page could not be made", e);
      return new Page(500, "text/plain; charset=utf-8", e + "\n");
    }
  }

  private String index() {
    StringBuilder text = new StringBuilder("no such page; there are\n");
    pages.keySet().stream().sorted().forEach(path -> text.append(path).append('\n'));
    return text.toString();
  }

  private static void send(HttpExchange exchange, Page page) throws IOException {
    byte[] body = page.text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", page.contentType);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(page.code, -1);
      return;
    }
    exchange.sendResponseHeaders(page.code, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** Stops to serve, at once. */
  @Override
  public void close() {
    server.stop(0);
  }
}
