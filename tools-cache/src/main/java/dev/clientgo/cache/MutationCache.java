package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Shows a controller its own writes before the watch delivers them. It holds the objects that the
 * server returned from writes, and shows them in place of the cached ones until the cache has
 * caught up.
 *
 * <pre>{@code
 * MutationCache<Pod> pods = MutationCache.builder(informer.indexer()).build();
 * informer.addEventHandler(pods);
 * pods.mutation(client.update(pod));           // the object that the server returned
 * Optional<Pod> current = pods.getByKey(key);  // at least as new as that object
 * }</pre>
 *
 * <p>It keeps a bounded number of writes for a bounded time, so it may drop a write before the
 * cache has it. It does not work for a resource whose versions cannot be {@linkplain
 * ResourceVersion compared}.
 *
 * <p>Register it as a handler of the informer, so that it drops outdated writes early and hears of
 * deletions. Otherwise an object that was updated here and then deleted by another client could
 * appear again.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.MutationCache}.
 *
 * @param <T> the type of the objects
 */
public final class MutationCache<T extends KubernetesObject> implements ResourceEventHandler<T> {

  /** The default maximal number of writes: {@value}. */
  public static final int DEFAULT_MAX_SIZE = 100;

  /** The default time for which a write is kept, in minutes: {@value}. */
  public static final int DEFAULT_TTL_MINUTES = 5;

  /**
   * A write or, if it has no object, the tombstone of a deleted object. A tombstone stops a write
   * that was under way when the object was deleted, and is recorded only afterwards.
   */
  private record Entry<T>(
      @Nullable T object, @Nullable String uid, String resourceVersion, long writtenAt) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Indexer<T> backing;
  private final Duration ttl;
  private final boolean includeAdds;
  private final int maxSize;
  private final Clock clock;

