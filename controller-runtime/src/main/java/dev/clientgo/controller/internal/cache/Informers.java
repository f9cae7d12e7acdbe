package dev.clientgo.controller.internal.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.metrics.InformerSeries;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.scope.Scope;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The informers that the controllers of a manager share, each with the number of its users and with
 * this process' own writes. The first user starts an informer, the last one ends it, and its watch
 * with it.
 *
 * <p>Safe for use by many threads.
 */
public final class Informers implements AutoCloseable {

  /** How long to wait for a write that came before the informer; most arrive at once. */
  private static final Duration EARLIER_WRITES_TIMEOUT = Duration.ofSeconds(10);

  /**
   * The name of an informer; the codec stands for the type of the objects.
   *
   * @param ofShard whether the informer follows only the shard of this replica
   */
  private record Key(
      GroupVersionResource resource, JsonCodec<?> codec, CachePart part, boolean ofShard) {

    static Key of(ResourceType<?> type, CachePart part, boolean ofShard) {
      return new Key(type.resource(), type.codec(), part, ofShard);
    }
  }

  private static final class Shared<T extends KubernetesObject> {
    final ResourceType<T> type;
    final SharedIndexInformer<T> informer;
    final CacheScope scope;

    /** Whether an object belongs to the shard of the informer, if it has one. */
    final Predicate<KubernetesObject> inShard;

    final OwnWrites<T> ownWrites;

    /** The version of the last write before the informer was started, if any. */
    final @Nullable String earlierWrites;

    /** Whether the cache has the first list and the earlier writes. */
    volatile boolean filled;

    int users;
    boolean closing;

    Shared(
        ResourceType<T> type,
        SharedIndexInformer<T> informer,
        CacheScope scope,
        Predicate<KubernetesObject> inShard,
        Clock clock,
        @Nullable String earlierWrites) {
      this.type = type;
      this.informer = informer;
      this.scope = scope;
      this.inShard = inShard;
      this.ownWrites =
          new OwnWrites<>(informer.indexer(), scope::selects, clock, this::passDeletion);
      this.earlierWrites = earlierWrites;
    }

    private void passDeletion(T lost) {
      if (inShard.test(lost)) { // Otherwise the list may lack it because its slot has moved.
        informer.passDeletion(lost);
      }
    }

    /** Returns whether the cache can have an object, whatever its labels and fields are. */
    boolean canHave(KubernetesObject object) {
      String namespace = object.metadata().namespace();
      return scope.hasNamespace(namespace == null ? "" : namespace) && inShard.test(object);
    }

    /**
     * Records a write.
     *
     * @return whether its event will come, as far as this process can tell
     */
    @SuppressWarnings("unchecked") // The codec makes objects of one type.
    boolean written(ResourceType<?> as, KubernetesObject object) {
      if (as.codec().equals(type.codec()) && !scope.hasFieldSelector()) {
        ownWrites.written((T) object);
      } else {
        ownWrites.writtenElsewhere(object);
      }
      return ownWrites.has(object) || (!scope.hasFieldSelector() && scope.selects(object));
    }
  }

  /**
   * One use of an informer.
   *
   * @param <T> the type of the objects
   */
  public final class Lease<T extends KubernetesObject> implements CacheUse<T> {

    private final Key key;
    private final Shared<T> shared;

    private volatile @Nullable ResourceEventHandlerRegistration registration;

    @GuardedBy("lock")
    private boolean released;

    private Lease(Key key, Shared<T> shared) {
      this.key = key;
      this.shared = shared;
    }

    private SharedIndexInformer<T> informer() {
      return shared.informer;
    }

    @Override
    public IndexReader<T> delivered() {
      return informer().indexer();
    }

    /** Returns the cache with the own writes whose state is known. */
    OwnWrites<T> ownWrites() {
      return shared.ownWrites;
    }

    @Override
    public OwnWrites<T> cache(Predicate<String> wanted) throws InterruptedException {
      shared.ownWrites.settle(wanted, this::ask);
      return shared.ownWrites;
    }

    private OwnWrites.Answer<T> ask(Set<ObjectName> names) throws InterruptedException {
      return source.lookUp(shared.type, shared.scope, names);
    }

    @Override
    public Optional<T> lookUp(ObjectName name) throws InterruptedException {
      return ask(Set.of(name)).objects().stream().findFirst();
    }

    @Override
    public CacheScope scope() {
      return shared.scope;
    }

    @Override
    public boolean awaitSynced(String namespace, Duration timeout) throws InterruptedException {
      if (shared.filled) {
        return true;
      }
      if (!informer().awaitSynced(timeout)) {
        return false;
      }
      if (shared.earlierWrites != null) {
        // A server may serve the first list from its cache, which may be older than the write.
        informer().awaitResourceVersion(shared.earlierWrites, EARLIER_WRITES_TIMEOUT);
      }
      shared.filled = true;
      return true;
    }

