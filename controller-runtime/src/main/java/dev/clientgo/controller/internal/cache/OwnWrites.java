package dev.clientgo.controller.internal.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.KeyFunction;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
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
public final class OwnWrites<T extends KubernetesObject> implements IndexReader<T> {

  /**
   * A write that the cache may not show yet.
   *
   * @param object what the server returned, null if the object was deleted
   * @param uid the uid of the object
   * @param version the version of the write; for a deletion, the newest known one of the object
   */
  private record Write<T>(@Nullable T object, String uid, String version) {}

  private final IndexReader<T> cache;

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
  public OwnWrites(IndexReader<T> cache, Predicate<? super T> followed) {
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
      if (!isShown(entry.getValue(), cache.snapshot(), entry.getKey())) {
        return;
      }
      oldest.remove();
    }
  }

  /** Returns whether the cache shows a write, or what came after it. */
  private static <T extends KubernetesObject> boolean isShown(
      Write<T> write, IndexSnapshot<T> cached, String key) {
    if (!hasReached(cached, write.version)) {
      return false;
    }
    return write.object != null
        || cached
            .getByKey(key)
            .map(object -> !write.uid.equals(object.metadata().uid()))
            .orElse(true);
  }

  /** Returns whether the cache shows the collection at that version or a later one. */
  public boolean hasReached(String version) {
    return hasReached(cache.snapshot(), version);
  }

  private static boolean hasReached(IndexSnapshot<?> cached, String version) {
    String reached = cached.resourceVersion();
    return ResourceVersion.isComparable(reached) && ResourceVersion.compare(reached, version) >= 0;
  }

  private static String versionOf(KubernetesObject object) {
    String version = object.metadata().resourceVersion();
    return version == null ? "" : version;
  }

  // ---- reads, which look at the writes first: the cache shows all that are not among them

  @Override
  public Optional<T> getByKey(String key) {
    if (empty) {
      return cache.getByKey(key);
    }
    Write<T> write;
    lock.lock();
    try {
      write = writes.get(key);
    } finally {
      lock.unlock();
    }
    IndexSnapshot<T> cached = cache.snapshot();
    return write == null ? cached.getByKey(key) : Optional.ofNullable(newest(key, write, cached));
  }

  /**
   * Returns the cache at this moment, with the writes that it does not show yet. A write costs
   * about as much as a change of the cache does.
   */
  @Override
  public IndexSnapshot<T> snapshot() {
    if (empty) {
      return cache.snapshot();
    }
    Map<String, Write<T>> pending;
    lock.lock();
    try {
      pending = new LinkedHashMap<>(writes);
    } finally {
      lock.unlock();
    }
    IndexSnapshot<T> cached = cache.snapshot();
    IndexSnapshot<T> all = cached;
    for (Map.Entry<String, Write<T>> write : pending.entrySet()) {
      String key = write.getKey();
      T newest = newest(key, write.getValue(), cached);
      all = newest == null ? all.without(key) : all.with(key, newest);
    }
    return all;
  }

  /** Returns the newest known state of an object; drops the write if the cache shows it. */
  private @Nullable T newest(String key, Write<T> write, IndexSnapshot<T> cached) {
    T inCache = cached.getByKey(key).orElse(null);
    if (isShown(write, cached, key)) {
      drop(key, write);
      return inCache;
    }
    return inCache != null && isNewer(inCache, write) ? inCache : write.object;
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
}