  /** By key, in the order of their last use, the oldest first. */
  @GuardedBy("lock")
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);

  private MutationCache(Builder<T> options) {
    this.backing = options.backing;
    this.ttl = options.ttl;
    this.includeAdds = options.includeAdds;
    this.maxSize = options.maxSize;
    this.clock = options.clock;
  }

  /** Returns a builder of mutation caches on top of the given cache. */
  public static <T extends KubernetesObject> Builder<T> builder(Indexer<T> backing) {
    return new Builder<>(backing);
  }

  /**
   * Records a write, unless it is already known to be outdated.
   *
   * @param object the object that the server returned
   * @throws IllegalArgumentException if its version cannot be compared
   */
  public void mutation(T object) {
    String key = ObjectName.of(object).toString();
    Entry<T> entry = entry(object, object.metadata());
    if (!ResourceVersion.isComparable(entry.resourceVersion)) {
      throw new IllegalArgumentException(
          "the resourceVersion of %s, \"%s\", is not a number: it cannot be told whether the cache is"
                  .formatted(key, entry.resourceVersion)
              + " newer");
    }
    lock.lock();
    try {
      Entry<T> present = entryLocked(key);
      if (present == null || isNewer(entry, present)) {
        putLocked(key, entry);
      }
    } finally {
      lock.unlock();
    }
  }

  private static <T> boolean isNewer(Entry<T> entry, Entry<T> present) {
    int order = compare(entry, present);
    if (present.object == null) {
      // The object was deleted. A write with its UID, or an older version, came before that.
      return order > 0 && !Objects.equals(entry.uid, present.uid);
    }
    return order >= 0;
  }

  /** Drops the write that is older than this object. */
  @Override
  public void onAdd(T object, boolean isInInitialList) {
    observe(object);
  }

  /** Drops the write that is older than the new state. */
  @Override
  public void onUpdate(T oldObject, T newObject) {
    observe(newObject);
  }

  private void observe(T object) {
    String key = ObjectName.of(object).toString();
    lock.lock();
    try {
      Entry<T> present = entryLocked(key);
      // The UID does not matter: versions of one resource can be compared across objects.
      if (present != null && compare(entry(object, object.metadata()), present) >= 0) {
        entries.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops the write of a deleted object, and ignores its late writes.
   *
   * <p>A write with another UID and a newer version stays: the object may have been created again.
   */
  @Override
  public void onDelete(DeletedObject<T> deleted) {
    T object = deleted.lastKnown();
    if (object == null) {
      return;
    }
    Entry<T> tombstone = entry(null, object.metadata());
    lock.lock();
    try {
      Entry<T> present = entryLocked(deleted.key());
      if (present == null
          || compare(tombstone, present) >= 0
          || Objects.equals(tombstone.uid, present.uid)) {
        putLocked(deleted.key(), tombstone);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the newest known state of an object, from the cache or from a write. */
  public Optional<T> getByKey(String key) {
    lock.lock();
    try {
      return Optional.ofNullable(newestLocked(key));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the objects whose newest known state the index files under the value.
   *
   * @throws IllegalArgumentException if there is no such index
   */
  // Unlike client-go: a write that moved an object from one value to another is found under the
  // value it has now.
  public List<T> byIndex(String indexName, String indexedValue) {
    Set<String> keys = new LinkedHashSet<>(backing.indexKeys(indexName, indexedValue));
    List<T> newest = new ArrayList<>();
    lock.lock();
    try {
      keys.addAll(entries.keySet());
      for (String key : keys) {
        T object = newestLocked(key);
        if (object != null) {
          newest.add(object);
        }
      }
    } finally {
      lock.unlock();
    }
    IndexFunction<? super T> function = backing.indexers().get(indexName);
    newest.removeIf(object -> !isFiledUnder(function, object, indexedValue));
    return Collections.unmodifiableList(newest);
  }

  /** An object on which the function fails is filed nowhere; the cache refuses it, too. */
  private static <T> boolean isFiledUnder(
      @Nullable IndexFunction<? super T> function, T object, String value) {
    try {
      return function != null && function.indexValues(object).contains(value);
    } catch (RuntimeException e) {
      return false;
    }
  }

  @GuardedBy("lock")
  private @Nullable T newestLocked(String key) {
    T stored = backing.getByKey(key).orElse(null);
    Entry<T> written = entryLocked(key);
    if (stored == null) {
      // The object may not be in the cache yet, or no longer. Only the caller can tell.
      return includeAdds && written != null ? written.object : null;
    }
    if (written == null) {
      return stored;
    }
    if (compare(entry(stored, stored.metadata()), written) >= 0) {
      entries.remove(key);
      return stored;
    }
    return written.object == null ? stored : written.object;
  }

  @GuardedBy("lock")
  private @Nullable Entry<T> entryLocked(String key) {
    Entry<T> entry = entries.get(key);
    if (entry != null && clock.nanoTime() - entry.writtenAt > ttl.toNanos()) {
      entries.remove(key);
      return null;
    }
    return entry;
  }

  @GuardedBy("lock")
  private void putLocked(String key, Entry<T> entry) {
    entries.put(key, entry);
    if (entries.size() > maxSize) {
      entries.remove(entries.keySet().iterator().next());
    }
  }

  private Entry<T> entry(@Nullable T object, ObjectMeta metadata) {
    String resourceVersion = metadata.resourceVersion();
    return new Entry<>(
        object, metadata.uid(), resourceVersion == null ? "" : resourceVersion, clock.nanoTime());
  }

  private static <T> int compare(Entry<T> first, Entry<T> second) {
    return ResourceVersion.compare(first.resourceVersion, second.resourceVersion);
  }

  /** Returns the keys of all writes and tombstones. */
  Set<String> keys() {
    lock.lock();
    try {
      return Set.copyOf(entries.keySet());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Builds a {@link MutationCache}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T extends KubernetesObject> {

    private final Indexer<T> backing;
    private Duration ttl = Duration.ofMinutes(DEFAULT_TTL_MINUTES);
    private boolean includeAdds;
    private int maxSize = DEFAULT_MAX_SIZE;
    private Clock clock = Clock.system();

    private Builder(Indexer<T> backing) {
      this.backing = requireNonNull(backing, "backing");
    }

    /**
     * Sets how long a write is kept. Default: {@value MutationCache#DEFAULT_TTL_MINUTES} minutes.
     */
    public Builder<T> ttl(Duration ttl) {
      this.ttl = requireNonNull(ttl, "ttl");
      return this;
    }

    /**
     * Sets whether to show written objects that the cache does not have. Default: false.
     *
     * <p>An object that was created here and deleted soon after may never reach the cache, and is
     * then shown until it expires. A caller that sets this must look again after that time.
     */
    public Builder<T> includeAdds(boolean includeAdds) {
      this.includeAdds = includeAdds;
      return this;
    }

    /**
     * Sets the maximal number of writes; beyond it, the least recently used one is dropped.
     * Default: {@value MutationCache#DEFAULT_MAX_SIZE}.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder<T> maxSize(int maxSize) {
      if (maxSize <= 0) {
        throw new IllegalArgumentException("maxSize must be positive, not " + maxSize);
      }
      this.maxSize = maxSize;
      return this;
    }

    /** Sets the clock. Default: the system's. */
    public Builder<T> clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Returns an empty mutation cache. */
    public MutationCache<T> build() {
      return new MutationCache<>(this);
    }
  }
}
