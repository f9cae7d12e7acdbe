package dev.clientgo.rest.internal.http;

import dev.clientgo.apimachinery.errors.TransportException;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import okhttp3.Headers;
import okhttp3.Response;
import okio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A response whose head has arrived, and whose body is read as it arrives. The caller closes it.
 *
 * <p>One thread reads the body; any thread may call {@link #close}.
 */
public final class HttpResponse implements AutoCloseable {

  private static final Logger LOG = System.getLogger(HttpResponse.class.getName());

  /** The most bytes that are read of an unwanted body, so that its connection can be reused. */
  private static final int DISCARDED = 2048;

  private static final int PIECE = 2048;

  /** The most bytes that are read of the body of an error. */
  private static final int MAX_ERROR_BODY = 1 << 20;

  private final Response response;
  private final InterruptibleCall call;
  private final @Nullable IdleTimer idleTimer;
  private final Consumer<HttpResponse> onClose;
  private final Body body;

  /** Present if the connection has switched to another protocol. */
  private final @Nullable Output output;

  private final ReentrantLock reading = new ReentrantLock();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile Runnable whenReleased = () -> {};
  private volatile boolean closed;
  private volatile boolean clientClosed;

  /**
   * @param idleTimer ends a read for which nothing arrives; null if the connection itself does
   */
  HttpResponse(
      Response response,
      InterruptibleCall call,
      @Nullable IdleTimer idleTimer,
      Consumer<HttpResponse> onClose) {
    this.response = response;
    this.call = call;
    this.idleTimer = idleTimer;
    this.onClose = onClose;
    UpgradedSocket socket = (UpgradedSocket) response.socket();
    this.body = new Body(socket == null ? response.body().byteStream() : socket.input());
    this.output = socket == null ? null : new Output(socket);
  }

  public okhttp3.Request request() {
    return response.request();
  }

  public int code() {
    return response.code();
  }

  String protocol() {
    return response.protocol().toString();
  }

  /**
   * Returns whether the request has succeeded. Unlike client-go: a 304 to a conditional request
   * counts as success.
   */
  public boolean isSuccess() {
    boolean unchanged = code() == 304 && request().header("If-None-Match") != null;
    return (code() >= 200 && code() <= 206) || unchanged;
  }

  public @Nullable String header(String name) {
    return response.header(name);
  }

  /** Returns {@code Retry-After} in seconds; empty if it is absent or a date. */
  Optional<Duration> retryAfter() {
    return RetryAfter.of(response);
  }

  public List<String> headers(String name) {
    return response.headers(name);
  }

  public Headers headers() {
    return response.headers();
  }

  /** Keeps the first bytes of the body, for {@link #kept}. */
  void keep(int length) {
    body.keep = length;
    body.kept = new ByteArrayOutputStream();
  }

  /** Returns the bytes kept. */
  byte[] kept() {
    return body.kept == null ? new byte[0] : body.kept.toByteArray();
  }

  /** Returns how many bytes of the body have been read. */
  long count() {
    return body.count;
  }

  /** Returns why the body has ended too early, null if it has not. */
  @Nullable IOException failure() {
    return body.failure;
  }

  /** Sets an action that runs once, after the last read of the body. */
  void whenReleased(Runnable action) {
    whenReleased = action;
  }

  /** Returns the method and the URL of the request, without the query, for messages. */
  public String describe() {
    return TransportErrors.describe(request());
  }

  /** Returns the body. */
  public InputStream body() {
    return body;
  }

  /**
   * Returns the stream to the server, if the connection has switched to another protocol. The body
   * is then the stream from the server.
   */
  public Optional<OutputStream> output() {
    return Optional.ofNullable(output);
  }

  /** Reads a body. */
  @FunctionalInterface
  public interface BodyReader<T> {
    /** Reads the body. */
    T read(InputStream in) throws IOException;
  }

  /**
   * Reads the body with a decoder, which may wrap errors of the stream in its own.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public <T> T read(BodyReader<T> reader) throws InterruptedException {
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
   * Reads the whole body. OkHttp's buffer holds it until its length is known, so that only one
   * array of the right length is allocated.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public byte[] readAll() throws InterruptedException {
    return read(in -> new Buffer().readFrom(in).readByteArray());
  }

  /**
   * Reads the body of an error as far as it arrives. A TLS server that receives plain HTTP, for
   * example, replies with an error and resets the connection.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public byte[] readError() throws InterruptedException {
    Buffer read = new Buffer();
    try {
      return read(
          in -> {
            byte[] piece = new byte[PIECE];
            for (int n; read.size() < MAX_ERROR_BODY && (n = in.read(piece)) >= 0; ) {
              read.write(piece, 0, n);
            }
            return read.readByteArray();
          });
    } catch (TransportException e) {
      // Unlike client-go: the error of the server matters more than that its text is incomplete.
      return read.readByteArray();
    }
  }

  private RuntimeException failure(IOException e) throws InterruptedException {
    if (body.interruption != null) {
      // The stream had to set the flag, because read() cannot throw InterruptedException.
      Thread.interrupted();
      throw body.interruption;
    }
    return clientClosed
        ? TransportErrors.clientClosed(describe(), e)
        : TransportErrors.whileReading(e, request(), body.count);
  }

  /** Returns whether this client has cancelled the call. */
  public boolean isCancelled() {
    return call.call().isCanceled() && !isSilent();
  }

  /** Returns whether the server has sent nothing for too long. */
  private boolean isSilent() {
    return idleTimer != null && idleTimer.hasExpired();
  }

  /** Reads the rest of a short body, so that the connection can be reused, and closes. */
  void discard() throws InterruptedException {
    try (this) {
      body.readNBytes(DISCARDED);
      body.read();
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      // The content is not needed.
    }
  }

  /**
   * Releases the connection. If the body is not read to its end, this cancels the call and wakes a
   * thread that waits for more of it.
   */
  @Override
  public void close() {
    closed = true;
    if (idleTimer != null) {
      idleTimer.stop();
    }
    if (!body.atEnd || output != null) {
      // Otherwise OkHttp would wait a moment for the rest, to keep the connection.
      call.cancel();
    }
    releaseIfIdle();
    if (output != null) {
      output.releaseIfIdle();
    }
  }

  /** Closes the response because the client is closed; reads then throw an error that says so. */
  void closeWithClient() {
    clientClosed = true;
    close();
  }

  /** A body must not be closed during a read; the reading thread closes it afterwards. */
  private void releaseIfIdle() {
    if (reading.tryLock()) {
      try {
        response.close();
        body.release();
        onClose.accept(this);
        if (released.compareAndSet(false, true)) {
          whenReleased.run();
        }
      } finally {
        reading.unlock();
      }
    }
  }

  /** The body as a stream that remembers its failure. */
  private final class Body extends InputStream {
    private final InputStream in;
    private @Nullable IOException failure;
    private @Nullable InterruptedException interruption;

    /** The first bytes, null if none are kept. */
    private @Nullable ByteArrayOutputStream kept;

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
      if (length == 0) {
        return 0; // Okio would wait for a byte.
      }
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
        int read = timed(bytes, offset, length);
        if (read < 0) {
          atEnd = true;
        } else {
          count += read;
          if (kept != null) {
            kept.write(bytes, offset, Math.min(read, keep - kept.size()));
          }
        }
        return read;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interruption = e;
        failure = new InterruptedIOException("interrupted");
        failure.initCause(e);
        throw failure;
      } catch (IOException e) {
        failure = cause(e);
        throw failure;
      }
    }

    private int timed(byte[] bytes, int offset, int length)
        throws IOException, InterruptedException {
      if (idleTimer == null) {
        return call.read(in, bytes, offset, length);
      }
      idleTimer.readBeginsOrEnds();
      try {
        return call.read(in, bytes, offset, length);
      } finally {
        idleTimer.readBeginsOrEnds();
      }
    }

    private IOException cause(IOException e) {
      if (clientClosed) {
        return new IOException("the client was closed", e);
      }
      if (isSilent()) {
        IOException timeout = new SocketTimeoutException("timeout");
        timeout.initCause(e);
        return timeout;
      }
      return e;
    }

    @Override
    public void close() {
      HttpResponse.this.close();
    }

    /** Closing a response does not close the connection that it has switched. */
    private void release() {
      if (output != null) {
        closeQuietly(in);
      }
    }
  }

  /**
   * The stream to the server over a connection that has switched to another protocol. Each write is
   * sent at once, and ends if its thread is interrupted; the connection is then unusable, because
   * part of the bytes may have been sent.
   */
  private final class Output extends OutputStream {
    private final UpgradedSocket socket;
    private final ReentrantLock writing = new ReentrantLock();

    Output(UpgradedSocket socket) {
      this.socket = socket;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      writing.lock();
      try {
        if (closed) {
          throw new IOException("closed");
        }
        call.write(socket.output(), bytes, offset, length);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted");
        interrupted.initCause(e);
        throw interrupted;
      } finally {
        writing.unlock();
        if (closed) {
          releaseIfIdle();
        }
      }
    }

    /** A sink must not be closed during a write; the writing thread closes it afterwards. */
    void releaseIfIdle() {
      if (writing.tryLock()) {
        try {
          closeQuietly(socket.getSink());
        } finally {
          writing.unlock();
        }
      }
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      LOG.log(Level.TRACE, "The connection was already broken when it was closed", e);
    }
  }
}
