package dev.clientgo.envtest.internal.http;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import okio.Buffer;
import okio.BufferedSink;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * One life of the server's port: HTTP/1.1, and HTTP/2 over TLS, as MockWebServer speaks them. It
 * only carries requests to a handler and answers back.
 */
public final class HttpEndpoint {

  private static final Logger LOGGER = System.getLogger(HttpEndpoint.class.getName());

  private static final long THREAD_END_MILLIS = 5000;

  /** Answers requests. */
  public interface Handler {
    /** Answers a request, on the thread of its connection or stream. */
    Response answer(ApiRequest request) throws InterruptedException;
  }

  private final ThreadGroup threads = new Threads();
  private final MockWebServer server = new MockWebServer();
  private final TrackingServerSocketFactory listener = new TrackingServerSocketFactory();
  private final Handler handler;
  private final ExecutorService readers = Executors.newCachedThreadPool(this::reader);

  /**
   * Creates an endpoint that does not listen yet.
   *
   * @param handler answers requests, on the thread of their connection
   * @param tls makes the sockets of connections, or null for plain HTTP
   */
  public HttpEndpoint(Handler handler, @Nullable SSLSocketFactory tls) {
    this.handler = handler;
    server.setServerSocketFactory(listener);
    server.setDispatcher(new Handling());
    if (tls != null) {
      server.useHttps(tls);
    }
  }

