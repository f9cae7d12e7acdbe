package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.access.KubeConfigText;
import dev.clientgo.envtest.internal.access.ReservedPort;
import dev.clientgo.envtest.internal.access.ServerTls;
import dev.clientgo.envtest.internal.http.BearerTokenCheck;
import dev.clientgo.envtest.internal.http.HttpEndpoint;
import dev.clientgo.envtest.internal.http.RequestLog;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.verbs.ApiRouter;
import dev.clientgo.envtest.internal.verbs.ServerSettings;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An API server in this process, which starts in milliseconds and behaves like kube-apiserver.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
 *   server.faults().when(request -> request.is("list", "pods")).answer(503);
 *   ...
 * }
 * }</pre>
 *
 * <p>It speaks JSON over HTTP/1.1, and over HTTP/2 where there is TLS. It keeps the objects of the
 * built-in kinds, and of others once a CustomResourceDefinition is created, in memory. As with a
 * kube-apiserver alone there are no controllers: nothing schedules a pod, collects garbage or
 * empties a namespace. Further, of built-in kinds the names of the fields are checked, but not
 * their values, and they get no defaults; events of the core and of {@code events.k8s.io} are kept
 * apart; tokens that it issues for service accounts open nothing; and there is no protobuf: a
 * client is told so in the way of the API.
 *
 * <p>What a client sends is in {@link #requests}, what there is in {@link #objects}, and what is to
 * go wrong is asked of {@link #faults}, {@link #watches} and {@link #stop}. Its threads are no
 * daemons: a program does not end before it is closed. Safe for use by many threads.
 */
public final class EmbeddedApiServer implements ApiServer {

  private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);
  private static final int HISTORY = 10_000;
  private static final int REQUEST_LOG = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ObjectStore store;
  private final ApiRouter api;
  private final Faults faults;
  private final RequestLog requests = new RequestLog(REQUEST_LOG);
  private final BearerTokenCheck tokens;
  private final @Nullable ServerTls tls;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable HttpEndpoint endpoint;

  /** Null before the server is started for the first time. */
  @GuardedBy("lock")
  private @Nullable ReservedPort held;

  @GuardedBy("lock")
  private boolean closed;

  private volatile int port;

  private EmbeddedApiServer(Builder builder) {
    ServerSettings settings =
        new ServerSettings(builder.clock, builder.random, builder.bookmarkInterval);
    store = new ObjectStore(builder.clock, builder.history);
    api = new ApiRouter(store, settings);
    faults = new Faults(settings.clock(), store);
    tokens = new BearerTokenCheck(builder.token);
    tls = builder.tls ? ServerTls.create(builder.clock) : null;
    port = builder.port;
  }

  /** Starts a server with the usual settings, over plain HTTP. */
  public static EmbeddedApiServer start() {
    return builder().start();
  }

  /** Returns a builder of a server with other settings. */
  public static Builder builder() {
    return new Builder();
  }

  private Response answer(ApiRequest request) throws InterruptedException {
    requests.add(request);
    Optional<ApiStatusException> refusal = tokens.refusal(request);
    return refusal.isPresent() ? Response.of(refusal.get()) : faults.answer(api::answer, request);
  }

  @Override
  public URI url() {
    return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port);
  }

  @Override
  public String kubeconfig() {
    return KubeConfigText.withToken(
        url(), tls == null ? null : tls.authorityPem(), tokens.token(), "envtest");
  }

  /* --------------- What there is --------------- */

  /**
   * Returns the objects of a kind, to be read and written without HTTP.
   *
   * @throws IllegalArgumentException if the kind is not served
   */
  public ServedObjects objects(GroupVersionResource kind) {
    return new ServedObjects(store, api.served(kind), api.strategy(), api.customResources());
  }

  /** Returns the resource version of the latest change to any object. */
  public String resourceVersion() {
    return Long.toString(store.revision());
  }

  /* --------------- What clients do --------------- */

  /** Returns the latest requests, the oldest first: at most 100,000. */
  public List<ApiRequest> requests() {
    return requests.all();
  }

  /** Returns the latest requests that fit, the oldest first. */
  public List<ApiRequest> requests(Predicate<ApiRequest> fits) {
    return requests.all().stream().filter(fits).toList();
  }

  /** Forgets the requests so far. */
  public void clearRequests() {
    requests.clear();
  }

  /**
   * Waits, in real time, until at least that many requests fit, and returns those that do.
   *
   * @throws IllegalStateException if that does not happen within ten seconds
   * @throws InterruptedException if the thread is interrupted
   */
  public List<ApiRequest> awaitRequests(int count, Predicate<ApiRequest> fits)
      throws InterruptedException {
    return requests.await(count, fits, PATIENCE);
  }

  /** Returns the watches that are open, in the order in which they were opened. */
  public List<OpenWatch> watches() {
    return api.openWatches().all();
  }

  /**
   * Waits, in real time, until that many watches are open, and returns them.
   *
   * @throws IllegalStateException if that does not happen within ten seconds
   * @throws InterruptedException if the thread is interrupted
   */
  public List<OpenWatch> awaitWatches(int count) throws InterruptedException {
    return api.openWatches().await(count, PATIENCE);
  }

  /** Returns how many connections are open. */
  public int connections() {
    lock.lock();
    try {
      return endpoint == null ? 0 : endpoint.listener().connections().size();
    } finally {
      lock.unlock();
    }
  }

  /* --------------- What goes wrong --------------- */

  /** Returns what goes wrong with the next requests. */
  public Faults faults() {
    return faults;
  }

  /** Breaks all connections. New ones are taken. */
  public void closeConnections() {
    lock.lock();
    try {
      if (endpoint != null) {
        endpoint.closeConnections();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Breaks all connections and refuses new ones, until {@link #restart}. The objects stay, and the
   * port is kept from others. Does nothing if the server is stopped.
   */
  public void stop() {
    lock.lock();
    try {
      if (endpoint != null) {
        endLocked();
        requireNonNull(held, "held").takeBack();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void endLocked() {
    if (endpoint != null) {
      endpoint.close();
      endpoint = null;
    }
  }

  /**
   * Takes connections again, at the same address. Does nothing if the server is not stopped.
   *
   * @throws IllegalStateException if the server is closed
   */
  public void restart() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the server is closed");
      }
      if (endpoint == null) {
        listenLocked();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void listenLocked() {
    if (held == null) {
      held = ReservedPort.of(port);
    }
    held.lend();
    HttpEndpoint started = new HttpEndpoint(this::answer, tls == null ? null : tls.sockets());
    port = started.start(held.number());
    endpoint = started;
  }

  /**
   * Ends the server and waits until its threads have ended, at most ten seconds. Does nothing the
   * second time.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      store.endWatches();
      faults.clear();
      endLocked();
      if (held != null) {
        held.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Builds and starts an {@link EmbeddedApiServer}. Not safe for use by many threads. */
  public static final class Builder {
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private Duration bookmarkInterval = BOOKMARK_INTERVAL;
    private String token = "";
    private int history = HISTORY;
    private int port;
    private boolean tls;

    private Builder() {}

    /** Takes another clock. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Takes another source of randomness, for names and identities. It must be thread-safe. */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /** Sets how often a watch that allows bookmarks gets one; a minute if not set. */
    public Builder bookmarkInterval(Duration interval) {
      if (interval.isNegative() || interval.isZero()) {
        throw new IllegalArgumentException("interval must be positive, is " + interval);
      }
      this.bookmarkInterval = interval;
      return this;
    }

    /**
     * Sets how many changes of each kind are remembered at least; 10,000 if not set. A watch that
     * is further behind ends, and learns then that its resource version has expired.
     */
    public Builder history(int changes) {
      if (changes < 1) {
        throw new IllegalArgumentException("changes must be positive, is " + changes);
      }
      this.history = changes;
      return this;
    }

    /** Sets whether to speak TLS, and with it HTTP/2; not if not set. */
    public Builder tls(boolean tls) {
      this.tls = tls;
      return this;
    }

    /**
     * Sets the bearer token that clients must have; none if not set. Clients send tokens over TLS
     * alone, so it makes sense with {@link #tls} alone.
     */
    public Builder token(String token) {
      this.token = requireNonNull(token, "token");
      return this;
    }

    /** Sets the port; any free one if not set. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Starts the server.
     *
     * @throws IllegalStateException if the port is taken
     */
    public EmbeddedApiServer start() {
      EmbeddedApiServer server = new EmbeddedApiServer(this);
      try {
        server.restart();
        return server;
      } catch (IllegalStateException e) {
        server.close();
        throw e;
      }
    }
  }
}
