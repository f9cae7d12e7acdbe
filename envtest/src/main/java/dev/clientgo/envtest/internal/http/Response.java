package dev.clientgo.envtest.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import okhttp3.Headers;

/**
 * A response before it is sent.
 *
 * @param code the HTTP status code
 * @param headers the headers, except those for the transfer of the body
 * @param body the body
 */
public record Response(int code, Headers headers, Body body) {

  private static final String JSON = "application/json";

  /** The body of a response. */
  public sealed interface Body {}

  /** A body that is known in full. It is kept in pieces, so that lists need no copying. */
  public record Bytes(List<byte[]> parts) implements Body {
    public long length() {
      return parts.stream().mapToLong(part -> part.length).sum();
    }
  }

  /** A body that is written as it is produced. */
  public non-sealed interface Stream extends Body {
    /** Writes the body; returns at its end. */
    void writeTo(Sink sink) throws IOException, InterruptedException;

    /** Makes {@link #writeTo} return soon, because the client has disconnected. */
    void stop();

    /** Makes {@link #writeTo} flush soon, which shows whether the client is still there. */
    default void poke() {}
  }

  /** A connection that another protocol takes over after the headers, over HTTP/1.1. */
  public non-sealed interface Upgrade extends Body {
    /** Speaks the protocol; the connection is closed when this returns. */
    void speak(UpgradedSocket socket) throws IOException, InterruptedException;
  }

  /** No response; the connection is closed after the pause. */
  public record Silence(ResponsePause pause) implements Body {}

  /** The target of a body. */
  public interface Sink {
    /** Adds bytes. */
    void write(byte[] bytes) throws IOException, InterruptedException;

    /** Sends the bytes that were added. */
    void flush() throws IOException;
  }

  /** A fault in the middle of a body. */
  public interface Fault {
    /** Runs on the thread that writes the body; an exception ends the body. */
    void inject(Sink sink) throws IOException, InterruptedException;
  }

  public static Response of(int code, String contentType, Body body) {
    Headers headers = Headers.of("Cache-Control", "no-cache, private", "Content-Type", contentType);
    return new Response(code, headers, body);
  }

  /** Returns the response that switches a connection to another protocol. */
  public static Response upgrade(String protocol, Upgrade upgrade) {
    return new Response(101, Headers.of("Upgrade", protocol, "Connection", "Upgrade"), upgrade);
  }

  public static Response json(int code, List<byte[]> parts) {
    return of(code, JSON, new Bytes(parts));
  }

  public static Response tree(int code, Map<String, Object> tree) {
    return json(code, List.of(JsonText.write(tree)));
  }

  /** Returns a {@code Status} that reports success. */
  public static Response done(int code) {
    return tree(
        code,
        JsonTree.of(
            "kind", "Status",
            "apiVersion", "v1",
            "metadata", Map.of(),
            "status", "Success",
            "code", (long) code));
  }

  public static Response text(int code, String text) {
    Body body = new Bytes(List.of(text.getBytes(UTF_8)));
    Response response = of(code, "text/plain; charset=utf-8", body);
    return response.with("X-Content-Type-Options", "nosniff");
  }

  /** Returns a response that is never sent. */
  public static Response silence(ResponsePause pause) {
    return new Response(0, Headers.of(), new Silence(pause));
  }

  /** Returns the response for an API error. */
  public static Response of(ApiStatusException failure) {
    Status status = failure.status();
    Integer code = status.code();
    Response response = json(code == null ? 500 : code, List.of(text(status)));
    StatusDetails details = status.details();
    Integer retryAfter = details == null ? null : details.retryAfterSeconds();
    return retryAfter == null || retryAfter == 0
        ? response
        : response.with("Retry-After", Integer.toString(retryAfter));
  }

  /** Returns this response with a header that replaces those of the same name. */
  public Response with(String name, String value) {
    return new Response(code, headers.newBuilder().set(name, value).build(), body);
  }

  /** Returns this response with one more header. */
  public Response plus(String name, String value) {
    return new Response(code, headers.newBuilder().add(name, value).build(), body);
  }

  /** Returns a status as JSON, in the server's form. */
  @SuppressWarnings("ReferenceEquality") // EMPTY stands for absent metadata by its identity
  public static byte[] text(Status status) {
    ListMeta metadata = status.metadata();
    ListMeta present = metadata == ListMeta.EMPTY ? ListMeta.builder().build() : metadata;
    Status whole = status.toBuilder().metadata(present).build();
    return JsonWriter.toBytes(Status.CODEC, whole);
  }
}