    @Override
    public void handle(ResourceEventHandler<T> handler, String name) {
      registration =
          informer().addEventHandler(handler, HandlerOptions.builder().name(name).build());
    }

    @Override
    public boolean isHandled() {
      ResourceEventHandlerRegistration current = registration;
      return current == null ? informer().hasSynced() : current.hasSynced();
    }

    @Override
    public boolean awaitHandled(Duration timeout) throws InterruptedException {
      return requireNonNull(registration, "registration").hasSyncedChecker().await(timeout);
    }

    @Override
    public boolean awaitShard(Duration timeout) throws InterruptedException {
      return informer().awaitShard(timeout)
          || informer().health().lastError().isEmpty(); // The slots change all the time.
    }

    @Override
    public void indexOwners() {
      if (!informer().indexer().indexers().containsKey(OWNERS)) {
        try {
          informer().addIndexers(Map.of(OWNERS, CacheUse::ownersOf));
        } catch (IllegalArgumentException e) {
          // Another thread has added it.
        }
      }
    }

    @Override
    public Duration age() {
      return informer().health().age().orElse(ChronoUnit.FOREVER.getDuration());
    }

    /** Returns whether the informer has its first list. */
    boolean hasList() {
      return informer().hasSynced();
    }

    /** Returns whether the server has refused the last request of the informer. */
    boolean isForbidden() {
      return informer()
          .health()
          .lastError()
          .flatMap(ApiStatusException::find)
          .filter(ApiStatusException::isForbidden)
          .isPresent();
    }

    @Override
    public String problem() {
      return CacheProblem.of(shared.type, shared.scope, informer().health());
    }

