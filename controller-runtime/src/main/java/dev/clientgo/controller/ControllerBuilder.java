package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.internal.reconcile.WorkerRange;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Controller}: {@code Controller.builder(reconciler).forKind(Foo.TYPE).build()}.
 * Not safe for use by many threads.
 *
 * <p>Corresponds to controller-runtime's {@code builder.Builder}.
 */
public final class ControllerBuilder {

  private static final int UNLIMITED_RETRIES = Integer.MAX_VALUE;

  private static final FinalFailureHandler NO_HANDLER = (request, error, context) -> {};

  private final Reconciler reconciler;
  private @Nullable String name;
  private @Nullable ResourceType<?> kind;
  private final List<ControllerOptions.Watch<?>> watches = new ArrayList<>();
  private final Set<ResourceType<?>> owned = new LinkedHashSet<>();
  private Predicate<KubernetesObject> predicate = Predicate.everything();
  private WorkerRange workers = new WorkerRange(1, 1);
  private @Nullable RateLimiter<? super Request> rateLimiter;
  private @Nullable Duration reconcileTimeout;
  private Duration cacheSyncTimeout = Controller.DEFAULT_CACHE_SYNC_TIMEOUT;
  private boolean waitForOwnWrites;
  private boolean needsLeadership = true;
  private boolean warmUp;
  private boolean sharded = true;
  private boolean shardedCache;
  private boolean channel;
  private final List<ControllerOptions.Poll> polls = new ArrayList<>();
  private Duration minInterval = Duration.ZERO;
  private Duration maxInterval = Duration.ZERO;
  private int maxRetries = UNLIMITED_RETRIES;
  private FinalFailureHandler finalFailures = NO_HANDLER;
  private final Map<GroupResource, Scope> scopes = new HashMap<>();

  ControllerBuilder(Reconciler reconciler) {
    this.reconciler = requireNonNull(reconciler, "reconciler");
  }

  /** Sets the kind of the objects to reconcile: each change of an object is a request for it. */
  public ControllerBuilder forKind(ResourceType<? extends KubernetesObject> type) {
    return forKind(type, Predicate.everything());
  }

  /**
   * Sets the kind of the objects to reconcile.
   *
   * @param predicate decides which changes are requests
   * @throws IllegalStateException if the kind is set already
   */
  public <T extends KubernetesObject> ControllerBuilder forKind(
      ResourceType<T> type, Predicate<? super T> predicate) {
    if (kind != null) {
      throw new IllegalStateException(
          "a controller is for one kind, and this one is for " + kind + ": use watches(…)");
    }
    kind = requireNonNull(type, "type");
    return watches(type, MapFunction.self(), predicate, /* isPrimary= */ true);
  }

  /**
   * Adds a kind of objects that the reconciler creates: each change of such an object is a request
   * for its controlling owner, if that is of {@link #forKind}'s kind. {@link Context#children}
   * finds its children among the objects of these kinds.
   *
   * @throws IllegalStateException if {@link #forKind} was not called before
   */
  public ControllerBuilder owns(ResourceType<? extends KubernetesObject> type) {
    return owns(type, Predicate.everything());
  }

  /**
   * Adds a kind of objects that the reconciler creates.
   *
   * @param predicate decides which changes are requests
   * @throws IllegalStateException if {@link #forKind} was not called before
   */
  public <T extends KubernetesObject> ControllerBuilder owns(
      ResourceType<T> type, Predicate<? super T> predicate) {
    if (kind == null) {
      throw new IllegalStateException("call forKind before owns: owners are found by their kind");
    }
    owned.add(type);
    return watches(type, MapFunction.controller(kind), predicate);
  }

  /**
   * Adds a kind of other objects that concern the reconciled ones.
   *
   * @param map finds the requests for an object that has changed
   */
  public <T extends KubernetesObject> ControllerBuilder watches(
      ResourceType<T> type, MapFunction<T> map) {
    return watches(type, map, Predicate.everything());
  }

