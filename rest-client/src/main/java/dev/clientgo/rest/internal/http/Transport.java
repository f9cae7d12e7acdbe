package dev.clientgo.rest.internal.http;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Deadline;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.ServerConnection;
import dev.clientgo.rest.internal.net.DirectSockets;
import dev.clientgo.rest.internal.net.Proxies;
import dev.clientgo.rest.internal.net.ProxyRoute;
import dev.clientgo.rest.internal.net.Timeouts;
import dev.clientgo.rest.internal.net.ZoneSockets;
import dev.clientgo.rest.internal.text.ServerUrl;
import dev.clientgo.rest.internal.tls.ClientCertificate;
import dev.clientgo.rest.internal.tls.TlsClientCache;
import java.io.IOException;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import okio.Okio;
import okio.Socket;
import org.jspecify.annotations.Nullable;

/*
 * Threads. A call runs in the thread of the caller, from the first byte sent to the last byte read;
 * no dispatcher limits their number. OkHttp's own threads are daemons that it shares between all
 * clients of a program: one reader for each HTTP/2 connection, which ends with the connection, and
 * some for housekeeping, which end after one idle minute. This class has one thread, "canceller",
 * which runs for a moment after an interruption. It is no virtual thread, because an interruption
 * must end a call also while virtual threads occupy all carriers.
 *
 * Connections. HTTP/2 puts many calls on one connection, up to the limit that the server announces;
 * then OkHttp opens another. HTTP/1.1 needs one connection for each call, and a request that
 * switches to another protocol is sent over HTTP/1.1. The number is not limited here, because each
 * informer has one call open all the time.
 *
 * Locks. None for requests. The sets of open calls and responses are concurrent. A thread adds to a
 * set and then reads "closed"; close() sets "closed" and then goes through the sets; so one of the
 * two sees the other. A thread that sleeps before its next attempt waits on a condition, which
 * close() signals.
 */

/**
 * Sends requests by OkHttp and returns the responses, whatever their status. Safe for use by many
 * threads.
 */
public final class Transport implements AutoCloseable {

  /**
   * Unlike client-go, which keeps 25: with more threads than that on HTTP/1.1, some would open a
   * new connection for each request. Idle connections are closed after 90 s.
   */
  private static final int IDLE_CONNECTIONS = 256;

  private static final Duration IDLE_LIFETIME = Duration.ofSeconds(90);

  /** How often a request is sent again that the server has not started, as in Go's transport. */
  private static final int MAX_NOT_BEGUN = 6;

  /** The longest timeout of a socket. */
  private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

  /** Calls without a response yet, and responses that are not closed yet. */
  private final Set<InterruptibleCall> calls = ConcurrentHashMap.newKeySet();

  private final Set<HttpResponse> responses = ConcurrentHashMap.newKeySet();

  private final ThreadPoolExecutor cancellerThread;
  private final Executor canceller;
  private final ConnectionPool pool =
      new ConnectionPool(IDLE_CONNECTIONS, IDLE_LIFETIME.toSeconds(), TimeUnit.SECONDS);
  private final RestConfig config;
  private final Timeouts timeouts;
  private final TlsClientCache clients;
  private final Map<String, String> environment;
  private final @Nullable ProxyRoute proxy;
  private final HttpUrl server;
  private final String serverName;
  private final ClientCertificate certificate;
  private final Clock clock;
  private final ReentrantLock sleeping = new ReentrantLock();
  private final Condition woken;
  private volatile boolean closed;

