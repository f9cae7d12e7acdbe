package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusDetails;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A request, and its answer. Belongs to one thread. */
final class PodRequest {

  private static final int BUFFER = 1 << 16;

  private final HttpExchange exchange;

  PodRequest(HttpExchange exchange) {
    this.exchange = exchange;
  }

  /** Returns the path. */
  String path() {
    return exchange.getRequestURI().getPath();
  }

  /** Returns a header, or an empty text. */
  String header(String name) {
    return exchange.getRequestHeaders().getOrDefault(name, List.of("")).get(0);
  }

  /** Makes sure that the request only reads. A stream has no end that HEAD could tell of. */
  void requireRead() {
    String method = exchange.getRequestMethod();
    Set<String> allowed = path().equals("/watch") ? Set.of("GET") : Set.of("GET", "HEAD");
    if (!allowed.contains(method)) {
      exchange.getResponseHeaders().set("Allow", String.join(", ", new TreeSet<>(allowed)));
      throw new ApiStatusException(
          Status.builder()
              .status("Failure")
              .reason("MethodNotAllowed")
              .message(method + " is not supported, only GET")
              .code(405)
              .build());
    }
  }

  /**
   * Returns the parameters of the query.
   *
   * @param known the names that the path knows
   * @throws ApiStatusException if a parameter is unknown or repeated
   */
  Map<String, String> parameters(Set<String> known) {
    Map<String, String> parameters = new HashMap<>();
    String query = exchange.getRequestURI().getRawQuery();
    for (String part : query == null ? new String[0] : query.split("&", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      String[] nameAndValue = part.split("=", 2);
      String name = decoded(nameAndValue[0]);
      if (!known.contains(name)) {
        throw ApiStatusException.badRequest(
            "%s has no parameter \"%s\"; it has %s".formatted(path(), name, new TreeSet<>(known)));
      }
      String value = nameAndValue.length == 1 ? "" : decoded(nameAndValue[1]);
      if (parameters.put(name, value) != null) {
        throw ApiStatusException.badRequest("the parameter \"" + name + "\" is there twice");
      }
    }
    return parameters;
  }

  /** Returns the parameters of the query, which may be filters of pods and these. */
  Map<String, String> filtersAnd(String... others) {
    Set<String> known = new HashSet<>(PodQuery.FILTERS);
    known.addAll(List.of(others));
    return parameters(known);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiStatusException.badRequest(text + ": " + e.getMessage());
    }
  }

  /** Adds the header {@code Age}: how many seconds ago the API server last sent anything. */
  void age(Optional<Duration> age) {
    age.ifPresent(
        time -> exchange.getResponseHeaders().set("Age", String.valueOf(time.toSeconds())));
  }

  /**
   * Answers 304 if the client has this version, and otherwise the JSON text of it.
   *
   * @param json returns the text in pieces
   */
  void answer(String version, Supplier<List<byte[]>> json) throws IOException {
    String tag = "\"" + version + "\"";
    exchange.getResponseHeaders().set("ETag", tag);
    exchange.getResponseHeaders().set("Cache-Control", "no-cache"); // Ask each time.
    boolean isKnown =
        exchange.getRequestHeaders().getOrDefault("If-None-Match", List.of()).stream()
            .flatMap(header -> Stream.of(header.split(",", -1)))
            .map(known -> known.strip().replaceFirst("^W/", ""))
            .anyMatch(known -> known.equals(tag) || known.equals("*"));
    if (isKnown) {
      exchange.sendResponseHeaders(304, -1);
    } else {
      answer(200, json.get());
    }
  }

  /** Answers an error. */
  void answer(Status error) throws IOException {
    Integer seconds = error.findDetails().map(StatusDetails::retryAfterSeconds).orElse(null);
    if (seconds != null) {
      exchange.getResponseHeaders().set("Retry-After", seconds.toString());
    }
    Integer code = error.code();
    answer(code == null ? 500 : code, out -> Status.CODEC.write(out, error));
  }

  /** Answers a value in JSON. */
  void answer(int code, Consumer<JsonWriter> value) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    JsonWriter json = JsonWriter.to(body);
    value.accept(json);
    json.flush();
    answer(code, List.of(body.toByteArray()));
  }

  private void answer(int code, List<byte[]> json) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(code, -1);
      return;
    }
    int length = json.stream().mapToInt(piece -> piece.length).sum();
    exchange.sendResponseHeaders(code, length);
    OutputStream body = exchange.getResponseBody();
    try (OutputStream out = new BufferedOutputStream(body, Math.min(length, BUFFER))) {
      for (byte[] piece : json) {
        out.write(piece);
      }
    }
  }

  /** Begins the answer to {@code /watch}. */
  OutputStream answerEvents() throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, 0);
    return new BufferedOutputStream(exchange.getResponseBody(), BUFFER);
  }
}
