package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.meta.Status;
import dev.clientgo.apimachinery.meta.StatusDetails;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer before it is sent.
 *
 * @param code the HTTP status code
 * @param headers the headers besides those that say how the body is sent
 * @param body what comes after them
 */
record Response(int code, Map<String, String> headers, Body body) {

  private static final String JSON = "application/json";

  /** What comes after the headers. */
  sealed interface Body {}

  /** A body that is known, in pieces, so that a list is not copied together. */
  record Bytes(List<byte[]> parts) implements Body {
    long length() {
      return parts.stream().mapToLong(part -> part.length).sum();
    }
  }

  /** A body that is sent as it comes into being. */
  non-sealed interface Stream extends Body {
    /** Writes the body; returns at its end. */
    void writeTo(Sink sink) throws IOException, InterruptedException;

    /** Lets {@link #writeTo} end soon: there is nobody any more who reads. */
    void stop();
  }

  /** Where a body is written to. */
  interface Sink {
    /** Adds bytes. */
    void write(byte[] bytes) throws IOException;

    /** Sends what was added. */
    void flush() throws IOException;
  }

  static Response of(int code, String contentType, Body body) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Cache-Control", "no-cache, private");
    headers.put("Content-Type", contentType);
    return new Response(code, headers, body);
  }

  static Response json(int code, List<byte[]> parts) {
    return of(code, JSON, new Bytes(parts));
  }

  static Response json(int code, Object tree) {
    return json(code, List.of(Json.write(tree)));
  }

  static Response text(int code, String text) {
    Response response =
        of(
            code,
            "text/plain; charset=utf-8",
            new Bytes(List.of(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    return response.with("X-Content-Type-Options", "nosniff");
  }

  /** Returns an answer to a request that failed. */
  static Response of(ApiStatusException failure) {
    Status status = failure.status();
    Integer code = status.code();
    Response response = json(code == null ? 500 : code, tree(status));
    StatusDetails details = status.details();
    Integer retryAfter = details == null ? null : details.retryAfterSeconds();
    return retryAfter == null || retryAfter == 0
        ? response
        : response.with("Retry-After", Integer.toString(retryAfter));
  }

  Response with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(code, more, body);
  }

  /** Returns a status as a tree, with its fields in the server's order. */
  static Map<String, Object> tree(Status status) {
    String token = status.metadata() == null ? null : status.metadata().continueToken();
    return Tree.of(
        "kind",
        "Status",
        "apiVersion",
        "v1",
        "metadata",
        Tree.of("continue", token),
        "status",
        status.status(),
        "message",
        status.message(),
        "reason",
        status.reason(),
        "details",
        details(status.details()),
        "code",
        status.code());
  }

  private static @Nullable Object details(@Nullable StatusDetails details) {
    if (details == null) {
      return null;
    }
    List<Object> causes = new ArrayList<>();
    if (details.causes() != null) {
      details
          .causes()
          .forEach(
              cause ->
                  causes.add(
                      Tree.of(
                          "reason", cause.reason(),
                          "message", cause.message(),
                          "field", cause.field())));
    }
    return Tree.of(
        "name", details.name(),
        "group", details.group(),
        "kind", details.kind(),
        "uid", details.uid(),
        "causes", causes.isEmpty() ? null : causes,
        "retryAfterSeconds", details.retryAfterSeconds());
  }
}
