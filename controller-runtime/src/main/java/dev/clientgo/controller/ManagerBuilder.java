package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.internal.metrics.GuardedMetrics;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.events.EventBroadcaster;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.rest.RESTClient;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Manager}: {@code Manager.builder(client).http(address).build()}. Not safe for use
 * by many threads.
 *
 * <p>Corresponds to controller-runtime's {@code manager.Options}.
 */
public final class ManagerBuilder {

  final RESTClient client;
  Consumer<SharedInformerFactory.Builder> informers = factory -> {};

  /** Null for all. */
  @Nullable Set<String> namespaces;

  final Map<GroupResource, Scope> scopes = new HashMap<>();
  boolean startsByRead = true;
  Duration gracefulShutdownTimeout = Manager.DEFAULT_GRACEFUL_SHUTDOWN_TIMEOUT;

  /** Null for no limit. */
  @Nullable Duration maxStaleness;

  /** Null for the server. */
  SharedInformerFactory.@Nullable Source source;

  @Nullable InetSocketAddress httpAddress;
  @Nullable InetSocketAddress metricsAddress;

  /** Null to serve metrics without TLS. */
  @Nullable Path metricsCertificates;

  boolean authorizesMetrics;
  @Nullable Function<Client, WebhookServer> webhooks;
  @Nullable LeaseLock lock;
  Consumer<LeaderElector.Builder> election = options -> {};
  @Nullable String leaderIdentity;
  @Nullable LeaseLock shards;
  Consumer<ShardGroup.Builder> sharding = options -> {};
  final Map<String, HealthCheck> healthChecks = new LinkedHashMap<>();
  final Map<String, HealthCheck> readyChecks = new LinkedHashMap<>();
  MetricsRegistry metrics = PrometheusMetrics.create();
  @Nullable Function<String, EventRecorder> events;
  @Nullable DebugRecorder recorder;
  @Nullable IncidentRecorder incidents;
  Consumer<FieldFight> fights = fight -> {};
  boolean reportsFights = true;
  Clock clock = Clock.system();
  RandomGenerator random = new Random();
  @Nullable ThreadFactory threadFactory;
  UnaryOperator<Reconciler> reconcilers = UnaryOperator.identity();
  final List<ReconcileObserver> observers = new ArrayList<>();

  ManagerBuilder(RESTClient client) {
    this.client = requireNonNull(client, "client");
  }

  /**
   * Sets options of the informers: a namespace, indices, transforms, a resync period.
   *
   * <pre>{@code
   * .informers(factory -> factory.namespace("shop").resyncPeriod(Duration.ofHours(10)))
   * }</pre>
   *
   * <p>Metrics that it sets take the place of the manager's own metrics of informers. A manager
   * refuses informers that use a {@link dev.clientgo.cache.DeltaFIFO}.
   *
   * <p>Corresponds to controller-runtime's {@code cache.Options}.
   */
  public ManagerBuilder informers(Consumer<SharedInformerFactory.Builder> informers) {
    this.informers = requireNonNull(informers, "informers");
    return this;
  }

  /**
   * Limits the manager to some namespaces: its informers list and watch in each of them, and
   * nowhere else. So it needs no ClusterRole, but in each namespace a Role with the verbs list and
   * watch on each kind. {@link Manager#addNamespace} and {@link Manager#removeNamespace} change
   * them. Kinds without namespaces are not limited. Default: all namespaces.
   *
   * <p>If the server forbids one of them, the controllers work in the others, a read of it throws a
   * {@link CacheSyncException}, and {@code /readyz} names it.
   *
   * <p>Corresponds to controller-runtime's {@code cache.Options.DefaultNamespaces}.
   *
   * @param namespaces none, if all are added later
   * @throws IllegalArgumentException if one cannot be a namespace, such as {@code "*"}
   */
  public ManagerBuilder inNamespaces(String... namespaces) {
    Set<String> names = Set.of(namespaces);
    for (String name : names) { // The server lists nothing in a namespace that there cannot be.
      if (!name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")) {
        throw new IllegalArgumentException(
            "not the name of a namespace: \"" + name + "\"; to follow all, name none");
      }
    }
    this.namespaces = names;
    return this;
  }

