package dev.clientgo.examples.podservice;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Answers queries about pods over HTTP from the cache of an informer; the package lists the paths.
 * An error is a {@code Status}, as at the API server.
 *
 * <p>Safe for use by many threads.
 */
public final class PodService implements AutoCloseable {

  private static final Logger LOG = System.getLogger(PodService.class.getName());

  /** Some 10,000 pods; a dashboard asks for the same ones again and again. */
  private static final long ENCODED_BYTES = 64L << 20;

  private static final GroupResource PODS = new GroupResource("", "pods");

  private final InformerFactory informers;
  private final SharedIndexInformer<Pod> pods;
  private final EncodedPods encoded = new EncodedPods(ENCODED_BYTES);
  private final PodHistory history;
  private final PodStreams streams;
  private final PodServiceOptions options;
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(DaemonThreads.named("pod-service-"));

  /**
   * Creates a service that has not been started.
   *
   * @throws IOException if the address cannot be used
   */
  public PodService(RESTClient client, InetSocketAddress address, PodServiceOptions options)
      throws IOException {
    this.options = options;
    informers = InformerFactory.create(client);
    pods = informers.core().v1().pods().informer();
    pods.addIndexers(PodQuery.INDICES);
    history = new PodHistory(pods.indexer(), options.history());
    pods.addEventHandler(history);
    streams = new PodStreams(history, encoded, options);
    // The JDK's server sends an answer in two pieces, and without this holds the second one back
    // until the client has acknowledged the first: 40 ms. It reads this once in a process.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(address, 0);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
  }

  /** Starts the informer and the server, and returns at once; {@code /healthz} reports the rest. */
  public void start() {
    informers.start();
    streams.start();
    server.start();
  }

  /** Waits until the cache is full. Returns false if the time is up before. */
  public boolean awaitSynced(Duration timeout) throws InterruptedException {
    return pods.awaitSynced(timeout);
  }

  /** Returns the port of the server. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      PodRequest request = new PodRequest(exchange);
      try {
        answer(request);
      } catch (ApiStatusException e) {
        request.answer(e.status());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "A request failed: " + exchange.getRequestURI(), e);
        request.answer(ApiStatusException.internalError("the log of the service has it").status());
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A client is gone", e);
    }
  }

  private void answer(PodRequest request) throws IOException, InterruptedException {
    request.requireRead();
    switch (request.path()) {
      case "/pods" -> list(request);
      case "/watch" -> watch(request);
      case "/healthz" -> health(request);
      default -> {
        if (!request.path().matches("/pods/[^/]+/[^/]+")) {
          throw ApiStatusException.notFound(
              new GroupResource("", "paths"),
              request.path() + "; there are /pods, /pods/NAMESPACE/NAME, /watch and /healthz");
        }
        get(request, request.path().substring("/pods/".length()));
      }
    }
  }

  private void list(PodRequest request) throws IOException, InterruptedException {
    Map<String, String> parameters = request.filtersAnd("limit", "continue", "resourceVersion");
    PodQuery query = PodQuery.of(parameters);
    IndexSnapshot<Pod> now = snapshot(parameters.getOrDefault("resourceVersion", ""));
    request.age(pods.health().age());
    request.answer(now.resourceVersion(), () -> encoded.json(query.page(now)));
  }

  private void get(PodRequest request, String name) throws IOException, InterruptedException {
    request.parameters(Set.of());
    Pod pod =
        snapshot("").getByKey(name).orElseThrow(() -> ApiStatusException.notFound(PODS, name));
    request.age(pods.health().age());
    request.answer(
        String.valueOf(pod.metadata().resourceVersion()), () -> List.of(encoded.json(pod)));
  }

  private void watch(PodRequest request) throws IOException, InterruptedException {
    Map<String, String> parameters = request.filtersAnd("resourceVersion");
    PodQuery query = PodQuery.of(parameters);
    // A browser that reconnects sends the first URL again, and the last id that it has seen.
    String last = request.header("Last-Event-ID");
    String version = last.isEmpty() ? parameters.getOrDefault("resourceVersion", "") : last;
    IndexSnapshot<Pod> now = snapshot(version);
    boolean all = version.isEmpty() || version.equals("0");
    streams.send(
        request,
        query,
        all ? now.resourceVersion() : version,
        all ? Optional.of(now) : Optional.empty());
  }

  /**
   * Returns the state of the cache.
   *
   * @param atLeast the version that it must have reached, as that of a write; empty or 0 for any
   */
  private IndexSnapshot<Pod> snapshot(String atLeast) throws InterruptedException {
    if (!pods.health().hasSynced()) {
      throw ApiStatusException.serviceUnavailable("the cache is not full yet, see /healthz");
    }
    if (!atLeast.isEmpty() && !atLeast.equals("0")) {
      if (!ResourceVersion.isComparable(atLeast)) {
        throw ApiStatusException.badRequest("the version " + atLeast + " is not a number from 1");
      }
      if (!pods.awaitResourceVersion(atLeast, options.versionTimeout())) {
        String newest = pods.indexer().lastStoreSyncResourceVersion();
        throw ApiStatusException.timeout(
            "the version " + atLeast + " is too large, the newest is " + newest, 1);
      }
    }
    history.begin();
    return pods.indexer().snapshot();
  }

  private void health(PodRequest request) throws IOException {
    request.parameters(Set.of());
    InformerHealth health = pods.health();
    IndexSnapshot<Pod> now = pods.indexer().snapshot();
    Optional<String> problem = health.problem(options.maxAge());
    request.answer(
        problem.isEmpty() ? 200 : 503,
        out -> {
          out.beginObject();
          out.field("status", problem.orElse("ok"));
          out.field("pods", now.size());
          out.field("resourceVersion", now.resourceVersion());
          out.field("ageSeconds", health.age().map(age -> age.toMillis() / 1000.0).orElse(null));
          out.field("state", health.state().toString());
          out.field("lastError", health.lastError().map(Throwable::getMessage).orElse(null));
          out.field("lastErrorTime", health.lastErrorTime().map(Instant::toString).orElse(null));
          out.field("omitted", health.omitted().count());
          out.field("streams", streams.count());
          out.endObject();
        });
  }

  /** Ends the streams, lets requests end within a second, and stops the informer. */
  @Override
  public void close() {
    streams.close();
    threads.shutdown();
    try {
      if (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.log(Level.DEBUG, "Requests are cut off");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.stop(0); // Closes all connections; a delay would pass in full, even without requests.
    threads.shutdownNow();
    informers.close();
  }
}
