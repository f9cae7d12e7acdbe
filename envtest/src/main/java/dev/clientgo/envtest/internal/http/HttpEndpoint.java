package dev.clientgo.envtest.internal.http;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.CrashLog;
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
import okio.Socket;
import org.jspecify.annotations.Nullable;

/**
 * The server's HTTP endpoint from one start to the next stop: HTTP/1.1, and HTTP/2 over TLS, by
 * MockWebServer. It passes requests to a handler and sends its responses.
 */
public final class HttpEndpoint {

  private static final Logger LOG = System.getLogger(HttpEndpoint.class.getName());

  private static final long THREAD_END_MILLIS = 5000;

  /** Handles requests. */
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
   * @param handler answers requests
   * @param tls creates the sockets of connections, or null for plain HTTP
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
   * Starts to listen.
   *
   * @param port the port, or 0 for any free one
   * @return the port
   * @throws IllegalStateException if the port is in use
   */
  public int start(int port) {
    // A new thread joins the group of its creator, so the group finds all threads of the server at
    // its end.
    FutureTask<Integer> begin = new FutureTask<>(() -> listen(port));
    new Thread(threads, begin, "envtest-start").start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return begin.get();
        } catch (InterruptedException e) {
          interrupted = true; // Starting takes no time, so finish it.
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
    listener.connections().forEach(ClientConnection::closeQuietly);
  }

  /** Breaks all connections, releases the port and waits for the threads to end. */
  public void close() {
    closeConnections();
    try {
      server.close();
    } catch (AssertionError e) {
      // MockWebServer waits 5 s for its threads, which is too short on a machine that stalls.
      LOG.log(Level.DEBUG, "The threads of the server take long to end", e);
    }
    readers.shutdownNow();
    try {
      awaitThreads();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The threads end without this wait.
    }
  }

  /** Waits for all threads to end, including those that others start as they end. */
  private void awaitThreads() throws InterruptedException {
    for (List<Thread> left = threads(); !left.isEmpty(); left = threads()) {
      for (Thread thread : left) {
        thread.join(THREAD_END_MILLIS);
        if (thread.isAlive()) {
          return; // The thread hangs.
        }
      }
    }
  }

  private List<Thread> threads() {
    Thread[] left = new Thread[2 * threads.activeCount() + 8];
    int count = threads.enumerate(left);
    return List.of(Arrays.copyOf(left, count));
  }

  /**
   * The threads of the server. If a thread fails, MockWebServer leaves its stream hanging, for
   * example after a non-ASCII header over HTTP/2. Closing the connections makes the client notice.
   */
  private final class Threads extends ThreadGroup {

    Threads() {
      super("envtest");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
      LOG.log(Level.ERROR, "A request cannot be read, all connections are closed", failure);
      closeConnections();
    }
  }

  private final class Handling extends Dispatcher {

    @Override
    public MockResponse dispatch(RecordedRequest recorded) throws InterruptedException {
      // MockWebServer queues requests for takeRequest; without this call the queue would grow
      // without limit.
      server.takeRequest(0, TimeUnit.SECONDS);
      ByteString body = recorded.getBody();
      ApiRequest request =
          ApiRequest.of(
              recorded.getMethod(),
              recorded.getTarget(),
              recorded.getHeaders().toMultimap(),
              body == null ? new byte[0] : body.toByteArray());
      Response response = answer(handler, request);
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
        LOG.log(Level.DEBUG, "The client of a silent server is gone", e);
      } finally {
        pause.end();
      }
    }
  }

  /** Answers a request; an exception becomes the response that describes it. */
  static Response answer(Handler handler, ApiRequest request) throws InterruptedException {
    try {
      return handler.answer(request);
    } catch (ApiStatusException e) {
      return Response.of(e);
    } catch (RuntimeException | Error e) { // Of a reactor, too.
      CrashLog.log(LOG, Level.ERROR, "A request has failed: method=" + request.method(), e);
      return Response.of(ApiStatusException.internalError(CrashLog.text(e)));
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
    if (response.body() instanceof Response.Upgrade upgrade) {
      return builder
          .headers(response.headers())
          .socketHandler(socket -> speak(recorded, upgrade, socket))
          .build();
    }
    boolean chunked = isHttp1(recorded) && response.headers().get("Content-Length") == null;
    if (chunked) {
      headers.set("Transfer-Encoding", "chunked");
    }
    if (response.body() instanceof Response.Silence) {
      return builder.build(); // The connection is closed, so this is not sent.
    }
    return builder
        .body(new Streamed((Response.Stream) response.body(), recorded, chunked))
        // Set after the body, which sets its own length, -1.
        .headers(headers.build())
        // Over HTTP/2, MockWebServer holds the headers back until the body, unless the body is
        // delayed.
        .bodyDelay(1, TimeUnit.NANOSECONDS)
        .build();
  }

  private void speak(RecordedRequest recorded, Response.Upgrade upgrade, Socket socket) {
    try {
      ClientConnection connection = listener.connection(recorded.getConnectionIndex());
      try {
        upgrade.speak(new OkioSocket(socket, connection));
      } finally {
        connection.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The server ends.
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "An upgraded connection has broken", e);
    }
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
          sink.writeUtf8("0\r\n"); // MockWebServer writes the final empty line with the trailers.
        }
        sink.flush();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a stream was written");
      } catch (ConnectionCutException e) {
        sink.flush();
        connection.cut(readers);
        throw e;
      } catch (IOException e) {
        if (isHttp1(request)) {
          connection
              .close(); // MockWebServer does not close it, and nothing more can be sent on it.
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

  /** Sends one chunk per flush. */
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
