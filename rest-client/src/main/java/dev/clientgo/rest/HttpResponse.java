package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.Response;
import okio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * An answer whose head has arrived and whose body is on its way. Whoever holds it closes it.
 *
 * <p>The body is read by one thread; {@link #close} may be called by any.
 */
final class HttpResponse implements AutoCloseable {

  /** How much of an answer that nobody wants is read for the sake of its connection. */
  private static final int DISCARDED = 2048;

  private static final int PIECE = 2048;

  /**
   * The header that carries {@code Retry-After} past OkHttp. OkHttp would follow {@code
   * Retry-After: 0} once by itself, and {@link RequestSender} decides about retries alone.
   */
  private static final String RETRY_AFTER = "Client-Go-Retry-After";

  private final Response response;
  private final InterruptibleCall call;
  private final Consumer<HttpResponse> onClose;
  private final Body body;
  private final ReentrantLock reading = new ReentrantLock();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile Runnable whenReleased = () -> {};
  private volatile boolean closed;
  private volatile boolean clientClosed;

  HttpResponse(Response response, InterruptibleCall call, Consumer<HttpResponse> onClose) {
    this.response = response;
    this.call = call;
    this.onClose = onClose;
    this.body = new Body(response.body().byteStream());
  }

  /** Renames {@code Retry-After}, as an interceptor of OkHttp. */
  static Response renameRetryAfter(Interceptor.Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    String retryAfter = response.header("Retry-After");
    return retryAfter == null
        ? response
        : response.newBuilder().removeHeader("Retry-After").header(RETRY_AFTER, retryAfter).build();
  }

  okhttp3.Request request() {
    return response.request();
  }

  int code() {
    return response.code();
  }

  String protocol() {
    return response.protocol().toString();
  }

  /**
   * Returns whether this is what was asked for. Unlike client-go: whoever says what he knows takes
   * it for an answer that nothing has changed.
   */
  boolean isSuccess() {
    boolean unchanged = code() == 304 && request().header("If-None-Match") != null;
    return (code() >= 200 && code() <= 206) || unchanged;
  }

  @Nullable String header(String name) {
    return response.header(name);
  }

  /** Returns after how long the server wants to be asked again; a date is not understood. */
  Optional<Duration> retryAfter() {
    String seconds = header(RETRY_AFTER);
    return seconds != null && seconds.matches("[0-9]{1,9}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds)))
        : Optional.empty();
  }

  List<String> headers(String name) {
    return response.headers(name);
  }

  Headers headers() {
    return response.headers();
  }

  /** Keeps the first bytes of the body, for {@link #kept}. */
  void keep(int length) {
    body.keep = length;
  }

  /** Returns the bytes that were kept of those that were read. */
  byte[] kept() {
    return body.kept.toByteArray();
  }

  /** Returns how much of the body has been read. */
  long count() {
    return body.count;
  }

  /** Sets what is done once, when nobody reads the body any more. */
  void whenReleased(Runnable action) {
    whenReleased = action;
  }

  /** Returns method and address, without the query, for messages. */
  String describe() {
    return Transport.describe(request());
  }

  /** Returns the body. */
  InputStream body() {
    return body;
  }

  /** What reads a body. */
  @FunctionalInterface
  interface BodyReader<T> {
    /** Reads it. */
    T read(InputStream in) throws IOException;
  }

  /**
   * Reads the body with a decoder, which may wrap an error of the stream in one of its own.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  <T> T read(BodyReader<T> reader) throws InterruptedException {
    try {
      return reader.read(body);
    } catch (IOException e) {
      throw failure(e);
    } catch (RuntimeException e) {
      if (body.failure != null) {
        throw failure(body.failure);
      }
      throw e;
    }
  }

  /**
   * Reads all of the body. OkHttp lends the room for what arrives, so that no more than an array of
   * the right length is made, whether the server says how long that is or not.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] readAll() throws InterruptedException {
    return read(in -> new Buffer().readFrom(in).readByteArray());
  }

  /**
   * Reads the body of an error as far as it comes. What speaks TLS, to name one, says so to who
   * does not, and resets the connection.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] readError() throws InterruptedException {
    Buffer read = new Buffer();
    try {
      return read(
          in -> {
            byte[] piece = new byte[PIECE];
            for (int n; read.size() < StatusErrors.MAX_BODY && (n = in.read(piece)) >= 0; ) {
              read.write(piece, 0, n);
            }
            return read.readByteArray();
          });
    } catch (TransportException e) {
      // Unlike client-go: that it is an error says more than that not all of it has come.
      return read.readByteArray();
    }
  }

  private RuntimeException failure(IOException e) throws InterruptedException {
    if (body.interruption != null) {
      // The stream has set the flag, as its signature let it do no more.
      Thread.interrupted();
      throw body.interruption;
    }
    return clientClosed
        ? TransportErrors.clientClosed(describe(), e)
        : TransportErrors.whileReading(e, request(), body.count);
  }

  /** Returns whether the call was ended here, not by the server. */
  boolean isCancelled() {
    return call.call().isCanceled();
  }

  /** Reads a short rest of the body, so that the connection can be used again, and closes. */
  void discard() throws InterruptedException {
    try (this) {
      body.readNBytes(DISCARDED);
      body.read();
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      // The rest is of no interest, only its end was.
    }
  }

  /**
   * Frees the connection. If the body has not been read to its end, the call is cancelled, and a
   * thread that waits for more of it is woken.
   */
  @Override
  public void close() {
    closed = true;
    if (!body.atEnd) {
      // OkHttp would otherwise wait a moment for the rest, so as to keep the connection.
      call.cancel();
    }
    releaseIfIdle();
  }

  /** Does the same, because the client is closed: a thread that reads the body is told so. */
  void closeWithClient() {
    clientClosed = true;
    close();
  }

  /** A body must not be closed while it is read; whoever reads it then closes it. */
  private void releaseIfIdle() {
    if (reading.tryLock()) {
      try {
        response.close();
        onClose.accept(this);
        if (released.compareAndSet(false, true)) {
          whenReleased.run();
        }
      } finally {
        reading.unlock();
      }
    }
  }

  /** The body as a stream that remembers how it failed. */
  private final class Body extends InputStream {
    private final InputStream in;
    private @Nullable IOException failure;
    private @Nullable InterruptedException interruption;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private int keep;
    private long count;
    private volatile boolean atEnd;

    Body(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      reading.lock();
      try {
        return readLocked(bytes, offset, length);
      } finally {
        reading.unlock();
        if (closed) {
          releaseIfIdle();
        }
      }
    }

    private int readLocked(byte[] bytes, int offset, int length) throws IOException {
      if (closed) {
        failure = new IOException(clientClosed ? "the client was closed" : "closed");
        throw failure;
      }
      try {
        int read = call.read(in, bytes, offset, length);
        if (read < 0) {
          atEnd = true;
        } else {
          count += read;
          kept.write(bytes, offset, Math.min(read, keep - kept.size()));
        }
        return read;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interruption = e;
        failure = new InterruptedIOException("interrupted");
        failure.initCause(e);
        throw failure;
      } catch (IOException e) {
        failure = clientClosed ? new IOException("the client was closed", e) : e;
        throw failure;
      }
    }

    @Override
    public void close() {
      HttpResponse.this.close();
    }
  }
}