  /**
   * Begins to listen.
   *
   * @param port the port, or 0 for any
   * @return the port
   * @throws IllegalStateException if the port is taken
   */
  public int start(int port) {
    // Threads are in the group of the thread that makes them: so we find the server's at its end.
    FutureTask<Integer> begin = new FutureTask<>(() -> listen(port));
    new Thread(threads, begin, "envtest-start").start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return begin.get();
        } catch (InterruptedException e) {
          interrupted = true; // It takes no time.
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot listen on port " + port + " of 127.0.0.1", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private int listen(int port) throws IOException {
    server.start(InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}), port);
    return server.getPort();
  }

  private Thread reader(Runnable task) {
    Thread thread = new Thread(threads, task, "envtest-reader");
    thread.setDaemon(true);
    return thread;
  }

  public TrackingServerSocketFactory listener() {
    return listener;
  }

  public void closeConnections() {
    listener.connections().forEach(HttpEndpoint::closeQuietly);
  }

  /** Breaks all connections, frees the port and waits for the threads to end. */
  public void close() {
    closeConnections();
    try {
      server.close();
    } catch (AssertionError e) {
      // It gives its threads five seconds, which a machine that stalls may not have.
      LOGGER.log(Level.DEBUG, "threads of the server take long to end", e);
    }
    readers.shutdownNow();
    try {
      awaitThreads();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // They end without us.
    }
  }

  /** Waits for each thread to end, and for those that it started as its last deed. */
  private void awaitThreads() throws InterruptedException {
    for (List<Thread> left = threads(); !left.isEmpty(); left = threads()) {
      for (Thread thread : left) {
        thread.join(THREAD_END_MILLIS);
        if (thread.isAlive()) {
          return; // It is stuck.
        }
      }
    }
  }

  private List<Thread> threads() {
    Thread[] left = new Thread[2 * threads.activeCount() + 8];
    int count = threads.enumerate(left);
    return List.of(Arrays.copyOf(left, count));
  }

  public static void closeQuietly(ClientConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "connection did not close", e);
    }
  }

  /**
   * The threads of the server. MockWebServer lets a stream hang whose thread has failed, as it does
   * over HTTP/2 if a header has letters beyond ASCII: its client is told at least that much.
   */
  private final class Threads extends ThreadGroup {

    Threads() {
      super("envtest");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
      LOGGER.log(Level.ERROR, "a request cannot be read, all connections are closed", failure);
      closeConnections();
    }
  }

  private final class Handling extends Dispatcher {

    @Override
    public MockResponse dispatch(RecordedRequest recorded) throws InterruptedException {
      // The server keeps what it has seen for someone to take, and would keep it for ever.
      server.takeRequest(0, TimeUnit.SECONDS);
      ByteString body = recorded.getBody();
      ApiRequest request =
          ApiRequest.of(
              recorded.getMethod(),
              recorded.getTarget(),
              recorded.getHeaders().toMultimap(),
              body == null ? new byte[0] : body.toByteArray());
      Response response = answer(request);
      if (response.body() instanceof Response.Silence silence) {
        keepSilent(recorded, silence.pause());
      }
      return render(recorded, response);
    }

    private void keepSilent(RecordedRequest recorded, ResponsePause pause)
        throws InterruptedException {
      try {
        ClientConnection connection = listener.connection(recorded.getConnectionIndex());
        connection.onGone(pause::end);
        if (isHttp1(recorded)) {
          connection.readAhead(readers);
        }
        pause.await();
        connection.close();
      } catch (IOException e) {
        LOGGER.log(Level.DEBUG, "client of a silent server is gone", e);
      } finally {
        pause.end();
      }
    }

    private Response answer(ApiRequest request) throws InterruptedException {
      try {
        return handler.answer(request);
      } catch (ApiStatusException e) {
        return Response.of(e);
      } catch (RuntimeException e) {
        LOGGER.log(Level.ERROR, "request failed method=" + request.method(), e);
        return Response.of(ApiStatusException.internalError(String.valueOf(e)));
      }
    }
  }

  private static boolean isHttp1(RecordedRequest request) {
    return request.getVersion().equals("HTTP/1.1");
  }

  private MockResponse render(RecordedRequest recorded, Response response) {
    Headers.Builder headers = response.headers().newBuilder();
    MockResponse.Builder builder = new MockResponse.Builder().code(response.code());
    if (response.body() instanceof Response.Bytes bytes) {
      headers.set("Content-Length", Long.toString(bytes.length()));
      return builder.headers(headers.build()).body(new Known(bytes)).build();
    }
    boolean chunked = isHttp1(recorded) && response.headers().get("Content-Length") == null;
    if (chunked) {
      headers.set("Transfer-Encoding", "chunked");
    }
    if (response.body() instanceof Response.Silence) {
      return builder.build(); // Into a connection that is closed.
    }
    return builder
        .body(new Streamed((Response.Stream) response.body(), recorded, chunked))
        // After the body, which would put its own length, -1, for the one that was promised.
        .headers(headers.build())
        // Over HTTP/2 headers wait for the body, unless that is late.
        .bodyDelay(1, TimeUnit.NANOSECONDS)
        .build();
  }

  private record Known(Response.Bytes bytes) implements MockResponseBody {
    @Override
    public long getContentLength() {
      return bytes.length();
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      for (byte[] part : bytes.parts()) {
        sink.write(part);
      }
      sink.flush();
    }
  }

  private final class Streamed implements MockResponseBody {
    private final Response.Stream stream;
    private final RecordedRequest request;
    private final boolean chunked;

    Streamed(Response.Stream stream, RecordedRequest request, boolean chunked) {
      this.stream = stream;
      this.request = request;
      this.chunked = chunked;
    }

    @Override
    public long getContentLength() {
      return -1;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      ClientConnection connection = listener.connection(request.getConnectionIndex());
      Runnable onGone = stream::stop;
      Runnable onRead = stream::poke;
      connection.onGone(onGone);
      connection.onRead(onRead);
      try {
        if (isHttp1(request)) {
          connection.readAhead(readers);
        }
        stream.writeTo(chunked ? new Chunks(sink) : new Plain(sink));
        if (chunked) {
          sink.writeUtf8("0\r\n"); // The empty line after it comes with the trailers.
        }
        sink.flush();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a stream was written");
      } catch (ConnectionCutException e) {
        sink.flush();
        connection.close();
        throw e;
      } catch (IOException e) {
        if (isHttp1(request)) {
          connection.close(); // Nobody else does, and nothing more can be said on it.
        }
        throw e;
      } finally {
        connection.remove(onGone, onRead);
        connection.stopReadingAhead();
      }
    }
  }

  private record Plain(BufferedSink sink) implements Response.Sink {
    @Override
    public void write(byte[] bytes) throws IOException {
      sink.write(bytes);
    }

    @Override
    public void flush() throws IOException {
      sink.flush();
    }
  }

  /** Sends a chunk at each flush. */
  private static final class Chunks implements Response.Sink {
    private final BufferedSink sink;
    private final Buffer chunk = new Buffer();

    Chunks(BufferedSink sink) {
      this.sink = sink;
    }

    @Override
    public void write(byte[] bytes) {
      chunk.write(bytes);
    }

    @Override
    public void flush() throws IOException {
      if (chunk.size() > 0) {
        sink.writeHexadecimalUnsignedLong(chunk.size()).writeUtf8("\r\n");
        sink.write(chunk, chunk.size());
        sink.writeUtf8("\r\n");
      }
      sink.flush();
    }
  }
}
