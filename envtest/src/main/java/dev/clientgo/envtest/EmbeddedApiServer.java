package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.internal.access.KubeConfigText;
import dev.clientgo.envtest.internal.http.AwaitableList;
import dev.clientgo.envtest.internal.http.InProcessEndpoint;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.rbac.Attributes;
import dev.clientgo.envtest.internal.rbac.BearerTokenCheck;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.verbs.ApiRouter;
import dev.clientgo.envtest.internal.verbs.ServerSettings;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.envtest.traffic.SentRequests;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.ServerConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An API server in this process, which starts in milliseconds and behaves like kube-apiserver.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
 *   server.faults().on(request -> request.matches("list", "pods")).answer(503);
 *   ...
 * }
 * }</pre>
 *
 * <p>The server speaks JSON over HTTP/1.1, and over HTTP/2 with TLS. It keeps objects in memory:
 * those of the built-in kinds, and those of custom kinds once their CustomResourceDefinition
 * exists. As with a kube-apiserver alone, no controllers run: nothing schedules pods, collects
 * garbage or empties namespaces, unless the module {@code embedded-controllers} does. It differs
 * from kube-apiserver as follows:
 *
 * <ul>
 *   <li>It checks the field names of built-in kinds, but neither their values nor defaults.
 *   <li>It keeps the events of the core group and of {@code events.k8s.io} apart.
 *   <li>It does not accept the service account tokens that it issues.
 *   <li>It does not speak protobuf; it answers such a request with 406 or 415, as the API does.
 * </ul>
 *
 * <p>A test reads the requests of clients in {@link #requests} and the objects in {@link #objects};
 * it makes the server fail by {@link #faults}, {@link #watches} and {@link #stop}. The server's
 * threads are not daemons: a program that does not close its server does not end. Safe for use by
 * many threads.
 */
public final class EmbeddedApiServer implements ApiServer {

  private static final Duration DEFAULT_BOOKMARK_INTERVAL = Duration.ofMinutes(1);
  private static final int DEFAULT_HISTORY = 10_000;
  private static final int MAX_REQUESTS = 100_000;
  private static final Duration AWAIT_TIMEOUT = Duration.ofSeconds(30);

  private final ObjectStore store;
  private final FakeKubelet kubelet;
  private final ApiRouter api;
  private final Faults faults;
  private final Reactors reactors;
  private final AwaitableList<ApiRequest> requests;
  private final BearerTokenCheck tokens;

  /** Null for plain HTTP. */
  private final @Nullable CertificateAuthority authority;

  private final Endpoints endpoints;

  private EmbeddedApiServer(Builder builder) {
    ServerSettings settings =
        new ServerSettings(
            builder.clock,
            builder.random,
            builder.bookmarkInterval,
            builder.gates.contains(FeatureGate.SHARDS),
            builder.gates.contains(FeatureGate.MANAGED_FIELDS_OPT_OUT));
    store = new ObjectStore(builder.clock, builder.history);
    kubelet = FakeKubelet.create(builder.clock, this::put);
    api = new ApiRouter(store, settings, kubelet);
    faults = new Faults(settings.clock(), store);
    reactors = new Reactors(api.reactions(), api::answer);
    requests = new AwaitableList<>(MAX_REQUESTS, builder.clock);
    tokens = new BearerTokenCheck(builder.token);
    authority = builder.tls ? CertificateAuthority.create(builder.clock, "envtest-ca") : null;
    endpoints =
        new Endpoints(
            this::answer,
            authority == null ? null : authority.issueServer("envtest").socketFactory(null),
            builder.listens ? OptionalInt.of(builder.port) : OptionalInt.empty(),
            new InProcessEndpoint(this::answer, builder.clock, builder.threadFactory));
  }

  /** Starts a server with the default settings, over plain HTTP. */
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
    if (refusal.isPresent()) {
      return Response.of(refusal.get());
    }
    if (request.lacksImpersonatedUser()) {
      throw ApiStatusException.badRequest(
          "requested %s without impersonating a user name".formatted(request.user()));
    }
    api.authorizer().check(Attributes.of(request));
    return faults.answer(reactors::answer, request);
  }

  /**
   * Returns the address.
   *
   * @throws IllegalStateException if the server does not listen
   */
  @Override
  public URI url() {
    if (!endpoints.listens()) {
      throw new IllegalStateException(
          "the server was built with listen(false) and has no address: use restConfig() or"
              + " connection()");
    }
    return URI.create((authority == null ? "http" : "https") + "://127.0.0.1:" + endpoints.port());
  }

  /**
   * Returns a connection to this server that needs no network, for clients of this process. A
   * request then runs on the thread of its caller, and each watch has a thread of the server that
   * {@link Builder#threadFactory} makes. {@link #stop}, {@link #faults} and {@link #watches} work
   * as they do over the network.
   */
  public ServerConnection connection() {
    return endpoints.inProcess();
  }

  /**
   * Returns the configuration with which a client of this process connects as an administrator:
   * over the network, or by {@link #connection} if the server does not listen.
   */
  @Override
  public RestConfig restConfig() {
    return endpoints.listens()
        ? ApiServer.super.restConfig()
        : RestConfig.builder("http://embedded.test").connection(endpoints.inProcess()).build();
  }

  @Override
  public String kubeconfig() {
    return KubeConfigText.withToken(
        url(), authority == null ? null : authority.certificatePem(), tokens.token(), "envtest");
  }

  @Override
  public String kubeconfig(String user, List<String> groups) {
    return KubeConfigText.impersonating(
        url(), authority == null ? null : authority.certificatePem(), tokens.token(), user, groups);
  }

  @Override
  public RestConfig restConfig(String user, List<String> groups) {
    ImpersonationConfig.Builder impersonated = ImpersonationConfig.builder(user);
    groups.forEach(impersonated::group);
    return restConfig().toBuilder().impersonate(impersonated.build()).build();
  }

  /* --------------- Permissions --------------- */

  /**
   * Stores the roles and bindings in manifests, and returns the configuration of a client that has
   * their permissions alone: the account, user or group that the bindings name. Roles without any
   * binding are bound to the user {@code enforced}. Objects of other kinds are skipped, except
   * namespaces and service accounts.
   *
   * @param manifests files of YAML or JSON
   * @throws IllegalArgumentException if there is no role, or the bindings name several subjects
   * @throws java.io.UncheckedIOException if a file cannot be read
   */
  public RestConfig enforce(Path... manifests) {
    EnforcedRoles roles = EnforcedRoles.read(List.of(manifests));
    put(roles.objects());
    return restConfig(roles.user(), roles.groups());
  }

  /**
   * Returns what the user of a client has done and may do. A client with {@link #restConfig()} is
   * the user {@code envtest-admin}.
   */
  public Permissions permissions(RestConfig client) {
    ImpersonationConfig user = client.impersonate();
    return Permissions.of(
        api.authorizer(),
        user == null
            ? ApiRequest.User.admin()
            : ApiRequest.User.impersonated(user.userName(), user.groups()));
  }

  /* --------------- Objects --------------- */

  /**
   * Returns the objects of a kind, to read and write them without HTTP.
   *
   * @throws IllegalArgumentException if the server does not serve the kind
   */
  public ServedObjects objects(GroupVersionResource kind) {
    return new ServedObjects(
        store, api.served(kind), api.strategy(), api.customResources(), api.versions());
  }

  /**
   * Stores objects of any kinds that the server serves, and the namespaces that they name. Like
   * {@link ServedObjects#put}, this creates or replaces objects with their status and runs no
   * further checks.
   *
   * <p>Corresponds to the objects that client-go's {@code NewClientset(objects…)} and the {@code
   * WithObjects} of controller-runtime's fake client take.
   *
   * @throws IllegalArgumentException if the server does not serve a kind, or an object has no name
   */
  public void put(Unstructured... objects) {
    put(List.of(objects));
  }

  /** Stores objects, like {@link #put(Unstructured[])}. */
  public void put(List<Unstructured> objects) {
    for (Unstructured object : objects) {
      ServedKind kind = api.served(object.groupVersionKind());
      String namespace = object.metadata().namespace();
      if (kind.resource().namespaced() && namespace != null && !namespace.isEmpty()) {
        api.ensureNamespace(namespace);
      }
      new ServedObjects(store, kind, api.strategy(), api.customResources(), api.versions())
          .put(object);
    }
  }

  /** Returns the resource version of the latest change to any object. */
  public String resourceVersion() {
    return Long.toString(store.revision());
  }

  @Override
  public boolean deleteNamespace(String name) {
    Cleanup.requireDeletable(name);
    return api.purge().namespace(name);
  }

  @Override
  public void reset() {
    faults.clear();
    kubelet.clear();
    reactors.clear();
    api.purge().all(Cleanup.FIRST_NAMESPACES);
    clearRequests();
  }

  /* --------------- Requests and watches --------------- */

  /** Returns the latest requests, the oldest first; at most 100,000. */
  public List<ApiRequest> requests() {
    return requests.all();
  }

  /** Returns the latest requests that match, the oldest first. */
  public List<ApiRequest> requests(Predicate<ApiRequest> matches) {
    return requests.all().stream().filter(matches).toList();
  }

  /**
   * Returns the latest requests, to narrow them and to assert what clients have sent; at most
   * 100,000.
   */
  public SentRequests sent() {
    return SentRequests.of(requests.all());
  }

  /** Clears the record of requests, and of what users have done with their permissions. */
  public void clearRequests() {
    requests.clear();
    api.authorizer().clear();
  }

  /**
   * Waits, in real time, until at least that many requests match, and returns the requests that
   * match.
   *
   * @throws IllegalStateException if that does not happen within 30 s
   * @throws InterruptedException if the thread is interrupted
   */
  public List<ApiRequest> awaitRequests(int count, Predicate<ApiRequest> matches)
      throws InterruptedException {
    return requests.await(
        all -> all.stream().filter(matches).toList(),
        found -> found.size() >= count,
        count + " requests",
        AWAIT_TIMEOUT);
  }

  /** Returns the open watches, in the order in which they were opened. */
  public List<OpenWatch> watches() {
    return api.openWatches().all();
  }

  /**
   * Waits, in real time, until exactly that many watches are open, and returns them.
   *
   * @throws IllegalStateException if that does not happen within 30 s
   * @throws InterruptedException if the thread is interrupted
   */
  public List<OpenWatch> awaitWatches(int count) throws InterruptedException {
    return api.openWatches()
        .await(all -> all, all -> all.size() == count, count + " open watches", AWAIT_TIMEOUT);
  }

  /** Returns the number of open connections. */
  public int connections() {
    return endpoints.connections();
  }

  /* --------------- Faults --------------- */

  /** Returns the rules that make requests fail. */
  public Faults faults() {
    return faults;
  }

  /** Returns the functions that answer requests instead of the server. */
  public Reactors reactors() {
    return reactors;
  }

  /**
   * Returns the kubelet, which plays the containers of pods: what {@code exec} and {@code attach}
   * run, logs and ports.
   */
  public FakeKubelet kubelet() {
    return kubelet;
  }

  /** Breaks all connections. The server continues to accept new ones. */
  public void closeConnections() {
    endpoints.closeConnections();
  }

  /**
   * Breaks all connections and refuses new ones until {@link #restart}. The objects stay, and the
   * port stays reserved. Does nothing if the server is stopped.
   */
  public void stop() {
    endpoints.stop();
  }

  /**
   * Accepts connections again, at the same address. Does nothing if the server is running.
   *
   * @throws IllegalStateException if the server is closed
   */
  public void restart() {
    endpoints.open();
  }

  /** Stops the server and waits up to 10 s for its threads to end. Does nothing the second time. */
  @Override
  public void close() {
    store.endWatches();
    faults.clear();
    endpoints.close();
  }

  /** Builds and starts an {@link EmbeddedApiServer}. Not safe for use by many threads. */
  public static final class Builder {
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private Duration bookmarkInterval = DEFAULT_BOOKMARK_INTERVAL;
    private String token = "";
    private int history = DEFAULT_HISTORY;
    private int port;
    private boolean tls;
    private boolean listens = true;
    private final Set<FeatureGate> gates = EnumSet.noneOf(FeatureGate.class);
    private ThreadFactory threadFactory = DaemonThreads.named("envtest-stream-");

    private Builder() {}

    /** Sets the clock; the system clock by default. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Sets the source of randomness for names and UIDs. It must be thread-safe. */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /** Sets the interval of bookmarks in watches that allow them; 1 min by default. */
    public Builder bookmarkInterval(Duration interval) {
      if (interval.isNegative() || interval.isZero()) {
        throw new IllegalArgumentException("interval must be positive, is " + interval);
      }
      this.bookmarkInterval = interval;
      return this;
    }

    /**
     * Sets how many changes of each kind the server remembers at least; 10,000 by default. A watch
     * that falls further behind ends; when its client resumes it, the resource version has expired.
     */
    public Builder history(int changes) {
      if (changes < 1) {
        throw new IllegalArgumentException("changes must be positive, is " + changes);
      }
      this.history = changes;
      return this;
    }

    /** Sets whether to use TLS, and with it HTTP/2; off by default. */
    public Builder tls(boolean tls) {
      this.tls = tls;
      return this;
    }

    /**
     * Sets the bearer token that clients must present; none by default. Clients send tokens over
     * TLS only, so set {@link #tls} too.
     */
    public Builder token(String token) {
      this.token = requireNonNull(token, "token");
      return this;
    }

    /**
     * Switches a feature gate of kube-apiserver on or off. The server has {@code
     * ManagedFieldsOptOut}, without which it ignores {@code drop=metadata.managedFields}, and
     * {@code ShardedListAndWatch}, without which it ignores {@code shardSelector}. Both are off by
     * default.
     *
     * @throws IllegalArgumentException if the server does not have the gate
     */
    public Builder featureGate(String name, boolean enabled) {
      FeatureGate gate = FeatureGate.of(name);
      if (enabled) {
        gates.add(gate);
      } else {
        gates.remove(gate);
      }
      return this;
    }

    /** Sets the port; by default the system chooses a free one. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Sets whether the server listens on a port; on by default. Without, it has no sockets, and
     * clients reach it by {@link EmbeddedApiServer#connection}, which is faster and leaves no
     * thread waiting in a socket.
     */
    public Builder listen(boolean listen) {
      this.listens = listen;
      return this;
    }

    /**
     * Sets the factory of the threads that write watches to clients of this process; daemon threads
     * by default.
     */
    public Builder threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      return this;
    }

    /**
     * Starts the server.
     *
     * @throws IllegalStateException if the port is in use
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
