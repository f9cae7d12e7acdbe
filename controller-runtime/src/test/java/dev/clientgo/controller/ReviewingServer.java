package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * An API server that answers reviews alone, which the embedded server does not: it knows the tokens
 * of ada, who may get /metrics, and of bob, who may get nothing.
 */
final class ReviewingServer implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** The tokens and the paths that were reviewed. */
  final List<String> tokens = new CopyOnWriteArrayList<>();

  final List<String> paths = new CopyOnWriteArrayList<>();

  /** The status of each answer. */
  volatile int code = 201;

  /** Released when a review arrives. */
  final Semaphore arrived = new Semaphore(0);

  /** Whether reviews wait until {@link #close}. */
  volatile boolean hangs;

  private final Semaphore closed = new Semaphore(0);

  ReviewingServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  RESTClient client() {
    return RESTClient.create(
        RestConfig.builder("http://127.0.0.1:" + server.getAddress().getPort()).build());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Unstructured review =
          Unstructured.parse(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      arrived.release();
      if (hangs) {
        closed.acquireUninterruptibly();
      }
      byte[] body = answer(review).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String answer(Unstructured review) {
    if (code != 201) {
      return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":" + code + "}";
    }
    String answer = "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"status\":%s}";
    return answer.formatted(review.kind(), review.apiVersion(), status(review));
  }

  private String status(Unstructured review) {
    if (review.kind().equals("TokenReview")) {
      String token = text(review, "spec", "token");
      tokens.add(token);
      boolean known = token.equals("ada") || token.equals("bob");
      return known
          ? "{\"authenticated\":true,\"user\":{\"username\":\"" + token + "\",\"groups\":[\"g\"]}}"
          : "{\"error\":\"invalid bearer token\"}";
    }
    String path = text(review, "spec", "nonResourceAttributes", "path");
    String verb = text(review, "spec", "nonResourceAttributes", "verb");
    paths.add(verb + " " + path);
    boolean allowed =
        text(review, "spec", "user").equals("ada")
            && text(review, "spec", "groups").equals("[g]")
            && verb.equals("get")
            && path.equals("/metrics");
    return "{\"allowed\":" + allowed + "}";
  }

  private static String text(Unstructured review, String... path) {
    return review.nested(path).map(Object::toString).orElse("");
  }

  @Override
  public void close() {
    closed.release(1000);
    server.stop(0);
    threads.shutdown();
  }
}
