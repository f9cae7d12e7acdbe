package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.rest.internal.http.HttpResponse;
import dev.clientgo.rest.internal.http.StatusErrors;
import dev.clientgo.rest.internal.http.TransportErrors;
import java.util.Optional;
import java.util.function.Supplier;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * A successful response.
 *
 * <p>Immutable. Corresponds to client-go's {@code rest.Result}. Unlike client-go: {@link
 * Request#execute} throws errors.
 */
public final class Result {

  private final int statusCode;
  private final Headers headers;
  private final String method;
  private final HttpUrl url;
  private final @Nullable String contentType;
  private final byte[] body;

  Result(HttpResponse response, byte[] body) {
    this.statusCode = response.code();
    this.headers = response.headers();
    this.method = response.request().method();
    this.url = response.request().url();
    this.contentType = response.header("Content-Type");
    this.body = body;
  }

  /** Returns the HTTP status; 304, without a body, if the ETag of the request is still current. */
  public int statusCode() {
    return statusCode;
  }

  /** Returns whether the request created an object. */
  public boolean wasCreated() {
    return statusCode == 201;
  }

  /** Returns the media type of the body; empty if the server sent none. */
  public Optional<String> contentType() {
    return Optional.ofNullable(contentType);
  }

  /** Returns a header, the last if there are several of the name. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** Returns the body. */
  public byte[] raw() {
    return body.clone();
  }

  /**
   * Reads the body as an object in JSON.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException with the reason InternalError if
   *     the {@code Content-Type} is not a media type
   * @throws CodecException if the body is not such an object
   */
  public <T> T into(JsonCodec<T> codec) {
    return read(() -> codec.read(JsonReader.of(body)));
  }

  /**
   * Reads the body as an object in the encoding that the server chose.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException with the reason InternalError if
   *     the {@code Content-Type} is not a media type
   * @throws CodecException if the body is not such an object or has another encoding
   */
  public <T> T into(NegotiatedSerializer<T> serializers) {
    return read(() -> serializers.forContentType(contentType).read(body, DecodeContext.ofObject()));
  }

  /**
   * Reads the stored object; returns the object that was sent if the server responds with a status.
   */
  <T> T into(NegotiatedSerializer<T> serializers, T sent) {
    try {
      return into(serializers);
    } catch (CodecException e) {
      if (StatusErrors.isDone(contentType, body)) {
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
          origin() + ": the response cannot be read: " + e.getMessage(), "", -1, e);
    }
  }

  private void requireBody() {
    StatusErrors.checkMediaType(contentType, this::origin);
    if (body.length == 0) {
      throw CodecException.malformed(
          origin() + ": 0-length response with status code " + statusCode, "", -1, null);
    }
    if (StatusErrors.isHtml(contentType)) {
      throw CodecException.malformed(origin() + ": " + StatusErrors.webPage(body), "", -1, null);
    }
  }

  /** Returns the method and the URL of the request, for messages. */
  private String origin() {
    return TransportErrors.describe(method, url);
  }

  @Override
  public String toString() {
    return origin() + ": " + statusCode + ", " + body.length + " bytes";
  }
}
