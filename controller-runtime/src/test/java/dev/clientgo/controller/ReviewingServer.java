package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.ServerConnection;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/**
 * An API server that answers reviews alone, which the embedded server does not: it knows the tokens
 * of ada, who may get /metrics, and of bob. Each user may get /readyz, as a role of servers has it.
 */
final class ReviewingServer implements ServerConnection, AutoCloseable {

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

  RESTClient client() {
    return RESTClient.create(RestConfig.builder("http://reviews.test").connection(this).build());
  }

  @Override
  public Exchange begin(
      String method, URI url, Map<String, List<String>> headers, byte[] requestBody) {
    return new Exchange() {
      private InputStream body = InputStream.nullInputStream();

      @Override
      public ResponseHead send() throws InterruptedException {
        arrived.release();
        if (hangs) {
          closed.acquire();
        }
        String answer = answer(Unstructured.parse(new String(requestBody, UTF_8)));
        body = new ByteArrayInputStream(answer.getBytes(UTF_8));
        return new ResponseHead(code, Map.of("Content-Type", List.of("application/json")));
      }

      @Override
      public InputStream body() {
        return body;
      }

      @Override
      public void close() {}
    };
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
    boolean isAda =
        text(review, "spec", "user").equals("ada") && text(review, "spec", "groups").equals("[g]");
    boolean allowed =
        verb.equals("get") && (path.equals("/readyz") || (isAda && path.equals("/metrics")));
    return "{\"allowed\":" + allowed + "}";
  }

  private static String text(Unstructured review, String... path) {
    return review.nested(path).map(Object::toString).orElse("");
  }

  @Override
  public void close() {
    closed.release(1000);
  }
}
