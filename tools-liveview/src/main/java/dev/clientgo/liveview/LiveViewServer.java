package dev.clientgo.liveview;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Serves the pages, the pictures as server-sent events, the histories of objects, and the file of
 * an incident; takes commands if the view allows them.
 *
 * <p>A page of another site cannot read or command it: requests must name the loopback address as
 * their host, and commands must carry a header that browsers do not send across sites.
 */
final class LiveViewServer implements AutoCloseable {

  private static final Logger LOG = System.getLogger(LiveView.class.getName());

  private static final Map<String, String> FILES =
      Map.of(
          "/", "index.html",
          "/live-view.css", "live-view.css",
          "/live-view.js", "live-view.js",
          "/river.js", "river.js",
          "/scenes.js", "scenes.js",
          "/time.js", "time.js",
          "/nodes.js", "nodes.js",
          "/words.js", "words.js",
          "/incident", "incident.html",
          "/incident.js", "incident.js");

  /** The paths that another site may link to. */
  private static final Set<String> PAGES = Set.of("/", "/incident");

  private static final Map<String, String> TYPES =
      Map.of("html", "text/html", "css", "text/css", "js", "text/javascript");

  private static final Set<String> HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");

  /** How many requests are answered at once, streams of pictures among them. */
  static final int MOST_REQUESTS = 64;

  private final LiveView view;
  private final PictureFeed feed;
  private final HttpServer server;
  private final Semaphore requests = new Semaphore(MOST_REQUESTS);

