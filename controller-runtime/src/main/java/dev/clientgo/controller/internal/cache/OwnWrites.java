package dev.clientgo.controller.internal.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache that shows the writes of this process before the watch delivers them, by key, in lists
 * and through indices.
 *
 * <p>It keeps what the server returned for each write until the cache has caught up: until the
 * version of the <em>collection</em> that the cache shows has reached the version of the write.
 * From then on the cache alone counts, so a deletion or a change by another client is never hidden.
 * Before that, an object in the cache that is newer than the write counts.
 *
 * <p>The version of a deletion is not known, so a deletion is kept by the uid of the object: it
 * hides that object, and no other of the same name.
 *
 * <p>Reads of keys without a pending write cost one look into an empty or small map. Safe for use
 * by many threads.
 *
 * @param <T> the type of the objects
 */
public final class OwnWrites<T extends KubernetesObject> implements Indexer<T> {

  /**
   * A write that the cache may not show yet.
   *
   * @param object what the server returned, null if the object was deleted
   * @param uid the uid of the object
   * @param version the version of the write; for a deletion, the newest known one of the object
   */
  private record Write<T>(@Nullable T object, String uid, String version) {}

  private final Indexer<T> cache;

  /** The objects that the informer follows. */
  private final Predicate<? super T> followed;

  private final KeyFunction<T> keys = KeyFunction.metaNamespace();
  private final ReentrantLock lock = new ReentrantLock();

  /** By key, in the order of the last write. */
  @GuardedBy("lock")
  private final Map<String, Write<T>> writes = new LinkedHashMap<>();

  /** Lets most reads pass without the lock. */
  private volatile boolean empty = true;

  /**
   * Creates an instance without writes.
   *
   * @param followed whether the informer of the cache follows an object; others are not shown
   */
  public OwnWrites(Indexer<T> cache, Predicate<? super T> followed) {
    this.cache = requireNonNull(cache, "cache");
    this.followed = requireNonNull(followed, "followed");
  }

  // ---- writes

  /** Records an object as the server returned it from a write. */
  public void written(T object) {
    String version = versionOf(object);
    String uid = object.metadata().uid();
    if (uid == null || !ResourceVersion.isComparable(version) || !followed.test(object)) {
      return;
    }
    put(keys.keyOf(object), new Write<>(object, uid, version));
  }

  /**
   * Records that an object is gone.
   *
   * @param last the object as it was last seen
   */
  public void deleted(T last) {
    String version = versionOf(last);
    String uid = last.metadata().uid();
    if (uid == null || !ResourceVersion.isComparable(version) || !followed.test(last)) {
      return;
    }
    put(keys.keyOf(last), new Write<>(null, uid, version));
  }

