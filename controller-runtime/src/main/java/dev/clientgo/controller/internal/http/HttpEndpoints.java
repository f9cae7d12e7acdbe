package dev.clientgo.controller.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
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
   * @param body the body, not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // No two pages are compared.
  public record Page(int code, String contentType, byte[] body) {

    /** Creates a page of text. */
    public Page(int code, String contentType, String text) {
      this(code, contentType, text.getBytes(UTF_8));
    }
  }

  /** Decides who may read a page. */
  @FunctionalInterface
  public interface Access {

    /** Admits everyone. */
    Access OPEN = (authorization, method, path) -> null;

    /** Returns the page to send instead; null if the client may read the one that it asks for. */
    @Nullable Page refusal(@Nullable String authorization, String method, String path);
  }

  private final HttpServer server;
  private final Map<String, Function<Map<String, String>, Page>> pages;

  /** The longest time that a page may take, after which its thread is interrupted. */
  private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(30);

  /** The longest time that the decision about access may take. */
  private static final Duration ACCESS_TIMEOUT = Duration.ofSeconds(10);

  private final RequestThreads threads;
  private final Access access;

  /** Null to serve without TLS. */
  private final @Nullable CertificatePoller certificate;

  private HttpEndpoints(
      HttpServer server,
      Map<String, Function<Map<String, String>, Page>> pages,
      RequestThreads threads,
      @Nullable CertificatePoller certificate,
      Access access) {
    this.server = server;
    this.certificate = certificate;
    this.access = access;
    this.threads = threads;
    this.pages = Map.copyOf(pages);
  }

  /**
   * Starts to serve.
   *
   * @param address where to listen; port 0 for any
   * @param pages functions that make the pages, by their paths; each receives the query
   * @param clock the clock of deadlines
   * @param certificate what clients see, not started; null to serve without TLS
   * @param access decides who may read a page
   * @throws IllegalStateException if the address cannot be used
   */
  public static HttpEndpoints start(
      InetSocketAddress address,
      Map<String, Function<Map<String, String>, Page>> pages,
      Clock clock,
      @Nullable CertificatePoller certificate,
      Access access) {
    RequestThreads threads = new RequestThreads("manager-http-", clock, /* closesOldest= */ true);
    HttpServer server;
    try {
      server = create(address, certificate);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot listen at " + address + ": " + e.getMessage() + "; choose another port", e);
    }
    HttpEndpoints endpoints = new HttpEndpoints(server, pages, threads, certificate, access);
    try {
      if (certificate != null) {
        certificate.start();
      }
      server.setExecutor(threads);
      server.createContext("/", endpoints::answer);
      threads.start();
      server.start();
      return endpoints;
    } catch (Throwable e) { // No memory for a thread.
      endpoints.close();
      throw e;
    }
  }

  private static HttpServer create(
      InetSocketAddress address, @Nullable CertificatePoller certificate) throws IOException {
    if (certificate == null) {
      return HttpServer.create(address, /* backlog= */ 0);
    }
    HttpsServer server = HttpsServer.create(address, /* backlog= */ 0);
    server.setHttpsConfigurator(certificate.configurator(null));
    return server;
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
      String path = String.valueOf(uri.getPath());
      threads.work(ACCESS_TIMEOUT);
      String authorization = exchange.getRequestHeaders().getFirst("Authorization");
      // No path that a client makes up: answers are kept by their paths.
      Page made = access.refusal(authorization, method, pages.containsKey(path) ? path : "/");
      if (made == null) {
        threads.work(PAGE_TIMEOUT);
        Function<Map<String, String>, Page> page = pages.get(path);
        made =
            page != null
                ? make(page, uri.getRawQuery())
                : new Page(404, "text/plain; charset=utf-8", index());
      }
      threads.awaitClient();
      send(exchange, made);
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

  /** An Error too: a connection that breaks would tell the reader nothing. */
  private static Page make(Function<Map<String, String>, Page> page, @Nullable String query) {
    try {
      return page.apply(query(query));
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "A page could not be made", e);
      return new Page(500, "text/plain; charset=utf-8", "it could not be made, see the log\n");
    }
  }

  private String index() {
    StringBuilder text = new StringBuilder("no such page; there are\n");
    pages.keySet().stream().sorted().forEach(path -> text.append(path).append('\n'));
    return text.toString();
  }

  private static void send(HttpExchange exchange, Page page) throws IOException {
    byte[] body = page.body;
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
    threads.close();
    if (certificate != null) {
      certificate.close();
    }
  }
}
