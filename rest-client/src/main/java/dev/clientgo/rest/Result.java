package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import java.util.function.Supplier;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * The successful answer to a request, as the server sent it.
 *
 * <p>Immutable. Corresponds to client-go's {@code rest.Result}; an error is an exception of {@link
 * Request#execute} here.
 */
public final class Result {

  private final int statusCode;
  private final Headers headers;
  private final String method;
  private final HttpUrl url;
  private final byte[] body;

  Result(HttpResponse response, byte[] body) {
    this.statusCode = response.code();
    this.headers = response.headers();
    this.method = response.request().method();
    this.url = response.request().url();
    this.body = body;
  }

  /** Returns the HTTP status: 304, without a body, if the request had an ETag that still holds. */
  public int statusCode() {
    return statusCode;
  }

  /** Returns whether the request created an object. */
  public boolean wasCreated() {
    return statusCode == 201;
  }

  /** Returns the media type of the body, if the server says. */
  public @Nullable String contentType() {
    return header("Content-Type");
  }

  /** Returns a header of the answer, the last if there are several of the name, or null. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** Returns the body. */
  public byte[] raw() {
    return body.clone();
  }

  /**
   * Reads the body as an object in JSON.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException with the reason InternalError if
   *     the {@code Content-Type} is no media type
   * @throws CodecException if it is none
   */
  public <T> T into(JsonCodec<T> codec) {
    return read(() -> codec.read(JsonReader.of(body)));
  }

  /**
   * Reads the body as an object in the encoding that the server has chosen.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException with the reason InternalError if
   *     the {@code Content-Type} is no media type
   * @throws CodecException if it is none, or if the encoding is not among these
   */
  public <T> T into(NegotiatedSerializer<T> serializers) {
    return read(() -> serializers.forContentType(contentType()).read(body, DecodeContext.create()));
  }

  /**
   * Reads what became of what was sent: the same, if the server says no more than that it is done.
   */
  <T> T into(NegotiatedSerializer<T> serializers, T sent) {
    try {
      return into(serializers);
    } catch (CodecException e) {
      if (StatusErrors.isDone(contentType(), body)) {
        return sent;
      }
      throw e;
    }
  }

  private <T> T read(Supplier<T> reader) {
    requireBody();
    try {
      return reader.get();
    } catch (CodecException e) {
      throw CodecException.malformed(
          origin() + ": the answer cannot be read: " + e.getMessage(), "", -1, e);
    }
  }

  private void requireBody() {
    StatusErrors.checkMediaType(contentType(), origin());
    if (body.length == 0) {
      throw CodecException.malformed(
          origin() + ": 0-length response with status code " + statusCode, "", -1, null);
    }
    if (StatusErrors.isHtml(contentType())) {
      throw CodecException.malformed(origin() + ": " + StatusErrors.webPage(body), "", -1, null);
    }
  }

  /** Returns where the answer is from, for messages. */
  private String origin() {
    return Transport.describe(method, url);
  }

  @Override
  public String toString() {
    return origin() + ": " + statusCode + ", " + body.length + " bytes";
  }
}
