package dev.clientgo.rest.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import okio.Okio;
import okio.Source;
import org.jspecify.annotations.Nullable;

/** The body of a request. */
public final class RequestContent {

  /** No body. */
  public static final RequestContent NONE = new RequestContent(null, true);

  /** The verbs that change nothing, so OkHttp may send them again. */
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS");

  private final @Nullable RequestBody body;
  private final boolean repeatable;

  private RequestContent(@Nullable RequestBody body, boolean repeatable) {
    this.body = body;
    this.repeatable = repeatable;
  }

  public static RequestContent of(byte[] content, String contentType) {
    return new RequestContent(new Bytes(content.clone(), MediaType.get(contentType)), true);
  }

  public static RequestContent of(InputStream content, String contentType) {
    return new RequestContent(new Stream(content, MediaType.get(contentType)), false);
  }

  /** Returns whether the body can be sent again. */
  boolean isRepeatable() {
    return repeatable;
  }

  /** Returns the bytes, null if there is no body or it is a stream. */
  byte @Nullable [] bytes() {
    return body instanceof Bytes content ? content.bytes : null;
  }

  /** Returns the length in bytes, 0 if unknown. */
  long length() {
    return body instanceof Bytes content ? content.contentLength() : 0;
  }

  /**
   * Returns the body for OkHttp, null if there is none. Some verbs must have a body in OkHttp,
   * which would also repeat a DELETE without one.
   */
  @Nullable RequestBody toBody(String verb) {
    return body == null && !REPEATABLE.contains(verb) ? new Bytes(new byte[0], null) : body;
  }

  /**
   * Bytes that OkHttp sends only once. It would repeat a POST whose response was lost, and the
   * server might create a second object. {@link RequestSender} decides about retries.
   */
  private static final class Bytes extends RequestBody {
    private final byte[] bytes;
    private final @Nullable MediaType type;

    Bytes(byte[] bytes, @Nullable MediaType type) {
      this.bytes = bytes;
      this.type = type;
    }

    @Override
    public @Nullable MediaType contentType() {
      return type;
    }

    @Override
    public long contentLength() {
      return bytes.length;
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sink.write(bytes);
    }
  }

  /** Returns whether a body can be sent again. OkHttp sees all bodies as sent only once. */
  static boolean isRepeatable(@Nullable RequestBody body) {
    return !(body instanceof Stream);
  }

  private static final class Stream extends RequestBody {
    private final InputStream in;
    private final MediaType type;

    Stream(InputStream in, MediaType type) {
      this.in = in;
      this.type = type;
    }

    @Override
    public MediaType contentType() {
      return type;
    }

    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      try (Source source = Okio.source(in)) {
        sink.writeAll(source);
      }
    }
  }
}
