package dev.clientgo.benchmarks.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of an API server as an informer needs, for any number of objects: lists, watches, and
 * watches that begin with all objects, in JSON. Nothing is stored, so it costs little beside what
 * is measured.
 *
 * <p>{@code POST /control/storm?count=C&rate=R} sends C events to each open watch, R a second, or
 * as fast as they go with 0, and answers when they are sent. The annotation {@code bench/ts} of
 * each is the {@link System#nanoTime} at which it was made. {@code POST /control/delete} sends each
 * open watch the deletion of all its objects. A {@code PATCH} of an object is answered with the
 * object at a new version and with such an annotation, whatever the patch is, and each watch gets
 * it.
 *
 * <p>{@code ./benchmarks/run bench-server PORT pods|configmaps COUNT NAMESPACES}; with port 0 it
 * takes a free one. It prints where it listens, and ends with its standard input.
 */
public final class BenchServer {

  private static final Pattern COLLECTION =
      Pattern.compile("/api/v1/(?:namespaces/team-(\\d+)/)?(pods|configmaps)");

  private static final Pattern OBJECT =
      Pattern.compile("/api/v1/namespaces/team-\\d+/(pods|configmaps)/[a-z]+-(\\d+)");

  private final Objects objects;
  private final AtomicLong version = new AtomicLong(1_000_000);
  private final List<OpenWatch> watches = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  private BenchServer(Objects objects) {
    this.objects = objects;
  }

  /** Serves until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 4) {
      System.err.println("usage: bench-server PORT pods|configmaps COUNT NAMESPACES");
      System.exit(2);
    }
    // Otherwise an answer waits up to 40 ms for the acknowledgement of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    int count = Integer.parseInt(arguments[2]);
    int namespaces = Integer.parseInt(arguments[3]);
    Objects objects = Objects.of(arguments[1], count, namespaces);
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])),
            /* backlog= */ 1024);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", new BenchServer(objects)::handle);
    server.start();
    System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
    while (System.in.read() >= 0) {
      // The caller closes it.
    }
    System.exit(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    Matcher collection = COLLECTION.matcher(exchange.getRequestURI().getPath());
    Matcher object = OBJECT.matcher(exchange.getRequestURI().getPath());
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    try (exchange) {
      if (exchange.getRequestURI().getPath().equals("/control/storm")) {
        storm(number(query, "count"), number(query, "rate"));
        exchange.sendResponseHeaders(200, -1);
      } else if (exchange.getRequestURI().getPath().equals("/control/delete")) {
        watches.removeIf(watch -> !watch.deleteAll());
        exchange.sendResponseHeaders(200, -1);
      } else if (collection.matches() && collection.group(2).equals(objects.plural())) {
        String team = collection.group(1);
        serve(exchange, team == null ? -1 : Integer.parseInt(team), query);
      } else if (object.matches() && exchange.getRequestMethod().equals("PATCH")) {
        patch(exchange, Integer.parseInt(object.group(2)));
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int number(String query, String name) {
    Matcher value = Pattern.compile("(?:^|&)" + name + "=(\\d+)").matcher(query);
    return value.find() ? Integer.parseInt(value.group(1)) : 0;
  }

  private void serve(HttpExchange exchange, int namespace, String query)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    if (!query.contains("watch=true") && !query.contains("watch=1")) {
      list(out, namespace);
      return;
    }
    OpenWatch watch = new OpenWatch(objects, version, namespace, out);
    if (query.contains("sendInitialEvents=true")) {
      watch.sendAll();
    }
    watch.flush();
    watches.add(watch);
    end.await(); // It ends with the connection, when something is sent, or with the process.
  }

  private void patch(HttpExchange exchange, int number) throws IOException {
    exchange.getRequestBody().readAllBytes();
    ByteArrayOutputStream patched = new ByteArrayOutputStream();
    synchronized (version) { // The versions of a watch ascend.
      objects.write(patched, number, version.incrementAndGet(), System.nanoTime());
      watches.removeIf(watch -> !watch.send(patched.toByteArray()));
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, patched.size());
    patched.writeTo(exchange.getResponseBody());
  }

  private void list(OutputStream out, int namespace) throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    Objects.write(
        buffer,
        "{\"kind\":\"%sList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\"},"
                .formatted(objects.kind(), version.get())
            + "\"items\":[");
    String separator = "";
    for (int i = 0; i < objects.count(); i++) {
      if (namespace < 0 || objects.namespace(i) == namespace) {
        Objects.write(buffer, separator);
        objects.write(buffer, i, version.get(), 0);
        separator = ",";
        OpenWatch.drain(buffer, out);
      }
    }
    Objects.write(buffer, "]}");
    out.write(buffer.toByteArray());
  }

  private void storm(int count, int rate) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = rate == 0 ? 0 : start + i * TimeUnit.SECONDS.toNanos(1) / rate;
      while (rate != 0 && System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int number = i;
      boolean flush = rate != 0 || i == count - 1;
      watches.removeIf(watch -> !watch.change(number, flush));
    }
  }
}
