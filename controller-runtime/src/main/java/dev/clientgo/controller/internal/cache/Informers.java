package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.InformerMetrics;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.metrics.InformerSeries;
import dev.clientgo.controller.metrics.MetricsRegistry;
import java.time.Duration;
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

  /** The codec stands for the type of the objects. */
  private record Key(GroupVersionResource resource, JsonCodec<?> codec) {

    static Key of(ResourceType<?> type) {
      return new Key(type.resource(), type.codec());
    }
  }

  private static final class Shared<T extends KubernetesObject> {
    final SharedIndexInformer<T> informer;
    final OwnWrites<T> ownWrites;

    /** The version of the last write before the informer was started, if any. */
    final @Nullable String earlierWrites;

    /** Whether the cache has the first list and the earlier writes. */
    volatile boolean filled;

    int users;
    boolean closing;

    Shared(
        SharedIndexInformer<T> informer, OwnWrites<T> ownWrites, @Nullable String earlierWrites) {
      this.informer = informer;
      this.ownWrites = ownWrites;
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

  /** Notes which objects an informer follows when the factory creates it. */
  private static final class NotedSource implements SharedInformerFactory.Source {

    private final SharedInformerFactory.Source source;
    private final Map<Key, Predicate<KubernetesObject>> followed = new ConcurrentHashMap<>();

    NotedSource(SharedInformerFactory.Source source) {
      this.source = source;
    }

    @Override
    public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors) {
      followed.put(Key.of(type), follows(namespace, selectors));
      return source.listerWatcher(type, namespace, selectors);
    }

    private static Predicate<KubernetesObject> follows(String namespace, ListOptions selectors) {
      String fields = selectors.fieldSelector();
      if (fields != null && !FieldSelector.parse(fields).isEverything()) {
        return object -> false; // Only the server can tell.
      }
      String text = selectors.labelSelector();
      Selector labels = text == null ? Selector.everything() : Selector.parse(text);
      return object ->
          (namespace.isEmpty() || namespace.equals(object.metadata().namespace()))
              && labels.matches(object.metadata().labels());
    }
  }

  private final NotedSource source;
  private final MetricsRegistry registry;
  private final Clock clock;
  private final SharedInformerFactory factory;

  /** The metrics of the informers, by their names. */
  private final ConcurrentMap<String, InformerSeries> series = new ConcurrentHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed;

  @GuardedBy("lock")
  private final Map<Key, Shared<?>> informers = new HashMap<>();

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
    this.source = new NotedSource(source);
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
    Key key = Key.of(type);
    lock.lockInterruptibly();
    try {
      Shared<T> shared = sharedLocked(key);
      while (shared != null && shared.closing) {
        closed.await();
        shared = sharedLocked(key);
      }
      if (shared == null) {
        SharedIndexInformer<T> informer = factory.informer(type);
        Predicate<KubernetesObject> followed = source.followed.getOrDefault(key, object -> false);
        shared =
            new Shared<>(
                informer,
                new OwnWrites<>(informer.indexer(), followed),
                lastWrites.get(type.resource()));
        informer.start();
        informers.put(key, shared);
      }
      shared.users++;
      return new Lease<>(key, shared);
    } finally {
      lock.unlock();
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
   * @return the cache that will show it, null if there is none or it does not follow the object
   */
  public <T extends KubernetesObject> @Nullable OwnWrites<T> written(
      ResourceType<T> type, T written) {
    return record(type, written, ownWrites -> ownWrites.written(written));
  }

  /**
   * Records that an object is gone, so that reads do not show it any more.
   *
   * @param last the object as it was last seen
   */
  public <T extends KubernetesObject> void deleted(ResourceType<T> type, T last) {
    record(type, last, ownWrites -> ownWrites.deleted(last));
  }

  private <T extends KubernetesObject> @Nullable OwnWrites<T> record(
      ResourceType<T> type, T object, Consumer<OwnWrites<T>> record) {
    Key key = Key.of(type);
    Shared<T> shared;
    lock.lock();
    try {
      shared = sharedLocked(key);
      if (shared == null || shared.closing) {
        rememberLocked(type.resource(), object.metadata().resourceVersion());
        return null;
      }
    } finally {
      lock.unlock();
    }
    record.accept(shared.ownWrites);
    return source.followed.getOrDefault(key, any -> false).test(object) ? shared.ownWrites : null;
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