  /**
   * Adds a kind of other objects that concern the reconciled ones.
   *
   * @param map finds the requests for an object that has changed
   * @param predicate decides which changes are requests
   */
  public <T extends KubernetesObject> ControllerBuilder watches(
      ResourceType<T> type, MapFunction<T> map, Predicate<? super T> predicate) {
    return watches(type, map, predicate, /* isPrimary= */ false);
  }

  /**
   * Adds a kind of other objects that concern the reconciled ones.
   *
   * @param map finds the requests for an object that has changed by reading other objects
   */
  public <T extends KubernetesObject> ControllerBuilder watches(
      ResourceType<T> type, ReadingMapFunction<T> map) {
    return watches(type, map, Predicate.everything());
  }

  /**
   * Adds a kind of other objects that concern the reconciled ones.
   *
   * @param map finds the requests for an object that has changed by reading other objects
   * @param predicate decides which changes are requests
   */
  public <T extends KubernetesObject> ControllerBuilder watches(
      ResourceType<T> type, ReadingMapFunction<T> map, Predicate<? super T> predicate) {
    return add(type, map, predicate, /* isPrimary= */ false);
  }

  private <T extends KubernetesObject> ControllerBuilder watches(
      ResourceType<T> type, MapFunction<T> map, Predicate<? super T> predicate, boolean isPrimary) {
    return add(type, ControllerOptions.reading(requireNonNull(map, "map")), predicate, isPrimary);
  }

  private <T extends KubernetesObject> ControllerBuilder add(
      ResourceType<T> type,
      ReadingMapFunction<T> map,
      Predicate<? super T> predicate,
      boolean isPrimary) {
    watches.add(
        new ControllerOptions.Watch<>(
            requireNonNull(type, "type"),
            requireNonNull(map, "map"),
            requireNonNull(predicate, "predicate"),
            isPrimary));
    return this;
  }

  /**
   * Sets which objects of a kind this controller watches and reads: some namespaces, labels and
   * fields, or several of these. Controllers share the informers of the parts that they have in
   * common. Default: what the {@linkplain ManagerBuilder#scope manager} follows.
   *
   * <p>Corresponds to controller-runtime's {@code cache.ByObject}, which is for all controllers of
   * a manager.
   */
  public ControllerBuilder scope(ResourceType<?> type, Scope scope) {
    scopes.put(type.resource().groupResource(), requireNonNull(scope, "scope"));
    return this;
  }

  /**
   * Sets a predicate for the events of all kinds, beside those of each. Default: all pass.
   *
   * <p>Corresponds to controller-runtime's {@code WithEventFilter}.
   */
  public ControllerBuilder predicate(Predicate<KubernetesObject> predicate) {
    this.predicate = requireNonNull(predicate, "predicate");
    return this;
  }

