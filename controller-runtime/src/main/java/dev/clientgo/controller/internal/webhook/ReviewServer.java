package dev.clientgo.controller.internal.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.clientgo.apimachinery.meta.GoDuration;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.Deadline;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.internal.http.RequestThreads;
import dev.clientgo.controller.internal.webhook.ReviewEndpoint.Answer;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleConsumer;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Serves webhooks over HTTPS with the JDK's server. Safe for use by many threads. */
public final class ReviewServer implements AutoCloseable {

  private static final Logger LOG = System.getLogger(ReviewServer.class.getName());

  /** The longest time that an API server waits; also for a call whose URL names none. */
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(30);

  /** How much of the heap the bodies of all requests have together: a quarter, in KiB. */
  private static final int MEMORY_KIB =
      (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 4 / 1024);

  private static final String JSON = "application/json";

  private static final List<Double> BUCKETS =
      List.of(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0);

  private final HttpsServer server;
  private final CertificatePoller certificate;
  private final Map<String, ServedPath> paths = new ConcurrentHashMap<>();
  private final MetricsRegistry metrics;
  private final Clock clock;
  private final RequestThreads threads;
  private final Semaphore memory = new Semaphore(MEMORY_KIB, /* fair= */ true);

  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when no call is in progress. */
  private final Condition idle = lock.newCondition();

  @GuardedBy("lock")
  private int inProgress;

  private volatile boolean draining;

  /** The endpoint of a path and its metrics. */
  private final class ServedPath {
    final ReviewEndpoint endpoint;
    final AtomicInteger inFlight = new AtomicInteger();
    final DoubleConsumer seconds;
    private final Map<Integer, Runnable> answers = new ConcurrentHashMap<>();
    private final String path;

    ServedPath(String path, ReviewEndpoint endpoint) {
      this.path = path;
      this.endpoint = endpoint;
      seconds = metrics.histogram(metric("latency_seconds", "Seconds of a call"), BUCKETS);
      metrics.gauge(metric("requests_in_flight", "Calls in progress"), inFlight::get);
      answers.put(200, counter(200));
      answers.put(500, counter(500));
    }

    private Metric metric(String name, String help) {
      return new Metric("controller_runtime_webhook_" + name, help, Map.of("webhook", path));
    }

    private Runnable counter(int code) {
      return metrics.counter(
          new Metric(
              "controller_runtime_webhook_requests_total",
              "Calls by HTTP status",
              Map.of("webhook", path, "code", Integer.toString(code))));
    }

    void count(int code) {
      answers.computeIfAbsent(code, this::counter).run();
    }
  }

  private ReviewServer(
      HttpsServer server,
      CertificatePoller certificate,
      MetricsRegistry metrics,
      RequestThreads threads,
      Clock clock) {
    this.server = server;
    this.certificate = certificate;
    this.metrics = metrics;
    this.clock = clock;
    this.threads = threads;
  }

  /**
   * Starts to serve.
   *
   * @param address where to listen; port 0 for any
   * @param clients the authorities of which clients must have a certificate; null for any client
   * @throws IllegalStateException if the address cannot be used
   */
  public static ReviewServer start(
      InetSocketAddress address,
      Map<String, ReviewEndpoint> endpoints,
      CertificatePoller certificate,
      @Nullable X509TrustManager clients,
      MetricsRegistry metrics,
      Clock clock) {
    RequestThreads threads = new RequestThreads("webhook-", clock, /* closesOldest= */ false);
    HttpsServer http;
    try {
      http = HttpsServer.create(address, /* backlog= */ 0);
    } catch (IOException e) {
      throw new IllegalStateException(
          "webhooks cannot listen at " + address + ": " + e.getMessage() + "; choose another port",
          e);
    }
    ReviewServer server = new ReviewServer(http, certificate, metrics, threads, clock);
    try {
      endpoints.forEach(
          (path, endpoint) -> server.paths.put(path, server.new ServedPath(path, endpoint)));
      http.setHttpsConfigurator(certificate.configurator(clients));
      http.setExecutor(threads);
      http.createContext("/", server::serve);
      certificate.start();
      threads.start();
      http.start();
      return server;
    } catch (Throwable e) { // No memory for a thread.
      server.close();
      throw e;
    }
  }

  /** Returns where this listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Returns whether there is a certificate that does not run out within five minutes. */
  public boolean hasCertificate() {
    return certificate.isServing();
  }

  /** Returns why clients can soon not trust this server; empty if nothing hints at that. */
  public Optional<String> problem() {
    return certificate.problem();
  }

  /** Returns whether no thread has been free for longer than a call may take. */
  public boolean isStuck() {
    return threads.isStuck();
  }

  // ---- a call

