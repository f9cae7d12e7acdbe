package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of several caches as one: an object that two of them have is there once, in its
 * newest state.
 *
 * <p>It is made of the snapshots of the caches, from the keys that have changed since the last
 * read. So a read costs as much as the changes, whatever the number of objects is.
 *
 * <p><b>Leaving.</b> If an object leaves one cache because its labels have changed, another one
 * that selects it now may be behind, and lack it or have an older state. The server sends the same
 * event for a deletion. So the object stays, in its last state, until the caches that could have it
 * are as far as the one that it has left, or until {@link #gone}. No read goes back in time. The
 * version of the whole is the lowest of the caches.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
final class UnionReader<T extends KubernetesObject> implements IndexReader<T> {

  /**
   * An object that has left a cache.
   *
   * @param version the one that all caches must reach before it is known that the object is gone
   * @param isGone whether the server has no such object
   */
  private record Departure(String version, boolean isGone) {}

  private static final KeyFunction<KubernetesObject> KEYS = KeyFunction.metaNamespace();

  private final Supplier<? extends Collection<Informers.Lease<T>>> parts;
  private final Function<Informers.Lease<T>, IndexReader<T>> content;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition settled;

  @GuardedBy("lock")
  private Map<Informers.Lease<T>, IndexSnapshot<T>> seen = Map.of();

  /** The objects that have left a cache while others are behind it, by key. */
  @GuardedBy("lock")
  private final Map<String, Departure> leaving = new HashMap<>();

  @GuardedBy("lock")
  private IndexSnapshot<T> all = empty(Map.of());

  private volatile boolean indexesOwners;

  /**
   * Creates the union of the caches that the supplier returns, which may change.
   *
   * @param content returns the objects of a cache, with own writes or without
   */
  UnionReader(
      Supplier<? extends Collection<Informers.Lease<T>>> parts,
      Function<Informers.Lease<T>, IndexReader<T>> content,
      Clock clock) {
    this.parts = parts;
    this.content = content;
    this.clock = clock;
    settled = clock.newCondition(lock);
  }

  private static <T extends KubernetesObject> IndexSnapshot<T> empty(
      Map<String, IndexFunction<? super T>> indexers) {
    return Indexer.<T>create(KEYS, indexers).snapshot();
  }

  /** Adds the index {@link CacheUse#OWNERS}. */
  void indexOwners() {
    indexesOwners = true;
  }

  // ---- merging

  @Override
  public IndexSnapshot<T> snapshot() {
    lock.lock();
    try {
      return mergedLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private IndexSnapshot<T> mergedLocked() {
    Map<Informers.Lease<T>, IndexSnapshot<T>> now = new LinkedHashMap<>();
    for (Informers.Lease<T> part : parts.get()) {
      now.put(part, content.apply(part).snapshot());
    }
    reindexLocked();
    Set<String> changed = new LinkedHashSet<>(leaving.keySet());
    seen.forEach(
        (part, snapshot) -> {
          if (!now.containsKey(part)) {
            changed.addAll(snapshot.listKeys());
          }
        });
    now.forEach(
        (part, snapshot) -> {
          IndexSnapshot<T> before = seen.get(part);
          if (before != snapshot) {
            changed.addAll(before == null ? snapshot.listKeys() : snapshot.changedKeys(before));
          }
        });
    Map<Informers.Lease<T>, IndexSnapshot<T>> before = seen;
    seen = now;
    if (now.entrySet().stream()
        .anyMatch(part -> isBehind(before.get(part.getKey()), part.getValue()))) {
      leaving.clear(); // The server has lost its newest changes, as after a restore.
    }
    changed.forEach(key -> mergeLocked(key, before));
    String version = lowestVersion(now.values());
    if (!all.resourceVersion().equals(version)) {
      all = all.at(version);
    }
    return all;
  }

  /** Has the indices of the caches, from all objects again if these have more than before. */
  @GuardedBy("lock")
  private void reindexLocked() {
    Map<String, IndexFunction<? super T>> indexers = indexers();
    if (indexers.keySet().equals(all.indexers().keySet())) {
      return;
    }
    IndexSnapshot<T> again = empty(indexers);
    for (T object : all.list()) {
      again = again.with(KEYS.keyOf(object), object);
    }
    all = again;
  }

  @GuardedBy("lock")
  private void mergeLocked(String key, Map<Informers.Lease<T>, IndexSnapshot<T>> before) {
    T known = all.getByKey(key).orElse(null);
    Departure open = leaving.get(key);
    T newest = newestLocked(key, open);
    String left = leftLocked(key, before, open);
    boolean isOpen = left != null && isAnyBehindLocked(key, left);
    boolean isGone = open != null && open.isGone;
    boolean hasLeftAgain = open == null || !open.version.equals(left);
    boolean stays = known != null && (newest == null || isOlder(newest, known));
    if (left != null && isOpen && stays && (hasLeftAgain || !isGone)) {
      leaving.put(key, new Departure(left, /* isGone= */ false));
      return;
    }
    if (!isOpen || !isGone) {
      endLocked(key);
    }
    all = newest == null ? all.without(key) : all.with(key, newest);
  }

  @GuardedBy("lock")
  private void endLocked(String key) {
    if (leaving.remove(key) != null) {
      settled.signalAll();
    }
  }

  /**
   * Returns the version that all caches must reach before an object that none of them has is gone;
   * null if it has left none. A cache that lacks the object at its version may have had it before,
   * so the others must be as far as the one that is furthest, when the object leaves and whenever a
   * cache passes the version.
   */
  @GuardedBy("lock")
  private @Nullable String leftLocked(
      String key, Map<Informers.Lease<T>, IndexSnapshot<T>> before, @Nullable Departure open) {
    boolean isNews = false;
    String furthest = open == null ? "" : open.version;
    for (Map.Entry<Informers.Lease<T>, IndexSnapshot<T>> part : before.entrySet()) {
      IndexSnapshot<T> after = seen.get(part.getKey());
      if (after != null) {
        boolean hasLeft =
            part.getValue().getByKey(key).isPresent() && after.getByKey(key).isEmpty();
        boolean hasPassed =
            open != null
                && !open.isGone
                && isBehind(open.version, part.getValue())
                && !isBehind(open.version, after);
        isNews |= hasLeft || hasPassed;
        furthest = newer(furthest, after.resourceVersion());
      }
    }
    return isNews ? furthest : open == null ? null : open.version;
  }

  /** Returns whether a cache that could have an object is behind a version. */
  @GuardedBy("lock")
  private boolean isAnyBehindLocked(String key, String version) {
    String namespace = ObjectName.parse(key).namespace();
    return seen.entrySet().stream()
        .anyMatch(
            part ->
                part.getKey().scope().hasNamespace(namespace)
                    && isBehind(version, part.getValue()));
  }

  private static boolean isBehind(@Nullable IndexSnapshot<?> other, IndexSnapshot<?> cache) {
    return other != null && isBehind(other.resourceVersion(), cache);
  }

  private static boolean isBehind(String version, IndexSnapshot<?> cache) {
    return ResourceVersion.isComparable(version)
        && (!ResourceVersion.isComparable(cache.resourceVersion())
            || ResourceVersion.compare(cache.resourceVersion(), version) < 0);
  }

  private static String newer(String one, String other) {
    boolean compares = ResourceVersion.isComparable(one) && ResourceVersion.isComparable(other);
    return compares && ResourceVersion.compare(one, other) > 0 ? one : other;
  }

  /** Returns the version up to which all caches are; empty if one has no list yet. */
  private static String lowestVersion(Collection<? extends IndexSnapshot<?>> caches) {
    String lowest = null;
    for (IndexSnapshot<?> cache : caches) {
      String version = cache.resourceVersion();
      if (!ResourceVersion.isComparable(version)) {
        return "";
      }
      lowest = lowest == null || newer(lowest, version).equals(lowest) ? version : lowest;
    }
    return lowest == null ? "" : lowest;
  }

  /** Returns the newest state of an object, without those that are older than its deletion. */
  @GuardedBy("lock")
  private @Nullable T newestLocked(String key, @Nullable Departure open) {
    T newest = null;
    for (IndexSnapshot<T> cache : seen.values()) {
      T found = cache.getByKey(key).orElse(null);
      if (found != null
          && (newest == null || !isOlder(found, newest))
          && !(open != null && open.isGone && !isNewer(found, open.version))) {
        newest = found;
      }
    }
    return newest;
  }

  private static boolean isOlder(KubernetesObject object, KubernetesObject than) {
    String version = WriteMark.versionOf(object);
    return !version.equals(WriteMark.versionOf(than)) && isNewer(than, version);
  }

  private static boolean isNewer(KubernetesObject object, String version) {
    String own = WriteMark.versionOf(object);
    return !own.equals(version) && newer(own, version).equals(own);
  }

  /** Returns whether a cache can have an object of this name. */
  boolean covers(String key) {
    return !covering(key).isEmpty();
  }

  private List<Informers.Lease<T>> covering(String key) {
    String namespace = ObjectName.parse(key).namespace();
    return parts.get().stream().filter(part -> part.scope().hasNamespace(namespace)).toList();
  }

  // ---- leaving

  /** Returns whether it is open if an object is in another cache. */
  boolean isLeaving(String key) {
    lock.lock();
    try {
      mergedLocked();
      Departure open = leaving.get(key);
      return open != null && !open.isGone;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the keys of the objects of which that is open. */
  List<String> leaving(Predicate<String> wanted) {
    lock.lock();
    try {
      mergedLocked();
      return leaving.entrySet().stream()
          .filter(each -> !each.getValue().isGone && wanted.test(each.getKey()))
          .map(Map.Entry::getKey)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records that no cache has an object at a version of the collection, whatever those that are
   * behind show.
   */
  void gone(String key, String version) {
    lock.lock();
    try {
      mergedLocked();
      if (leaving.containsKey(key)) {
        leaving.put(key, new Departure(version, /* isGone= */ true));
        mergeLocked(key, Map.of());
        settled.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Records that all caches know the state of an object, from an own write. */
  void written(String key) {
    lock.lock();
    try {
      mergedLocked();
      endLocked(key);
      mergeLocked(key, Map.of());
    } finally {
      lock.unlock();
    }
  }

  /** Waits until an object has left or was found, for a time at most. */
  void awaitSettled(Duration timeout) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      clock.await(lock, settled, timeout);
    } finally {
      lock.unlock();
    }
  }

  // ---- reads

  @Override
  public Optional<T> getByKey(String key) {
    List<Informers.Lease<T>> having = covering(key);
    return having.size() == 1
        ? content.apply(having.get(0)).getByKey(key)
        : snapshot().getByKey(key);
  }

  @Override
  public List<T> list() {
    return snapshot().list();
  }

  @Override
  public List<String> listKeys() {
    return snapshot().listKeys();
  }

  @Override
  public List<T> index(String indexName, T object) {
    return snapshot().index(indexName, object);
  }

  @Override
  public List<T> byIndex(String indexName, String indexedValue) {
    return snapshot().byIndex(indexName, indexedValue);
  }

  @Override
  public List<String> indexKeys(String indexName, String indexedValue) {
    return snapshot().indexKeys(indexName, indexedValue);
  }

  @Override
  public List<String> listIndexFuncValues(String indexName) {
    return snapshot().listIndexFuncValues(indexName);
  }

  @Override
  public Map<String, IndexFunction<? super T>> indexers() {
    Map<String, IndexFunction<? super T>> indexers = new LinkedHashMap<>();
    parts.get().stream()
        .findFirst()
        .ifPresent(part -> indexers.putAll(part.delivered().indexers()));
    if (indexesOwners) {
      indexers.put(CacheUse.OWNERS, CacheUse::ownersOf);
    }
    return indexers;
  }
}