  /**
   * Sets the name: a label of metrics and log lines, unique in a manager. Default: the kind of
   * {@link #forKind} in lower case.
   */
  public ControllerBuilder named(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a controller must not be blank");
    }
    this.name = name;
    return this;
  }

  /**
   * Sets how many objects are reconciled at the same time. Default: 1.
   *
   * <p>Corresponds to controller-runtime's {@code MaxConcurrentReconciles}.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public ControllerBuilder workers(int workers) {
    return workers(workers, workers);
  }

  /**
   * Sets how many objects are reconciled at the same time, by the load: a worker is added when all
   * workers are busy. A worker beyond the least number ends after a reconcile if not all have been
   * busy for 10 s. Default: 1 and 1.
   *
   * @throws IllegalArgumentException if the least number is less than 1, or greater than the other
   */
  public ControllerBuilder workers(int least, int most) {
    this.workers = new WorkerRange(least, most);
    return this;
  }

  /**
   * Lets the controller work for the requests of {@link Controller#enqueue} alone, without a kind
   * to watch.
   *
   * <p>Corresponds to a controller-runtime controller with a {@code source.Channel} alone.
   */
  public ControllerBuilder channel() {
    this.channel = true;
    return this;
  }

  /**
   * Calls a function when the controller starts to work, and each time when the period has passed
   * since its last call has returned, and reconciles what it returns. It runs only while the
   * controller works: where it {@linkplain #needsLeadership leads}, if that matters. May be called
   * more than once.
   *
   * @throws IllegalArgumentException if the period is not positive
   */
  public ControllerBuilder polls(Duration period, Poller poller) {
    polls.add(
        new ControllerOptions.Poll(positive(period, "period"), requireNonNull(poller, "poller")));
    return this;
  }

  /**
   * Sets the least time between the begins of two reconciles of one object; a request that comes
   * earlier waits. Default: none.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ControllerBuilder minReconcileInterval(Duration minInterval) {
    this.minInterval = positive(minInterval, "minReconcileInterval");
    return this;
  }

  /**
   * Sets the longest time after a successful reconcile of an object until the next one; the
   * controller shortens it by up to a tenth, so that not all objects come at once. A reconcile for
   * this reason has the priority -100. An object that is gone does not come again; without {@link
   * #forKind} the controller cannot know that, and each request comes again until its end. It costs
   * an entry of the queue for each object. Default: none.
   *
   * <p>controller-runtime reconciles all objects after 10 h, its {@code SyncPeriod}, and the Java
   * Operator SDK each object 10 h after its last reconcile. This library has no default, because
   * its informers miss no change: it is for reconcilers that look after something beside the
   * cluster.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ControllerBuilder maxReconcileInterval(Duration maxInterval) {
    this.maxInterval = positive(maxInterval, "maxReconcileInterval");
    return this;
  }

  /**
   * Sets how often in a row a failed reconcile is tried again. After that the controller counts and
   * logs the failure as a {@link TerminalException}, and calls the handler of {@link
   * #onFinalFailure}; the next event of the object starts again, with all retries. Default: no
   * limit.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ControllerBuilder maxRetries(int maxRetries) {
    if (maxRetries < 0) {
      throw new IllegalArgumentException("maxRetries must not be negative: " + maxRetries);
    }
    this.maxRetries = maxRetries;
    return this;
  }

  /** Sets what handles a failure that is not tried again. Default: only the log and metrics do. */
  public ControllerBuilder onFinalFailure(FinalFailureHandler handler) {
    this.finalFailures = requireNonNull(handler, "handler");
    return this;
  }

  /**
   * Sets how long a failed request waits before it is tried again. Default, for each request: 5 ms
   * at first, twice as long each time, and 1000 s at most.
   */
  public ControllerBuilder rateLimiter(RateLimiter<? super Request> rateLimiter) {
    this.rateLimiter = requireNonNull(rateLimiter, "rateLimiter");
    return this;
  }

  /**
   * Sets how long a reconcile may take. After that time its thread is interrupted, and the request
   * is tried again if the reconciler throws. Default: no limit; a reconcile that takes longer than
   * a minute is a warning in the log, with the place where it is.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ControllerBuilder reconcileTimeout(Duration reconcileTimeout) {
    this.reconcileTimeout = positive(reconcileTimeout, "reconcileTimeout");
    return this;
  }

  /**
   * Sets how long the controller waits for its caches to be filled, before it fails. Default: two
   * minutes.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ControllerBuilder cacheSyncTimeout(Duration cacheSyncTimeout) {
    this.cacheSyncTimeout = positive(cacheSyncTimeout, "cacheSyncTimeout");
    return this;
  }

  /**
   * Sets whether a request waits until the caches show what its last reconcile has written or
   * deleted through {@link Context#client}, for 30 s at most. Reads through the client always show
   * it; this is for reconcilers that also read other caches, or that should not run twice for one
   * change. Default: false.
   */
  public ControllerBuilder waitForOwnWrites(boolean waitForOwnWrites) {
    this.waitForOwnWrites = waitForOwnWrites;
    return this;
  }

  /**
   * Sets whether the controller works only while this process leads. It matters only if the manager
   * {@linkplain ManagerBuilder#leaderElection elects a leader}. Default: true.
   *
   * <p>Corresponds to controller-runtime's {@code NeedLeaderElection}.
   */
  public ControllerBuilder needsLeadership(boolean needsLeadership) {
    this.needsLeadership = needsLeadership;
    return this;
  }

  /**
   * Sets whether the caches are filled before this process leads, so that it can take over at once.
   * It costs the memory of the caches and the watches meanwhile. Default: false.
   *
   * <p>Corresponds to controller-runtime's {@code EnableWarmup}.
   */
  public ControllerBuilder warmUp(boolean warmUp) {
    this.warmUp = warmUp;
    return this;
  }

  /**
   * Sets whether replicas share the objects of {@link #forKind}, if the manager is {@linkplain
   * ManagerBuilder#shards in a shard group}. If not, the controller reconciles all objects in each
   * process, or where it leads, if the manager elects a leader too. Default: true.
   */
  public ControllerBuilder sharded(boolean sharded) {
    this.sharded = sharded;
    return this;
  }

  /**
   * Sets whether the cache of {@link #forKind} has only the objects of this replica, if the manager
   * is {@linkplain ManagerBuilder#shards in a shard group}: one in N of N replicas, in memory, and
   * on the wire if the server supports {@linkplain dev.clientgo.apimachinery.sharding.ShardSelector
   * shards}. If not, the cache has the objects of all replicas. Default: false.
   *
   * <p>Then, in this controller:
   *
   * <ul>
   *   <li>{@code find} and {@code get} of {@link Context#client} read an object of another replica
   *       from the server. So does each {@code find} of an object that does not exist.
   *   <li>Lists, indices and {@link Context#view} of the kind have the objects of this replica
   *       only.
   *   <li>The deletion of an object is missed if its replica dies, or gives it away, before it has
   *       reconciled the deletion. Use a {@linkplain dev.clientgo.controller.finalizer.FinalizerSet
   *       finalizer} if that matters.
   * </ul>
   *
   * <p>The caches of other kinds have all objects. So has a second cache of this kind, if another
   * controller without this option or {@link Manager#client} reads it.
   */
  public ControllerBuilder shardedCache(boolean shardedCache) {
    this.shardedCache = shardedCache;
    return this;
  }

  private static Duration positive(Duration duration, String name) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be positive: " + duration);
    }
    return duration;
  }

  /**
   * Returns a controller, for {@link Manager#add}.
   *
   * @throws IllegalStateException if it has no name, or nothing that makes requests, or if it
   *     shards its cache, but not its objects
   */
  public Controller build() {
    if (watches.isEmpty() && polls.isEmpty() && !channel) {
      throw new IllegalStateException(
          "the controller watches nothing, so nothing would ever call the reconciler: call"
              + " forKind(…), watches(…), polls(…), or channel() if the program enqueues all"
              + " requests");
    }
    if (shardedCache && (!sharded || kind == null)) {
      throw new IllegalStateException(
          "shardedCache(true) is for a controller whose objects replicas share: "
              + (sharded ? "call forKind(…)" : "remove sharded(false)"));
    }
    return new Controller(options());
  }

  ControllerOptions options() {
    return new ControllerOptions(
        name != null ? name : nameOfKind(),
        reconciler,
        List.copyOf(watches),
        predicate,
        workers,
        rateLimiter,
        reconcileTimeout,
        cacheSyncTimeout,
        waitForOwnWrites,
        needsLeadership,
        warmUp,
        kind,
        sharded,
        shardedCache,
        List.copyOf(polls),
        minInterval,
        maxInterval,
        maxRetries == UNLIMITED_RETRIES && finalFailures == NO_HANDLER
            ? null
            : new ControllerOptions.Retries(maxRetries, finalFailures),
        List.copyOf(owned),
        Map.copyOf(scopes));
  }

  private String nameOfKind() {
    if (kind == null) {
      throw new IllegalStateException("a controller without forKind needs a name: call named(…)");
    }
    String kindName = kind.kind().kind();
    return (kindName.isEmpty() ? kind.resource().resource() : kindName).toLowerCase(Locale.ROOT);
  }
}
