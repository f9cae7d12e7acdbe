package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.InformerMetrics;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.metrics.InformerSeries;
import dev.clientgo.controller.metrics.MetricsRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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
  private record Key(GroupVersionResource resource, JsonCodec<?> codec, boolean ofShard) {

    static Key of(ResourceType<?> type) {
      return new Key(type.resource(), type.codec(), false);
    }

    static Key ofShard(ResourceType<?> type) {
      return new Key(type.resource(), type.codec(), true);
    }
  }

  private static final class Shared<T extends KubernetesObject> {
    final SharedIndexInformer<T> informer;

    /** Whether the informer follows an object. */
    final Predicate<KubernetesObject> followed;

    final OwnWrites<T> ownWrites;

    /** The version of the last write before the informer was started, if any. */
    final @Nullable String earlierWrites;

    /** Whether the cache has the first list and the earlier writes. */
    volatile boolean filled;

    int users;
    boolean closing;

    Shared(
        SharedIndexInformer<T> informer,
        Predicate<KubernetesObject> followed,
        @Nullable String earlierWrites) {
      this.informer = informer;
      this.followed = followed;
      this.ownWrites = new OwnWrites<>(informer.indexer(), followed);
      this.earlierWrites = earlierWrites;
    }
  }

  /**
   * One use of an informer.
   *
   * @param <T> the type of the objects
   */
  public final class Lease<T extends KubernetesObject> implements AutoCloseable {

    private final Key key;
    private final Shared<T> shared;

    @GuardedBy("lock")
    private boolean released;

    private Lease(Key key, Shared<T> shared) {
      this.key = key;
      this.shared = shared;
    }

    /** Returns the informer, which is running. */
    public SharedIndexInformer<T> informer() {
      return shared.informer;
    }

    /** Returns the cache of the informer with this process' own writes in it. */
    public OwnWrites<T> cache() {
      return shared.ownWrites;
    }

    /** Waits until the cache has the first list, and the writes that came before it. */
    public boolean awaitSynced(Duration timeout) throws InterruptedException {
      if (shared.filled) {
        return true;
      }
      if (!shared.informer.awaitSynced(timeout)) {
        return false;
      }
      if (shared.earlierWrites != null) {
        // A server may serve the first list from its cache, which may be older than the write.
        shared.informer.awaitResourceVersion(shared.earlierWrites, EARLIER_WRITES_TIMEOUT);
      }
      shared.filled = true;
      return true;
    }

    /** Ends this use; if it was the last one, ends the informer. May be called more than once. */
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

  /** The version of the last write of each resource that has no informer. */
  @GuardedBy("lock")
  private final Map<GroupVersionResource, String> lastWrites = new HashMap<>();

  /**
   * Creates an instance without informers.
   *
   * @param source creates the sources of informers
   * @param registry receives the metrics of the informers, unless the configuration sets others
   * @param clock tells the age of events
   * @param configuration sets the options of the factory of informers
   */
  public Informers(
      SharedInformerFactory.Source source,
      Consumer<SharedInformerFactory.Builder> configuration,
      MetricsRegistry registry,
      Clock clock) {
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

  /**
   * Returns a use of the informer of a type, which is created and started if there is none.
   *
   * @throws IllegalStateException if this is closed
   * @throws InterruptedException if the thread is interrupted while the informer's predecessor ends
   */
  public <T extends KubernetesObject> Lease<T> acquire(ResourceType<T> type)
      throws InterruptedException {
    return acquire(type, Key.of(type));
  }

  /**
   * Returns a use of another informer of a type, one that follows only the shard of this replica.
   *
   * @throws IllegalStateException if this is closed, or {@link #follow} was not called before
   * @throws InterruptedException if the thread is interrupted while the informer's predecessor ends
   */
  public <T extends KubernetesObject> Lease<T> acquireShard(ResourceType<T> type)
      throws InterruptedException {
    return acquire(type, Key.ofShard(type));
  }

  private <T extends KubernetesObject> Lease<T> acquire(ResourceType<T> type, Key key)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Shared<T> shared = sharedLocked(key);
      while (shared != null && shared.closing) {
        closed.await();
        shared = sharedLocked(key);
      }
      if (shared == null) {
        shared = key.ofShard ? newShardLocked(type) : newWholeLocked(type);
        shared.informer.start();
        informers.put(key, shared);
        logTwoLocked(type);
      }
      shared.users++;
      return new Lease<>(key, shared);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private <T extends KubernetesObject> Shared<T> newWholeLocked(ResourceType<T> type) {
    SharedIndexInformer<T> informer = factory.informer(type);
    return new Shared<>(informer, source.followed(type), lastWrites.get(type.resource()));
  }

  @GuardedBy("lock")
  private <T extends KubernetesObject> Shared<T> newShardLocked(ResourceType<T> type) {
    ShardSelector now = shard;
    if (now == null) {
      throw new IllegalStateException("the shard of this replica is not known yet: " + type);
    }
    // Any shard but all objects names another informer of the factory than the whole one.
    SharedIndexInformer<T> informer = factory.of(type).withShard(NO_OBJECTS).informer();
    informer.shard(now);
    Predicate<KubernetesObject> followed = source.followed(type);
    return new Shared<>(
        informer,
        object -> followed.test(object) && isInShard(object, informer),
        lastWrites.get(type.resource()));
  }

  /** Returns whether an object is, or will be, in the cache of an informer of the shard. */
  private boolean isInShard(KubernetesObject object, SharedIndexInformer<?> informer) {
    ShardSelector wanted = shard;
    return (wanted != null && wanted.matches(object)) || informer.shard().matches(object);
  }

  @GuardedBy("lock")
  private void logTwoLocked(ResourceType<?> type) {
    if (informers.containsKey(Key.of(type)) && informers.containsKey(Key.ofShard(type))) {
      LOG.log(
          Level.INFO,
          "All objects of the kind are cached, beside those of this replica, because they are read"
              + " by something else than the controller with shardedCache: kind={0}",
          type);
    }
  }

  /**
   * Sets which shard the informers of {@link #acquireShard} follow, those that exist and all later
   * ones. Returns at once; the informers read the new shard in their own time.
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

  /**
   * Asks the server for an object that the cache of a shard does not have.
   *
   * @return empty if there is none, or one that no informer of the type follows
   */
  public <T extends KubernetesObject> Optional<T> lookUp(ResourceType<T> type, ObjectName name)
      throws InterruptedException {
    return source.lookUp(type, name);
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
    } finally {
      lock.unlock();
    }
    try {
      factory.stop(shared.informer); // Not under the lock: it waits for threads, which may need it.
    } finally {
      lock.lock();
      try {
        informers.remove(key);
        forgetSeries(shared.informer.name());
        closed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  // ---- own writes

  /**
   * Records a write, so that reads show it.
   *
   * @param written what the server returned
   * @param ofShard whether the writer reads the cache of the shard
   * @return the cache in which the writer will see it, null if there is none or it does not follow
   *     the object
   */
  public <T extends KubernetesObject> @Nullable OwnWrites<T> written(
      ResourceType<T> type, T written, boolean ofShard) {
    Map<Boolean, Shared<T>> open = record(type, written, ownWrites -> ownWrites.written(written));
    Shared<T> read = open.get(ofShard);
    return read != null && read.followed.test(written) ? read.ownWrites : null;
  }

  /**
   * Records that an object is gone, so that reads do not show it any more.
   *
   * @param last the object as it was last seen
   */
  public <T extends KubernetesObject> void deleted(ResourceType<T> type, T last) {
    record(type, last, ownWrites -> ownWrites.deleted(last));
  }

  /** Records a write in the caches of a type, and returns them: of a shard, and of all objects. */
  private <T extends KubernetesObject> Map<Boolean, Shared<T>> record(
      ResourceType<T> type, T object, Consumer<OwnWrites<T>> record) {
    Map<Boolean, Shared<T>> open = new HashMap<>(2);
    lock.lock();
    try {
      for (Key key : List.of(Key.of(type), Key.ofShard(type))) {
        Shared<T> shared = sharedLocked(key);
        if (shared != null && !shared.closing) {
          open.put(key.ofShard, shared);
        } else if (!key.ofShard || shard != null) {
          rememberLocked(type.resource(), object.metadata().resourceVersion());
        }
      }
    } finally {
      lock.unlock();
    }
    open.values().forEach(shared -> record.accept(shared.ownWrites));
    return open;
  }

  @GuardedBy("lock")
  private void rememberLocked(GroupVersionResource resource, @Nullable String version) {
    if (version != null && ResourceVersion.isComparable(version)) {
      lastWrites.merge(resource, version, (a, b) -> ResourceVersion.compare(a, b) >= 0 ? a : b);
    }
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