  private void put(String key, Write<T> write) {
    lock.lock();
    try {
      Write<T> present = writes.get(key);
      if (present != null && !replaces(write, present)) {
        return;
      }
      writes.remove(key); // It goes to the end.
      writes.put(key, write);
      dropOldLocked();
      empty = writes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Responses of concurrent writes may be recorded in any order. */
  private static <T> boolean replaces(Write<T> write, Write<T> present) {
    boolean sameObject = write.uid.equals(present.uid);
    if (present.object == null && sameObject) {
      return write.object == null; // It was written before it was deleted.
    }
    if (write.object == null && sameObject) {
      return true;
    }
    return ResourceVersion.compare(write.version, present.version) >= 0;
  }

  /** Drops the writes at the beginning that the cache shows. */
  @GuardedBy("lock")
  private void dropOldLocked() {
    Iterator<Map.Entry<String, Write<T>>> oldest = writes.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<String, Write<T>> entry = oldest.next();
      T cached = cache.getByKey(entry.getKey()).orElse(null);
      if (!isShown(entry.getValue(), cached)) {
        return;
      }
      oldest.remove();
    }
  }

  /**
   * Returns whether the cache shows a write, or what came after it.
   *
   * @param cached what the cache had just before
   */
  private boolean isShown(Write<T> write, @Nullable T cached) {
    if (!hasReached(write.version)) {
      return false;
    }
    return write.object != null || cached == null || !write.uid.equals(cached.metadata().uid());
  }

  /** Returns whether the cache shows the collection at that version or a later one. */
  public boolean hasReached(String version) {
    String reached = cache.lastStoreSyncResourceVersion();
    return ResourceVersion.isComparable(reached) && ResourceVersion.compare(reached, version) >= 0;
  }

  private static String versionOf(KubernetesObject object) {
    String version = object.metadata().resourceVersion();
    return version == null ? "" : version;
  }

  // ---- reads

  @Override
  public Optional<T> getByKey(String key) {
    return empty ? cache.getByKey(key) : Optional.ofNullable(newest(key));
  }

  @Override
  public Optional<T> get(T object) {
    return getByKey(keys.requireKeyOf(object));
  }

  private @Nullable T newest(String key) {
    Write<T> write;
    lock.lock();
    try {
      write = writes.get(key);
    } finally {
      lock.unlock();
    }
    // In this order: the version that the cache has now is at least that of what it had before.
    T cached = cache.getByKey(key).orElse(null);
    if (write == null) {
      return cached;
    }
    if (isShown(write, cached)) {
      drop(key, write);
      return cache.getByKey(key).orElse(null);
    }
    if (cached != null && isNewer(cached, write)) {
      return cached;
    }
    return write.object;
  }

  private static <T extends KubernetesObject> boolean isNewer(T cached, Write<T> write) {
    if (write.object == null && write.uid.equals(cached.metadata().uid())) {
      return false; // However new: it was deleted after that.
    }
    String version = versionOf(cached);
    return ResourceVersion.isComparable(version)
        && ResourceVersion.compare(version, write.version) >= 0;
  }

  private void drop(String key, Write<T> write) {
    lock.lock();
    try {
      writes.remove(key, write);
      empty = writes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private Set<String> pendingKeys() {
    lock.lock();
    try {
      return new LinkedHashSet<>(writes.keySet());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<T> list() {
    // The keys first: the cache shows all writes that are not among them.
    return empty ? cache.list() : overlay(pendingKeys(), cache::list, object -> true);
  }

  @Override
  public List<T> byIndex(String indexName, String indexedValue) {
    IndexFunction<? super T> function = cache.indexers().get(indexName);
    if (empty || function == null) {
      return cache.byIndex(indexName, indexedValue);
    }
    return overlay(
        pendingKeys(),
        () -> cache.byIndex(indexName, indexedValue),
        object -> values(function, object).contains(indexedValue));
  }

  /** An object on which the function fails is filed nowhere; the cache refuses it, too. */
  private static <T> List<String> values(IndexFunction<? super T> function, T object) {
    try {
      return function.indexValues(object);
    } catch (RuntimeException e) {
      return List.of();
    }
  }

  private List<T> overlay(Set<String> pending, Supplier<List<T>> cached, Predicate<T> selected) {
    List<T> newest = new ArrayList<>();
    for (T object : cached.get()) {
      if (!pending.contains(keys.keyOf(object))) {
        newest.add(object);
      }
    }
    for (String key : pending) {
      T object = newest(key);
      if (object != null && selected.test(object)) {
        newest.add(object);
      }
    }
    return Collections.unmodifiableList(newest);
  }

  @Override
  public List<T> index(String indexName, T object) {
    Set<String> seen = new LinkedHashSet<>();
    List<T> all = new ArrayList<>();
    IndexFunction<? super T> function = cache.indexers().get(indexName);
    List<String> values = function == null ? List.of() : List.copyOf(function.indexValues(object));
    for (String value : values) {
      for (T found : byIndex(indexName, value)) {
        if (seen.add(keys.keyOf(found))) {
          all.add(found);
        }
      }
    }
    return Collections.unmodifiableList(all);
  }

  @Override
  public List<String> indexKeys(String indexName, String indexedValue) {
    return byIndex(indexName, indexedValue).stream().map(keys::keyOf).sorted().toList();
  }

  @Override
  public List<String> listIndexFuncValues(String indexName) {
    IndexFunction<? super T> function = cache.indexers().get(indexName);
    if (function == null) {
      return cache.listIndexFuncValues(indexName);
    }
    Set<String> values = new TreeSet<>();
    list().forEach(object -> values.addAll(values(function, object)));
    return List.copyOf(values);
  }

  @Override
  public List<String> listKeys() {
    return list().stream().map(keys::keyOf).toList();
  }

  @Override
  public String lastStoreSyncResourceVersion() {
    return cache.lastStoreSyncResourceVersion();
  }

  @Override
  public Map<String, IndexFunction<? super T>> indexers() {
    return cache.indexers();
  }

  /** Returns how many writes are kept. */
  int size() {
    lock.lock();
    try {
      return writes.size();
    } finally {
      lock.unlock();
    }
  }

  // ---- only for reading

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("the cache of an informer is only for reading");
  }

  @Override
  public void add(T object) {
    throw readOnly();
  }

  @Override
  public void update(T object) {
    throw readOnly();
  }

  @Override
  public void delete(T object) {
    throw readOnly();
  }

  @Override
  public void deleteByKey(String key) {
    throw readOnly();
  }

  @Override
  public void replace(List<T> objects, String resourceVersion) {
    throw readOnly();
  }

  @Override
  public void transaction(List<Transaction<T>> changes) {
    throw readOnly();
  }

  @Override
  public void bookmark(String resourceVersion) {
    throw readOnly();
  }

  @Override
  public void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers) {
    throw readOnly();
  }
}