  private void serve(HttpExchange exchange) throws IOException {
    begin();
    try (exchange) {
      if (draining) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      ServedPath path = paths.get(String.valueOf(exchange.getRequestURI().getPath()));
      if (path == null) {
        send(exchange, 404, "text/plain; charset=utf-8", index());
        return;
      }
      path.inFlight.incrementAndGet();
      long start = clock.nanoTime();
      try {
        Answer answer = answer(exchange, path.endpoint);
        path.count(answer.code());
        send(exchange, answer.code(), JSON, answer.body());
      } finally {
        path.inFlight.decrementAndGet();
        path.seconds.accept((clock.nanoTime() - start) / 1e9);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A connection to webhooks broke", e);
      throw e;
    } finally {
      end();
    }
  }

  private String index() {
    StringBuilder text = new StringBuilder("no such webhook; there are\n");
    paths.keySet().stream().sorted().forEach(path -> text.append(path).append('\n'));
    return text.toString();
  }

  private Answer answer(HttpExchange exchange, ReviewEndpoint endpoint) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      return endpoint.refuse(405, "a webhook takes only POST");
    }
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (!JSON.equals(type)) {
      return endpoint.refuse(415, "contentType=" + type + ", expected " + JSON);
    }
    InputStream in = exchange.getRequestBody();
    int max = endpoint.maxBody();
    long declared = declaredLength(exchange);
    long expected = declared < 0 ? max : declared > max ? 0 : declared;
    int kib = (int) Math.min(MEMORY_KIB, expected / 1024 + 1);
    await(kib);
    try {
      byte[] body = declared > max ? new byte[0] : in.readNBytes(max + 1);
      if (declared > max || body.length > max) {
        discard(in, 2L * max); // So most clients read the answer.
        exchange.getResponseHeaders().set("Connection", "close");
        return endpoint.refuse(413, "request entity is too large; limit is " + max + " bytes");
      }
      if (body.length == 0) {
        return endpoint.refuse(400, "request body is empty");
      }
      threads.work(timeout(exchange));
      return endpoint.answer(body);
    } finally {
      threads.awaitClient(); // For the answer.
      memory.release(kib);
    }
  }

  /** Returns the length that the head declares; -1 if the body comes in chunks. */
  private static long declaredLength(HttpExchange exchange) {
    String length = exchange.getRequestHeaders().getFirst("Content-Length");
    boolean chunked = exchange.getRequestHeaders().containsKey("Transfer-Encoding");
    return chunked || length == null ? -1 : Long.parseLong(length);
  }

  /** Waits for memory for a body. Slow clients lose theirs meanwhile. */
  private void await(int kib) throws IOException {
    if (memory.tryAcquire(kib)) {
      return;
    }
    threads.work(RequestThreads.CLIENT_TIMEOUT);
    threads.waitForOthers(1);
    try {
      memory.acquire(kib);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("no memory for the body of a request in time");
    } finally {
      threads.waitForOthers(-1);
      threads.awaitClient();
    }
  }

  private static void discard(InputStream in, long most) throws IOException {
    byte[] buffer = new byte[8192];
    long left = most;
    for (int read = 0; read >= 0 && left > 0; left -= read) {
      read = in.read(buffer);
    }
  }

  /** Returns how long the server waits for the answer, which its URL states. */
  private static Duration timeout(HttpExchange exchange) {
    String query = exchange.getRequestURI().getQuery();
    if (query == null) {
      return MAX_TIMEOUT;
    }
    for (String parameter : query.split("&", -1)) {
      if (parameter.startsWith("timeout=")) {
        return parsed(parameter.substring("timeout=".length()));
      }
    }
    return MAX_TIMEOUT;
  }

  private static Duration parsed(String timeout) {
    try {
      Duration parsed = GoDuration.parse(timeout).toDuration();
      boolean valid = parsed.compareTo(Duration.ZERO) > 0 && parsed.compareTo(MAX_TIMEOUT) < 0;
      return valid ? parsed : MAX_TIMEOUT;
    } catch (RuntimeException e) {
      LOG.log(
          Level.DEBUG, "The timeout of a call cannot be read: timeout={0}", CrashLog.line(timeout));
      return MAX_TIMEOUT;
    }
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  // ---- the end

  private void begin() {
    lock.lock();
    try {
      inProgress++;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      inProgress--;
      if (inProgress == 0) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Serves until no call is in progress, or the time is up; then ends. Connections are closed after
   * their answers meanwhile, so that clients go to another replica.
   *
   * @return whether all calls have ended
   */
  public boolean close(Duration drain) {
    draining = true;
    boolean ended = awaitIdle(drain);
    close();
    return ended;
  }

  private boolean awaitIdle(Duration drain) {
    Deadline deadline = clock.deadline(drain);
    lock.lock();
    try {
      while (inProgress > 0 && deadline.await(lock, idle)) {}
      return inProgress == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends at once. */
  @Override
  public void close() {
    server.stop(0);
    certificate.close();
    threads.close();
  }
}