  /**
   * Sets which objects of a kind the manager follows: its controllers, unless they have a {@link
   * ControllerBuilder#scope} of their own, and {@link Manager#client}. Default: all objects in the
   * {@linkplain #inNamespaces namespaces} of the manager.
   *
   * <pre>{@code
   * .scope(Secret.TYPE, Scope.all().withLabels("app.kubernetes.io/managed-by=shop"))
   * }</pre>
   *
   * <p>Corresponds to controller-runtime's {@code cache.ByObject}.
   *
   * @param type the kind; the scope is that of all Java types of its resource
   */
  public ManagerBuilder scope(ResourceType<?> type, Scope scope) {
    scopes.put(type.resource().groupResource(), requireNonNull(scope, "scope"));
    return this;
  }

  /**
   * Lets no read start an informer: a read of a kind that no controller watches throws an {@link
   * IllegalStateException} that names it. Default: the first read begins to watch the kind.
   *
   * <p>Corresponds to controller-runtime's {@code cache.Options.ReaderFailOnMissingInformer}.
   */
  public ManagerBuilder failOnUnwatched() {
    this.startsByRead = false;
    return this;
  }

  /**
   * Sets how long {@link Manager#close} may take for the reconciles and the webhooks in all.
   * Reconciles may finish during the first two thirds. Default: 30 seconds.
   */
  public ManagerBuilder gracefulShutdownTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the timeout must not be negative: " + timeout);
    }
    this.gracefulShutdownTimeout = timeout;
    return this;
  }

  /**
   * Sets after which time without a list, an event or a bookmark a cache is so old that the process
   * is not {@linkplain #http ready}; {@code /readyz} names the informers. A server sends a bookmark
   * about every minute, so the time should be several minutes; a server without bookmarks confirms
   * nothing while nothing changes. Default: no limit; the metric {@code
   * informer_confirmed_age_seconds} has the age either way.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagerBuilder maxStaleness(Duration maxStaleness) {
    if (maxStaleness.isNegative() || maxStaleness.isZero()) {
      throw new IllegalArgumentException("maxStaleness must be positive: " + maxStaleness);
    }
    this.maxStaleness = maxStaleness;
    return this;
  }

  /** Sets where informers list and watch, for tests. */
  ManagerBuilder source(SharedInformerFactory.Source source) {
    this.source = source;
    return this;
  }

  /**
   * Elects a leader: of all processes with this lease, only one works. The controllers of the
   * others stand by. Default: no election.
   *
   * <p>A write of a reconciler through {@link Context#client} is refused once the lease may belong
   * to another process. When the manager is closed, the lease is given back after all reconciles
   * have ended, so another process takes over at once.
   *
   * @param lock names the Lease
   */
  public ManagerBuilder leaderElection(LeaseLock lock) {
    return leaderElection(lock, options -> {});
  }

  /**
   * Elects a leader: of all processes with this lease, only one works.
   *
   * @param lock names the Lease
   * @param options sets durations, events and more; callbacks belong to the manager
   */
  public ManagerBuilder leaderElection(LeaseLock lock, Consumer<LeaderElector.Builder> options) {
    this.lock = requireNonNull(lock, "lock");
    this.election = requireNonNull(options, "options");
    return this;
  }

  /**
   * Sets the name of this process in the lease and in its shard group, which must be unique.
   * Default: the host name, which in a pod is the name of the pod, and a UUID.
   */
  public ManagerBuilder leaderIdentity(String identity) {
    this.leaderIdentity = requireNonNull(identity, "identity");
    return this;
  }

  /**
   * Shares the objects among all replicas with this group: an object belongs to at most one replica
   * at a time, and each of N replicas has about one in N. Replicas can join, leave and die at any
   * time. The uid of the object of {@link ControllerBuilder#forKind} decides. Default: no group.
   *
   * <p>If a replica takes over objects, it reconciles each of them, as after a start. A write of a
   * reconciler through {@link Context#client} is refused once the object may belong to another
   * replica. The caches have the objects of all replicas, unless a controller has a {@link
   * ControllerBuilder#shardedCache}.
   *
   * @param group names the Lease of the group, at most 63 characters
   */
  public ManagerBuilder shards(LeaseLock group) {
    return shards(group, options -> {});
  }

  /**
   * Shares the objects among all replicas with this group.
   *
   * @param group names the Lease of the group, at most 63 characters
   * @param options sets the identity, the number of slots, and durations
   */
  public ManagerBuilder shards(LeaseLock group, Consumer<ShardGroup.Builder> options) {
    this.shards = requireNonNull(group, "group");
    this.sharding = requireNonNull(options, "options");
    return this;
  }

  /**
   * Serves {@code /healthz} and {@code /readyz} over HTTP for probes while the manager runs. They
   * name the checks that failed, and withhold the reasons: anyone who reaches the address may read
   * them. Default: no server.
   *
   * <p>Corresponds to controller-runtime's {@code HealthProbeBindAddress}.
   *
   * @param address where to listen: {@code new InetSocketAddress(8081)}; port 0 for any
   */
  public ManagerBuilder http(InetSocketAddress address) {
    this.httpAddress = requireNonNull(address, "address");
    return this;
  }

  /**
   * Serves {@code /metrics} over HTTP while the manager runs, {@code /healthz} and {@code /readyz}
   * with reasons, {@code /debug/reconciles} with a {@link #debugRecorder}, and {@code
   * /debug/incident} with a {@link #incidents recorder of incidents}. They show names and contents
   * of objects, so only the operators of the program should reach the address: use the loopback
   * interface, {@link #authorizeMetrics}, or a NetworkPolicy. Default: no server.
   *
   * <p>Corresponds to controller-runtime's {@code metricsserver.Options.BindAddress}.
   *
   * @param address where to listen: {@code new InetSocketAddress("127.0.0.1", 8080)}
   */
  public ManagerBuilder metricsBindAddress(InetSocketAddress address) {
    this.metricsAddress = requireNonNull(address, "address");
    return this;
  }

  /**
   * Serves the {@linkplain #metricsBindAddress metrics address} with TLS. The files {@code tls.crt}
   * and {@code tls.key} of the directory are read every 10 seconds, and used for new connections if
   * they have changed and are valid. Default: without TLS.
   *
   * <p>Corresponds to controller-runtime's {@code SecureServing} and {@code CertDir}.
   */
  public ManagerBuilder metricsCertificates(Path directory) {
    metricsCertificates = requireNonNull(directory, "directory");
    return this;
  }

  /**
   * Lets the API server decide who may read the {@linkplain #metricsBindAddress metrics address}: a
   * client sends a bearer token, whose user needs the verb {@code get} on the {@code
   * nonResourceURLs} of the page; of {@code /metrics} also for {@code /healthz} and {@code
   * /readyz}. The manager itself needs the verb {@code create} on {@code tokenreviews} and {@code
   * subjectaccessreviews}. Needs TLS. Default: anyone who reaches the address.
   *
   * <p>A client gets 401 without a valid token, 403 without the permission, and 500 if the server
   * does not answer within 10 seconds. Answers are kept: 1 minute for a token, 10 seconds for one
   * that is not valid, 5 minutes for a permission, 30 seconds for a missing one.
   *
   * <p>Corresponds to controller-runtime's {@code filters.WithAuthenticationAndAuthorization}.
   */
  public ManagerBuilder authorizeMetrics() {
    authorizesMetrics = true;
    return this;
  }

  /**
   * Serves webhooks while the manager runs, whether this process leads or not. Default: none.
   *
   * @param webhooks a server that is not started; the manager starts it before its caches, and
   *     closes it after them
   */
  public ManagerBuilder webhooks(WebhookServer webhooks) {
    requireNonNull(webhooks, "webhooks");
    return webhooks(client -> webhooks);
  }

  /**
   * Serves webhooks that read other objects.
   *
   * @param webhooks receives the {@link Manager#unfencedClient} and returns a server that is not
   *     started
   */
  public ManagerBuilder webhooks(Function<Client, WebhookServer> webhooks) {
    this.webhooks = requireNonNull(webhooks, "webhooks");
    return this;
  }

  /**
   * Adds a check to {@code /healthz}. An unhealthy program should be restarted.
   *
   * <p>Corresponds to controller-runtime's {@code AddHealthzCheck}.
   */
  public ManagerBuilder healthCheck(String name, HealthCheck check) {
    healthChecks.put(requireNonNull(name, "name"), requireNonNull(check, "check"));
    return this;
  }

  /**
   * Adds a check to {@code /readyz}, beside those of the controllers.
   *
   * <p>Corresponds to controller-runtime's {@code AddReadyzCheck}.
   */
  public ManagerBuilder readyCheck(String name, HealthCheck check) {
    readyChecks.put(requireNonNull(name, "name"), requireNonNull(check, "check"));
    return this;
  }

  /** Sets the receiver of metrics. Default: the manager's own {@link PrometheusMetrics}. */
  public ManagerBuilder metrics(MetricsRegistry metrics) {
    this.metrics = requireNonNull(metrics, "metrics");
    return this;
  }

  /**
   * Sets the function that creates a controller's event recorder, given the name of the controller.
   * Default: the manager's own {@link EventBroadcaster}, which writes events of {@code
   * events.k8s.io/v1} and has up to 5 s at the end to send pending events.
   *
   * <pre>{@code
   * FakeRecorder events = FakeRecorder.create(); // For a test.
   * Manager.builder(client).events(controller -> events).build();
   *
   * EventBroadcaster broadcaster = EventBroadcaster.coreV1(client); // The caller closes it.
   * Manager.builder(client).events(broadcaster::recorder).build();
   * }</pre>
   *
   * <p>Corresponds to controller-runtime's {@code Options.EventBroadcaster}.
   */
  public ManagerBuilder events(Function<String, EventRecorder> recorders) {
    this.events = requireNonNull(recorders, "recorders");
    return this;
  }

  /**
   * Records the last reconciles of each request with their causes. With a {@link
   * #metricsBindAddress}, they are at {@code /debug/reconciles}, too. Default: none.
   */
  public ManagerBuilder debugRecorder(DebugRecorder recorder) {
    this.recorder = requireNonNull(recorder, "recorder");
    return this;
  }

  /**
   * Records what the reconcilers of the manager receive and write, to be replayed. With a {@link
   * #metricsBindAddress}, a file of it is at {@code /debug/incident}, too. Default: none.
   */
  public ManagerBuilder incidents(IncidentRecorder recorder) {
    this.incidents = requireNonNull(recorder, "recorder");
    return this;
  }

  /**
   * Sets the listener for fights over fields: two writers change a field again and again, six times
   * in ten minutes, or a controller changes it at each reconcile, which starts the next one, ten
   * times in a minute. Each fight is reported once, until the field was quiet for ten minutes; also
   * in the log, by the counter {@code controller_runtime_field_fights_total}, and by an event of
   * the object.
   *
   * <p>The kinds that controllers watch are observed. The names of the writers come from the
   * managed fields of the objects.
   *
   * @param listener must be quick; a thread of an informer calls it
   */
  public ManagerBuilder onFieldFight(Consumer<FieldFight> listener) {
    this.fights = requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets whether {@linkplain #onFieldFight fights over fields} are reported: in the log, as events,
   * and to the listener. Switch it off for controllers that change one field often on purpose, such
   * as a count that goes up and down. Default: true.
   */
  public ManagerBuilder reportFieldFights(boolean report) {
    this.reportsFights = report;
    return this;
  }

  /** Sets the clock of delays and timeouts, for tests. Default: the system's. */
  public ManagerBuilder clock(Clock clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Sets the factory of the threads of controllers, informers, events and shards, which get their
   * names afterwards. Default: daemon threads, virtual on Java 21 and later.
   *
   * <p>The elector and the watchdogs of controllers do not use it: they run on platform threads, so
   * virtual threads that compute or are pinned cannot cost the lease. {@link
   * LeaderElector.Builder#threadFactory} sets the threads of the elector.
   */
  public ManagerBuilder threadFactory(ThreadFactory threadFactory) {
    this.threadFactory = requireNonNull(threadFactory, "threadFactory");
    return this;
  }

  /**
   * Sets a function that wraps each reconciler of the manager when its controller starts, such as
   * one that traces or records its calls. Default: the reconciler itself.
   */
  public ManagerBuilder reconcilers(UnaryOperator<Reconciler> wrapper) {
    this.reconcilers = requireNonNull(wrapper, "wrapper");
    return this;
  }

  /**
   * Adds an observer of each reconcile of the manager. The first one begins first and ends last.
   * Default: none.
   */
  public ManagerBuilder observer(ReconcileObserver observer) {
    observers.add(requireNonNull(observer, "observer"));
    return this;
  }

  /** Sets the source of randomness of backoffs, for tests. It must be thread-safe. */
  public ManagerBuilder random(RandomGenerator random) {
    this.random = requireNonNull(random, "random");
    return this;
  }

  /**
   * Returns a manager that is not started.
   *
   * @throws IllegalStateException if {@link #authorizeMetrics} is set without a certificate
   */
  public Manager build() {
    if (authorizesMetrics && metricsCertificates == null) {
      throw new IllegalStateException(
          "authorizeMetrics() without TLS would send tokens as plain text: call"
              + " metricsCertificates(…)");
    }
    metrics = GuardedMetrics.of(metrics, clock);
    return new Manager(this);
  }
}
