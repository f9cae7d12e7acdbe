package dev.clientgo.rest;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import okio.Okio;
import okio.Source;
import org.jspecify.annotations.Nullable;

/** What a request sends. */
final class RequestContent {

  /** Nothing. */
  static final RequestContent NONE = new RequestContent(null, true);

  /** The verbs that change nothing, so that OkHttp may send them again. */
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS");

  private final @Nullable RequestBody body;
  private final boolean repeatable;

  private RequestContent(@Nullable RequestBody body, boolean repeatable) {
    this.body = body;
    this.repeatable = repeatable;
  }

  static RequestContent of(byte[] content, String contentType) {
    return new RequestContent(new Bytes(content.clone(), MediaType.get(contentType)), true);
  }

  static RequestContent of(InputStream content, String contentType) {
    return new RequestContent(new Stream(content, MediaType.get(contentType)), false);
  }

  /** Returns whether the content can be sent again. */
  boolean isRepeatable() {
    return repeatable;
  }

  /** Returns what is sent, null if it is nothing or can be read only once. */
  byte @Nullable [] bytes() {
    return body instanceof Bytes content ? content.bytes : null;
  }

  /** Returns how much is sent, 0 if that is not known. */
  long length() {
    return body instanceof Bytes content ? content.contentLength() : 0;
  }

  /**
   * Returns the content for OkHttp, which insists on one for some verbs, and would send what has
   * none, a DELETE above all, again by itself.
   */
  @Nullable RequestBody toBody(String verb) {
    return body == null && !REPEATABLE.contains(verb) ? new Bytes(new byte[0], null) : body;
  }

  /**
   * Bytes that OkHttp sends once. It would send a POST again whose answer got lost, and the server
   * might create a second object; whether to repeat a request is decided by {@link RequestSender}.
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

  /**
   * Returns whether a body can be sent once more; OkHttp is told of none, since retries are ours.
   */
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