  LiveViewServer(LiveView view, int port, Clock clock) {
    this.view = view;
    feed = new PictureFeed(view, clock);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      server = HttpServer.create(address, /* backlog= */ 0);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot serve the live view at "
              + address
              + ": "
              + e.getMessage()
              + "; choose another"
              + " port",
          e);
    }
    ThreadFactory threads = DaemonThreads.named("live-view-http-");
    server.setExecutor(task -> start(threads, task));
    server.createContext("/", this::answer);
    server.start();
  }

  /** Starts a thread; throws if there are too many, so the server closes the connection. */
  private void start(ThreadFactory threads, Runnable task) {
    if (!requests.tryAcquire()) {
      throw new RejectedExecutionException("the live view answers " + MOST_REQUESTS + " requests");
    }
    boolean started = false;
    try {
      threads
          .newThread(
              () -> {
                try {
                  task.run();
                } finally {
                  requests.release();
                }
              })
          .start();
      started = true;
    } finally {
      if (!started) {
        requests.release();
      }
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String host = exchange.getRequestHeaders().getFirst("Host");
      String path = exchange.getRequestURI().getPath();
      if (host == null || !HOSTS.contains(host.replaceAll(":\\d+$", ""))) {
        text(exchange, 403, "the live view is for this machine only");
      } else if (!PAGES.contains(path) && isOfOtherSite(exchange)) {
        text(exchange, 403, "the live view answers its own pages only");
      } else if (exchange.getRequestMethod().equals("POST")) {
        command(exchange, path);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        text(exchange, 405, "only GET and POST");
      } else if (path.equals("/events")) {
        events(exchange);
      } else if (path.equals("/picture")) {
        send(exchange, 200, "application/json", json(view.tree()));
      } else if (path.equals("/object")) {
        String key = query(exchange).getOrDefault("key", "");
        send(exchange, 200, "application/json", json(view.history(key)));
      } else if (path.equals("/incident.bin")) {
        incident(exchange);
      } else {
        file(exchange, path);
      }
    }
  }

  /**
   * Returns whether the page of another site sends the request. It could not read the answer, but
   * could let this program work for it. Browsers set the header, and scripts cannot.
   */
  private static boolean isOfOtherSite(HttpExchange exchange) {
    String site = exchange.getRequestHeaders().getFirst("Sec-Fetch-Site");
    return site != null && !site.equals("same-origin") && !site.equals("none");
  }

  private void incident(HttpExchange exchange) throws IOException {
    byte[] content;
    try {
      Path file = view.incident();
      content = file == null ? new byte[0] : Files.readAllBytes(file);
    } catch (IOException e) {
      text(exchange, 500, CrashLog.text(e));
      return;
    }
    send(exchange, content.length == 0 ? 204 : 200, "application/octet-stream", content);
  }

  private static byte[] json(Map<String, Object> tree) {
    return RawJson.of(JsonCodecs.TREE, tree).toByteArray();
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new HashMap<>();
    String text = exchange.getRequestURI().getRawQuery();
    for (String part : text == null ? new String[0] : text.split("&", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        query.put(
            URLDecoder.decode(part.substring(0, equals), UTF_8),
            URLDecoder.decode(part.substring(equals + 1), UTF_8));
      }
    }
    return query;
  }

  // ---- the page

  private static void file(HttpExchange exchange, String path) throws IOException {
    String name = FILES.get(path);
    if (name == null) {
      text(exchange, 404, "there is no such page");
      return;
    }
    byte[] content;
    try (InputStream in = requireNonNull(LiveViewServer.class.getResourceAsStream(name), name)) {
      content = in.readAllBytes();
    }
    String type = requireNonNull(TYPES.get(name.substring(name.indexOf('.') + 1)));
    send(exchange, 200, type, content);
  }

  private static void text(HttpExchange exchange, int status, String text) throws IOException {
    send(exchange, status, "text/plain", (text + "\n").getBytes(UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    headers(exchange, type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static void headers(HttpExchange exchange, String type) {
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Cross-Origin-Resource-Policy", "same-origin");
    exchange
        .getResponseHeaders()
        .set(
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'");
  }

  // ---- pictures

  /** Sends pictures until the browser leaves or the view is closed. */
  private void events(HttpExchange exchange) throws IOException {
    headers(exchange, "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    feed.join();
    try (OutputStream out = exchange.getResponseBody()) {
      PictureFeed.Message message = feed.next(0);
      while (message != null) {
        out.write(message.text().getBytes(UTF_8)); // Fails if the browser has left.
        out.flush();
        message = feed.next(message.number());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      feed.leave();
    }
  }

  // ---- commands

  private void command(HttpExchange exchange, String path) throws IOException {
    if (!view.allowsControl()) {
      text(exchange, 403, "this live view is read-only");
      return;
    }
    if (exchange.getRequestHeaders().getFirst("X-Live-View") == null) {
      text(exchange, 403, "commands need the header X-Live-View");
      return;
    }
    try {
      run(path, query(exchange));
      send(exchange, 204, "text/plain", new byte[0]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      text(exchange, 503, "interrupted");
    } catch (IllegalArgumentException e) {
      text(exchange, 400, String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.DEBUG, "A command of the live view failed", e);
      text(exchange, 500, CrashLog.text(e));
    }
  }

  private void run(String path, Map<String, String> query) throws Exception {
    switch (path) {
      case "/pause" -> view.pause(stage(query));
      case "/resume" -> view.resume(stage(query));
      case "/step" -> view.step(stage(query));
      case "/slow" -> view.slow(stage(query), delay(query));
      case "/action" ->
          view.act(
              query.getOrDefault("id", ""),
              Optional.ofNullable(query.get("key")).filter(key -> !key.isEmpty()));
      case "/play" ->
          view.scenes().play(query.getOrDefault("scene", ""), "true".equals(query.get("auto")));
      case "/next" -> view.scenes().next();
      case "/auto" -> view.scenes().auto("true".equals(query.get("on")));
      case "/stop" -> view.scenes().stop();
      default -> throw new IllegalArgumentException("there is no command " + path);
    }
  }

  private static Stage stage(Map<String, String> query) {
    String name = required(query, "stage");
    for (Stage stage : Stage.values()) {
      if (stage.name().toLowerCase(Locale.ROOT).equals(name)) {
        return stage;
      }
    }
    throw new IllegalArgumentException("there is no stage \"" + name + "\"");
  }

  private static Duration delay(Map<String, String> query) {
    String text = required(query, "ms");
    try {
      return Duration.ofMillis(Math.min(60_000, Math.max(0, Long.parseLong(text))));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"ms\" is no number: \"" + text + '"', e);
    }
  }

  private static String required(Map<String, String> query, String name) {
    @Nullable String value = query.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the parameter \"" + name + "\" is missing");
    }
    return value;
  }

  @Override
  public void close() {
    feed.close();
    server.stop(0);
  }
}
