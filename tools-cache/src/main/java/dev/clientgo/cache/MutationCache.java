package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
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
 * Lets a controller see its own writes before the watch brings them: puts what the server returned
 * from a write over the cache, until the cache has caught up.
 *
 * <pre>{@code
 * MutationCache<Pod> pods = MutationCache.builder(informer.indexer()).build();
 * informer.addEventHandler(pods);
 * pods.mutation(client.update(pod));           // what the server made of it
 * Optional<Pod> current = pods.getByKey(key);  // at least as new as that
 * }</pre>
 *
 * <p>It keeps a bounded number of objects for a bounded time, so what was written may be forgotten
 * before the cache has it. It is of no use for a resource whose versions cannot be {@linkplain
 * ResourceVersion compared}.
 *
 * <p>As a handler of the informer it hears early which of the writes are outdated, and which
 * objects are gone. Without, an object that was updated here and then deleted by another client
 * could come back.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.MutationCache}.
 *
 * @param <T> the type of the objects
 */
public final class MutationCache<T extends KubernetesObject> implements ResourceEventHandler<T> {

  /** How many writes are kept by default: {@value}. */
  public static final int DEFAULT_MAX_SIZE = 100;

  /** How long a write is kept by default, in minutes: {@value}. */
  public static final int DEFAULT_TTL_MINUTES = 5;

  /**
   * A write; or, without an object, the tombstone of an object that is gone. A tombstone is there
   * for the write that was under way when the object was deleted, and is reported only then.
   */
  private record Entry<T>(
      @Nullable T object, @Nullable String uid, String resourceVersion, long writtenAt) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Indexer<T> backing;
  private final Duration ttl;
  private final boolean includeAdds;
  private final int maxSize;
  private final Clock clock;

  /** By key; the one that has not been used for the longest time comes first. */
  @GuardedBy("lock")
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);

  private MutationCache(Builder<T> options) {
    this.backing = options.backing;
    this.ttl = options.ttl;
    this.includeAdds = options.includeAdds;
    this.maxSize = options.maxSize;
    this.clock = options.clock;
  }

  /** Returns a builder of mutation caches over that cache. */
  public static <T extends KubernetesObject> Builder<T> builder(Indexer<T> backing) {
    return new Builder<>(backing);
  }

  /**
   * Puts a write over the cache, unless it is known to be outdated already.
   *
   * @param object what the server returned
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
      // The object is gone. What has its UID, or is older, was written before.
      return order > 0 && !Objects.equals(entry.uid, present.uid);
    }
    return order >= 0;
  }

  /** Drops the write that this object makes outdated. */
  @Override
  public void onAdd(T object, boolean isInInitialList) {
    observe(object);
  }

  /** Drops the write that the new state makes outdated. */
  @Override
  public void onUpdate(T oldObject, T newObject) {
    observe(newObject);
  }

  private void observe(T object) {
    String key = ObjectName.of(object).toString();
    lock.lock();
    try {
      Entry<T> present = entryLocked(key);
      // No need to look at the UID: versions of one resource can be compared across objects.
      if (present != null && compare(entry(object, object.metadata()), present) >= 0) {
        entries.remove(key);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops the write of an object that is gone, and ignores those that are still to come.
   *
   * <p>A write with another UID and a newer version stays: it may be of an object created anew.
   */
  @Override
  public void onDelete(DeletedObject<T> deleted) {
    T object = deleted.object();
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

  /** Returns the newest state known of an object: that in the cache, or that of a write. */
  public Optional<T> getByKey(String key) {
    lock.lock();
    try {
      return Optional.ofNullable(newestLocked(key));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the newest states of the objects that the index files under the value.
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

  /** An object on which the function fails is filed nowhere; the cache will not take it either. */
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
      // Not in the cache yet, or not any more? That cannot be told, so it is for the user to say.
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
     * Sets whether written objects are shown that the cache does not have. Default: false.
     *
     * <p>An object that was created here and deleted soon after may never be in the cache, and is
     * then shown until it expires. A caller that sets this must look again after that time.
     */
    public Builder<T> includeAdds(boolean includeAdds) {
      this.includeAdds = includeAdds;
      return this;
    }

    /**
     * Sets how many writes are kept; beyond that, those go that have not been used for the longest
     * time. Default: {@value MutationCache#DEFAULT_MAX_SIZE}.
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

    /** Sets the clock. Default: that of the machine. */
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