    @Override
    public Optional<String> missingParts() {
      return Optional.empty(); // A controller waits for the whole cache.
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (released) {
          return;
        }
        released = true;
      } finally {
        lock.unlock();
      }
      ResourceEventHandlerRegistration current = registration;
      if (current != null) {
        informer().removeEventHandler(current);
      }
      release(key, shared);
    }
  }

  private static final Logger LOG = System.getLogger(Informers.class.getName());

  private static final ShardSelector NO_OBJECTS = ShardSelector.of(ShardField.UID);

  private final FollowedObjects source;
  private final MetricsRegistry registry;
  private final Clock clock;
  private final SharedInformerFactory factory;

  /** The metrics of the informers, by their names. */
  private final ConcurrentMap<String, InformerSeries> series = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed;

  @GuardedBy("lock")
  private final Map<Key, Shared<?>> informers = new HashMap<>();

  /** The shard of this replica; null if replicas do not share objects, or before it is known. */
  private volatile @Nullable ShardSelector shard;

  private final Scopes scopes;

  /** The caches of several informers each. */
  private final Set<Union> unions = ConcurrentHashMap.newKeySet();

  /** The version of the last write of each resource, for informers that come later. */
  @GuardedBy("lock")
  private final Map<GroupResource, String> lastWrites = new HashMap<>();

  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /**
   * Creates an instance without informers.
   *
   * @param source creates the sources of informers
   * @param registry receives the metrics of the informers, unless the configuration sets others
   * @param clock computes the age of events
   * @param configuration sets the options of the factory of informers
   * @param scopes the objects to follow
   */
  public Informers(
      SharedInformerFactory.Source source,
      Consumer<SharedInformerFactory.Builder> configuration,
      MetricsRegistry registry,
      Clock clock,
      Scopes scopes) {
    this.scopes = scopes;
    this.closed = clock.newCondition(lock);
    this.source = new FollowedObjects(source);
    this.registry = registry;
    this.clock = clock;
    SharedInformerFactory.Builder builder = SharedInformerFactory.builder(this.source);
    builder.metrics(this::seriesOf);
    configuration.accept(builder);
    this.factory = builder.build();
  }

  private InformerMetrics seriesOf(String informer) {
    InformerSeries created =
        new InformerSeries(
            registry, informer, () -> Optional.ofNullable(health().get(informer)), clock);
    series.put(informer, created);
    return created;
  }

  private void forgetSeries(String informer) {
    InformerSeries gone = series.remove(informer);
    if (gone != null) {
      gone.close();
    }
  }

  /** Returns which objects the informers follow. */
  public Scopes scopes() {
    return scopes;
  }

  /** A cache of several informers. */
  interface Union {

    /**
     * Uses one informer for each part of the scope, and no others.
     *
     * @param onlyRunning whether a read asks for it, which may be refused to start one
     */
    void update(boolean onlyRunning) throws InterruptedException;
  }

  Clock clock() {
    return clock;
  }

  /** Adds a union, until {@link #forget}. */
  void add(Union union) {
    unions.add(union);
  }

  /** Returns whether a read may use the cache of a scope. */
  public boolean mayRead(ResourceType<?> type, Scope scope, boolean ofShard) {
    if (scopes.startsByRead()) {
      return true;
    }
    lock.lock();
    try {
      for (CachePart part : scopes.parts(type, scope)) {
        if (!informers.containsKey(Key.of(type, part, ofShard))) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns a use of one informer. */
  <T extends KubernetesObject> Lease<T> lease(
      ResourceType<T> type, CachePart part, boolean ofShard, boolean byRead)
      throws InterruptedException {
    Key key = Key.of(type, part, ofShard);
    lock.lockInterruptibly();
    try {
      Shared<T> shared = sharedLocked(key);
      while (shared != null && shared.closing) {
        closed.await();
        shared = sharedLocked(key);
      }
      if (shared == null) {
        if (byRead) {
          scopes.requireStartByRead(type);
        }
        shared = newSharedLocked(type, part, ofShard);
        shared.informer.onProgress(shared.ownWrites::progressed);
        shared.informer.onProgress(() -> listeners.forEach(Runnable::run));
        shared.informer.start();
        informers.put(key, shared);
        logTwoLocked(type, part);
      }
      shared.users++;
      return new Lease<>(key, shared);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a namespace to those of the manager, and starts its informers. Returns before their caches
   * are filled.
   *
   * @return false if it is among them
   */
  public boolean addNamespace(String namespace) throws InterruptedException {
    boolean added = scopes.add(namespace);
    updateUnions(); // Also if it is among them: the call before may have been interrupted.
    return added;
  }

  /**
   * Removes a namespace from those of the manager, and ends its informers.
   *
   * @return false if it is not among them
   */
  public boolean removeNamespace(String namespace) throws InterruptedException {
    boolean removed = scopes.remove(namespace);
    updateUnions();
    return removed;
  }

  private void updateUnions() throws InterruptedException {
    for (Union union : unions) {
      union.update(/* onlyRunning= */ false);
    }
  }

  /** A union has ended. */
  void forget(Union union) {
    unions.remove(union);
  }

  @GuardedBy("lock")
  private <T extends KubernetesObject> Shared<T> newSharedLocked(
      ResourceType<T> type, CachePart part, boolean ofShard) {
    SharedInformerFactory.ResourceInformer<T> followed = factory.of(type);
    if (!part.namespace().isEmpty()) {
      followed = followed.inNamespace(part.namespace());
    }
    if (!part.labels().isEmpty()) {
      followed = followed.withLabels(part.labels());
    }
    if (!part.fields().isEmpty()) {
      followed = followed.withFields(part.fields());
    }
    if (!ofShard) {
      return newSharedLocked(type, followed.informer(), object -> true);
    }
    ShardSelector now = shard;
    if (now == null) {
      throw new IllegalStateException("the shard of this replica is not known yet: " + type);
    }
    // Any shard but all objects names another informer of the factory than the whole one.
    SharedIndexInformer<T> informer = followed.withShard(NO_OBJECTS).informer();
    informer.shard(now);
    return newSharedLocked(type, informer, object -> isInShard(object, informer));
  }

  @GuardedBy("lock")
  private <T extends KubernetesObject> Shared<T> newSharedLocked(
      ResourceType<T> type, SharedIndexInformer<T> informer, Predicate<KubernetesObject> inShard) {
    if (informer.usesDeltaFIFO()) {
      throw new IllegalStateException(
          "the informers of a manager cannot use a DeltaFIFO: its cache does not tell which own"
              + " writes it shows: "
              + type);
    }
    String earlierWrites = lastWrites.get(type.resource().groupResource());
    return new Shared<>(type, informer, source.ofLast(), inShard, clock, earlierWrites);
  }

  /** Returns whether an object is, or will be, in the cache of an informer of the shard. */
  private boolean isInShard(KubernetesObject object, SharedIndexInformer<?> informer) {
    ShardSelector wanted = shard;
    return (wanted != null && wanted.matches(object)) || informer.shard().matches(object);
  }

  @GuardedBy("lock")
  private void logTwoLocked(ResourceType<?> type, CachePart part) {
    if (informers.containsKey(Key.of(type, part, false))
        && informers.containsKey(Key.of(type, part, true))) {
      LOG.log(
          Level.INFO,
          "All objects of the kind are cached, beside those of this replica, because they are read"
              + " by something else than the controller with shardedCache: kind={0}",
          type);
    }
  }

  /**
   * Sets which shard the informers of shards follow, those that exist and all later ones. Returns
   * at once; the informers read the new shard in their own time.
   */
  public void follow(ShardSelector selector) {
    List<SharedIndexInformer<?>> ofShard = new ArrayList<>();
    lock.lock();
    try {
      shard = selector;
      informers.forEach(
          (key, shared) -> {
            if (key.ofShard && !shared.closing) {
              ofShard.add(shared.informer);
            }
          });
    } finally {
      lock.unlock();
    }
    for (SharedIndexInformer<?> informer : ofShard) {
      try {
        informer.shard(selector);
      } catch (IllegalStateException e) {
        if (!informer.isStopped()) {
          throw e;
        }
      }
    }
  }

  @GuardedBy("lock")
  @SuppressWarnings("unchecked") // The key has the codec, which makes objects of one type.
  private <T extends KubernetesObject> @Nullable Shared<T> sharedLocked(Key key) {
    return (Shared<T>) informers.get(key);
  }

  private void release(Key key, Shared<?> shared) {
    lock.lock();
    try {
      shared.users--;
      if (shared.users > 0) {
        return;
      }
      shared.closing = true;
      forgetSeries(shared.informer.name()); // Before another informer can have the name.
    } finally {
      lock.unlock();
    }
    try {
      factory.stop(shared.informer); // Not under the lock: it waits for threads, which may need it.
    } finally {
      lock.lock();
      try {
        informers.remove(key);
        closed.signalAll();
      } finally {
        lock.unlock();
      }
      shared.ownWrites.end();
      listeners.forEach(Runnable::run);
    }
  }

  // ---- own writes

  /**
   * Records a write, so that reads show it, through each type of the resource.
   *
   * @param written what the server returned
   * @param ofShard whether the writer reads the cache of the shard
   * @return the caches that the writer may read, and whose watches will bring the write
   */
  public <T extends KubernetesObject> List<OwnWrites<?>> written(
      ResourceType<T> type, T written, boolean ofShard) {
    List<OwnWrites<?>> awaited = new ArrayList<>();
    open(type, written)
        .forEach(
            (key, shared) -> {
              if (shared.written(type, written) && isReadBy(type, ofShard, key)) {
                awaited.add(shared.ownWrites);
              }
            });
    return awaited;
  }

  /**
   * Records that an object is gone, so that reads do not show it any more.
   *
   * @param last the object as it was last seen
   * @return the caches as for {@link #written}
   */
  public List<OwnWrites<?>> deleted(ResourceType<?> type, KubernetesObject last, boolean ofShard) {
    List<OwnWrites<?>> awaited = new ArrayList<>();
    open(type, last)
        .forEach(
            (key, shared) -> {
              shared.ownWrites.deleted(last);
              if (shared.ownWrites.has(last) && isReadBy(type, ofShard, key)) {
                awaited.add(shared.ownWrites);
              }
            });
    return awaited;
  }

  /** A controller with a cache of its shard reads no whole cache of the same type. */
  private static boolean isReadBy(ResourceType<?> type, boolean ofShard, Key key) {
    return key.ofShard == (ofShard && key.codec.equals(type.codec()));
  }

  /**
   * Returns the informers, of any type, that can have an object which was written: first those that
   * select it, so that a read of several finds it while it moves from one to another.
   */
  private Map<Key, Shared<?>> open(ResourceType<?> type, KubernetesObject object) {
    GroupResource resource = type.resource().groupResource();
    Map<Key, Shared<?>> open = new LinkedHashMap<>(2);
    Map<Key, Shared<?>> left = new LinkedHashMap<>(2);
    lock.lock();
    try {
      informers.forEach(
          (key, shared) -> {
            if (key.resource.groupResource().equals(resource)
                && !shared.closing
                && shared.canHave(object)) {
              (shared.scope.selects(object) ? open : left).put(key, shared);
            }
          });
      open.putAll(left);
      String version = object.metadata().resourceVersion();
      if (version != null && ResourceVersion.isComparable(version)) {
        lastWrites.merge(resource, version, (a, b) -> ResourceVersion.compare(a, b) >= 0 ? a : b);
      }
    } finally {
      lock.unlock();
    }
    return open;
  }

  /** Adds a function that is called each time a cache may show more; it must be quick. */
  public void addListener(Runnable listener) {
    listeners.add(listener);
  }

  public void removeListener(Runnable listener) {
    listeners.remove(listener);
  }

  // ---- all

  /** Returns the health of each informer, by its name. */
  public Map<String, InformerHealth> health() {
    return factory.health();
  }

  /** Ends all informers, used or not. */
  @Override
  public void close() {
    factory.close();
    List.copyOf(series.keySet()).forEach(this::forgetSeries);
  }
}
