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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of several caches as one. No two caches have objects of the same namespace.
 *
 * <p>It is made of the snapshots of the caches, from the keys that have changed since the last
 * read. So a read costs as much as the changes, whatever the number of objects is. The version of
 * the whole is the lowest of the caches.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
final class UnionReader<T extends KubernetesObject> extends SnapshotReader<T> {

  private static final KeyFunction<KubernetesObject> KEYS = KeyFunction.metaNamespace();

  private final Supplier<? extends Collection<Informers.Lease<T>>> parts;
  private final Function<Informers.Lease<T>, IndexReader<T>> content;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private Map<Informers.Lease<T>, IndexSnapshot<T>> seen = Map.of();

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
      Function<Informers.Lease<T>, IndexReader<T>> content) {
    this.parts = parts;
    this.content = content;
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
    Set<String> changed = new LinkedHashSet<>();
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
    seen = now;
    changed.forEach(this::mergeLocked);
    String version = lowestVersion(now.values());
    if (!all.resourceVersion().equals(version)) {
      all = all.at(version);
    }
    return all;
  }

  @GuardedBy("lock")
  private void mergeLocked(String key) {
    for (IndexSnapshot<T> part : seen.values()) {
      Optional<T> object = part.getByKey(key);
      if (object.isPresent()) {
        all = all.with(key, object.get());
        return;
      }
    }
    all = all.without(key);
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

  /** Returns the version up to which all caches are; empty if one has no list yet. */
  private static String lowestVersion(Collection<? extends IndexSnapshot<?>> caches) {
    String lowest = "";
    for (IndexSnapshot<?> cache : caches) {
      String version = cache.resourceVersion();
      if (!ResourceVersion.isComparable(version)) {
        return "";
      }
      if (lowest.isEmpty() || ResourceVersion.compare(version, lowest) < 0) {
        lowest = version;
      }
    }
    return lowest;
  }

  // ---- reads

  @Override
  public Optional<T> getByKey(String key) {
    Informers.Lease<T> part = having(ObjectName.parse(key).namespace());
    return part == null ? Optional.empty() : content.apply(part).getByKey(key);
  }

  private Informers.@Nullable Lease<T> having(String namespace) {
    return parts.get().stream()
        .filter(part -> part.scope().hasNamespace(namespace))
        .findFirst()
        .orElse(null);
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
