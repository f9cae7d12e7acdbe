package dev.clientgo.examples.webservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.HttpServer;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Answers questions about pods over HTTP, from a cache:
 *
 * <pre>
 *   /pods?app=web              the pods with these labels; all without
 *   /pod/NAMESPACE/NAME        one pod, as JSON
 *   /node/NAME                 the pods of a node
 *   /readyz                    200 as soon as the cache is full, 503 before and if it is stale
 * </pre>
 */
final class PodService implements AutoCloseable {

  private static final String BY_NODE = "node";

  /** A server sends an event or a bookmark about every minute. */
  private static final Duration STALE = Duration.ofMinutes(5);

  private final InformerFactory informers;
  private final SharedIndexInformer<Pod> pods;
  private final HttpServer server;

  /** An answer to a request. */
  private record Answer(int status, String text) {}

  PodService(RESTClient client, InetSocketAddress address) throws IOException {
    informers = InformerFactory.create(client);
    pods = informers.core().v1().pods().informer();
    pods.addIndexers(Map.of(BY_NODE, IndexFunction.ofNullable(pod -> pod.spec().nodeName())));
    server = HttpServer.create(address, 0);
    onGet("/pods", query -> names(pods.lister().list(Selector.parse(query))));
    onGet("/pod/", this::pod);
    onGet("/node/", node -> names(pods.indexer().byIndex(BY_NODE, node)));
    onGet("/readyz", query -> readiness(pods.health()));
  }

  /** Starts the informer and the server. The service is ready a moment later: see /readyz. */
  void start() {
    informers.start();
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private Answer pod(String name) {
    return pods.lister()
        .find(ObjectName.parse(name))
        .map(pod -> new Answer(200, RawJson.of(Pod.CODEC, pod) + "\n"))
        .orElse(new Answer(404, "there is no pod " + name + "\n"));
  }

  private static Answer names(List<Pod> pods) {
    return new Answer(
        200, pods.stream().map(pod -> ObjectName.of(pod) + "\n").sorted().collect(joining()));
  }

  private static Answer readiness(InformerHealth health) {
    boolean fresh =
        health.lastEvent().orElse(Instant.EPOCH).isAfter(Clock.system().now().minus(STALE))
            || health.lastList().orElse(Instant.EPOCH).isAfter(Clock.system().now().minus(STALE));
    return new Answer(health.hasSynced() && fresh ? 200 : 503, health + "\n");
  }

  /** Answers a path, and all below it, with what a function says to its query or its rest. */
  private void onGet(String path, Function<String, Answer> function) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            String query = exchange.getRequestURI().getQuery();
            String rest = exchange.getRequestURI().getPath().substring(path.length());
            Answer answer = answer(function, query == null ? rest : query);
            byte[] body = answer.text.getBytes(UTF_8);
            exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
          }
        });
  }

  private static Answer answer(Function<String, Answer> function, String argument) {
    try {
      return function.apply(argument);
    } catch (IllegalArgumentException e) { // It is not a selector, or not a name.
      return new Answer(400, e.getMessage() + "\n");
    }
  }

  /** Lets open requests end within a second, then stops the informer. */
  @Override
  public void close() {
    server.stop(1);
    informers.close();
  }
}