  public Transport(
      RestConfig config,
      Map<String, String> environment,
      Timeouts timeouts,
      ClientCertificate certificate,
      Clock clock) {
    this.config = config;
    this.environment = environment;
    this.timeouts = timeouts;
    this.server = HttpUrl.get(config.server());
    this.serverName = ServerUrl.hostAndPort(server);
    this.certificate = certificate;
    this.clock = clock;
    woken = clock.newCondition(sleeping);
    this.proxy = new Proxies(environment).route(config, server);
    this.clients = new TlsClientCache(client(), config, timeouts.handshake(), certificate, clock);
    // Its thread starts when it is needed and ends one second later.
    this.cancellerThread =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThreads.platform("client-go-canceller-"),
            new ThreadPoolExecutor.DiscardPolicy());
    cancellerThread.allowCoreThreadTimeOut(true);
    // Without a network, the interrupted thread wakes by itself, see ServerConnection.
    this.canceller = config.connection() == null ? cancellerThread : cancel -> {};
  }

  private OkHttpClient client() {
    OkHttpClient.Builder client = new OkHttpClient.Builder().socketFactory(new DirectSockets());
    if (proxy != null) {
      proxy.prepare(client, config, timeouts);
    } else if (new Proxies(environment).isConfigured(server)) {
      client.proxy(Proxy.NO_PROXY); // NO_PROXY also overrides the proxy settings of the JDK.
    }
    String zone = config.serverZone();
    if (proxy == null && zone != null) {
      client.socketFactory(new ZoneSockets(zone));
    }
    ServerConnection connection = config.connection();
    if (connection != null) {
      ConnectionInterceptor inProcess = new ConnectionInterceptor(connection);
      client.addInterceptor(inProcess).eventListener(inProcess);
    }
    return client
        // TlsClientCache adds TLS. Here OkHttp would load the certificates of the JDK, which takes
        // longer than all the rest.
        .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
        .connectionPool(pool)
        .dispatcher(new Dispatcher())
        .protocols(
            config.disableHttp2() || !environment.getOrDefault("DISABLE_HTTP2", "").isEmpty()
                ? List.of(Protocol.HTTP_1_1)
                : List.of(Protocol.HTTP_2, Protocol.HTTP_1_1))
        .connectTimeout(timeouts.connect())
        .readTimeout(timeouts.idle())
        .writeTimeout(timeouts.idle())
        .pingInterval(timeouts.ping())
        // Unlike client-go: redirects are not followed, because the credentials would go with them.
        .followRedirects(false)
        .followSslRedirects(false)
        .addNetworkInterceptor(Transport::onConnection)
        .build();
  }

  /**
   * Asks the guard of a request once more, when the connection is open and nothing is written yet.
   * To resolve a name, to connect and to shake hands can take seconds. A connection that switches
   * to another protocol is from then on read and written without OkHttp.
   */
  private static Response onConnection(Interceptor.Chain chain) throws IOException {
    Request request = chain.request();
    GuardedAttempt.of(request).check();
    Response response = decompressed(RetryAfter.hide(chain.proceed(request)));
    Socket socket = response.socket();
    return socket == null
        ? response
        : response
            .newBuilder()
            .socket(new UpgradedSocket(socket, requireNonNull(chain.connection()).socket()))
            .build();
  }

  /** Decompresses a watch, whose events must not wait for the next ones; OkHttp does the rest. */
  private static Response decompressed(Response response) {
    if (!"gzip".equalsIgnoreCase(response.header("Content-Encoding"))
        || response.request().url().queryParameter("watch") == null) {
      return response;
    }
    ResponseBody body = response.body();
    BufferedSource plain = Okio.buffer(new GzipMembers(body.source()));
    return response
        .newBuilder()
        .removeHeader("Content-Encoding")
        .removeHeader("Content-Length")
        .body(ResponseBody.create(plain, body.contentType(), -1))
        .build();
  }

  /**
   * Sends a request and waits for the head of the response.
   *
   * @param idle how long the body may be silent, zero for no limit
   * @param timeout until the body is read to its end, zero for no limit
   * @throws TransportException if there is no response
   * @throws InterruptedException if the thread is interrupted
   */
  HttpResponse send(Request request, Duration idle, Duration timeout) throws InterruptedException {
    return send(request, idle, timeout, 0);
  }

  private HttpResponse send(Request request, Duration idle, Duration timeout, int again)
      throws InterruptedException {
    Call call = clientFor(request, idle).newCall(request);
    call.timeout().timeout(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    InterruptibleCall interruptible = new InterruptibleCall(call, canceller);
    calls.add(interruptible);
    GuardedAttempt attempt = GuardedAttempt.of(request);
    Runnable ended = attempt.started(interruptible::cancel);
    Response response = null;
    try {
      checkOpen();
      response = interruptible.execute();
    } catch (IOException e) {
      if (!closed && RequestContent.isRepeatable(request.body()) && mayWork(e, again)) {
        return send(request, idle, timeout, again + 1);
      }
      throw closed
          ? TransportErrors.clientClosed(TransportErrors.describe(request), e)
          : TransportErrors.whileSending(e, request, config, proxy, certificate.problem());
    } finally {
      calls.remove(interruptible);
      if (response == null || !attempt.isConnection()) {
        ended.run();
      }
      if (response == null) {
        interruptible.cancel();
        evictIfClosed();
      }
    }
    return opened(interruptible, response, idle, ended);
  }

  private OkHttpClient clientFor(Request request, Duration idle) {
    OkHttpClient client = clients.current();
    if (request.header("Upgrade") != null) {
      return client.newBuilder().protocols(List.of(Protocol.HTTP_1_1)).build();
    }
    return idle.equals(timeouts.idle())
        ? client
        : client.newBuilder().readTimeout(idle.compareTo(LONGEST) > 0 ? LONGEST : idle).build();
  }

  /** Returns whether the server has not started the request, and another attempt may succeed. */
  private boolean mayWork(IOException e, int again) {
    return (again < MAX_NOT_BEGUN && TransportErrors.isNotBegun(e))
        || (again == 0 && e instanceof SSLException && clients.authorityHasChanged());
  }

  /**
   * Waits before a request.
   *
   * @throws TransportException if the client is closed before the time has passed
   * @throws InterruptedException if the thread is interrupted
   */
  void sleep(Duration duration, String request) throws InterruptedException {
    Deadline deadline = clock.deadline(duration);
    sleeping.lockInterruptibly();
    try {
      while (!closed && deadline.await(sleeping, woken)) {}
    } finally {
      sleeping.unlock();
    }
    if (closed) {
      throw TransportErrors.clientClosed(request, null);
    }
  }

  /** Returns the host of the server with its port. */
  String serverName() {
    return serverName;
  }

  boolean isClosed() {
    return closed;
  }

  /** Throws if the client is closed. */
  void checkOpen() {
    if (closed) {
      throw new TransportException(
          TransportException.Kind.CLIENT_CLOSED, "the client is closed", null);
    }
  }

  private HttpResponse opened(
      InterruptibleCall call, Response response, Duration idle, Runnable ended) {
    // OkHttp's timeout would wake a thread at each of thousands of reads. On HTTP/1.1 the socket
    // has the same timeout.
    response.body().source().timeout().clearTimeout();
    IdleTimer idleTimer =
        response.protocol() == Protocol.HTTP_1_1 || idle.isZero()
            ? null
            : IdleTimer.start(idle, call::cancel);
    Socket socket = response.socket();
    if (socket != null) {
      // Its protocol has its own means to notice a dead peer.
      socket.getSource().timeout().clearTimeout();
      socket.getSink().timeout().clearTimeout();
    }
    Consumer<HttpResponse> onClose =
        closing -> {
          ended.run();
          released(closing);
        };
    HttpResponse opened = new HttpResponse(response, call, idleTimer, onClose);
    responses.add(opened);
    if (closed) {
      opened.close();
    }
    return opened;
  }

  private void released(HttpResponse response) {
    responses.remove(response);
    evictIfClosed();
  }

  /** Closes a connection that was in use when the client was closed. */
  private void evictIfClosed() {
    if (closed) {
      pool.evictAll();
    }
  }

  /** Returns the number of responses that are not closed yet. */
  public int openResponses() {
    return responses.size();
  }

  /** Returns the number of connections, idle or not. */
  public int connections() {
    return pool.connectionCount();
  }

  /** Ends all calls, closes all connections. Does nothing the second time. */
  @Override
  public void close() {
    closed = true;
    calls.forEach(InterruptibleCall::cancel);
    responses.forEach(HttpResponse::closeWithClient);
    wakeSleepers();
    cancellerThread.shutdown();
    // A connection that a thread still reads is closed when that thread is done.
    pool.evictAll();
  }

  private void wakeSleepers() {
    sleeping.lock();
    try {
      woken.signalAll();
    } finally {
      sleeping.unlock();
    }
  }
}
