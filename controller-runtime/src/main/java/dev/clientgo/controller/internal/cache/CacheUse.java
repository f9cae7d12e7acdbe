package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.cache.IndexReader;
import dev.clientgo.cache.ResourceEventHandler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A use of the cache of a kind: of one informer, or of several that have a part of the objects
 * each. Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
public interface CacheUse<T extends KubernetesObject> extends AutoCloseable {

  /** The index by the uids of owners, which {@link #indexOwners} adds: {@value}. */
  String OWNERS = "client-go/owner-uid";

  /** Returns the uids of the owners of an object. */
  static List<String> ownersOf(KubernetesObject object) {
    return object.metadata().ownerReferences().stream()
        .map(OwnerReference::uid)
        .filter(Objects::nonNull)
        .toList();
  }

  /** Returns which objects the cache has. */
  ReadScope scope();

  /** Returns the objects that the watch has delivered. */
  IndexReader<T> delivered();

  /**
   * Returns the cache with this process' own writes up to now in it.
   *
   * @param wanted whether the caller reads a key
   */
  IndexReader<T> cache(Predicate<String> wanted) throws InterruptedException;

  /**
   * Waits until the cache has the first list, and the writes that came before it.
   *
   * @param namespace the namespace that the caller reads, empty for all
   * @return false if the time is up before; {@link #problem} explains why
   */
  boolean awaitSynced(String namespace, Duration timeout) throws InterruptedException;

  /** Registers the only handler of this use, which gets the events until this is closed. */
  void handle(ResourceEventHandler<T> handler, String name);

  /** Returns whether the handler has had all objects of the first list. */
  boolean isHandled();

  /** Waits until the handler has had all objects of the first list that the server lets us read. */
  boolean awaitHandled(Duration timeout) throws InterruptedException;

  /** Waits until the cache has the shard of this replica, if it follows one. */
  boolean awaitShard(Duration timeout) throws InterruptedException;

  /** Adds the index {@link #OWNERS}, if the cache lacks it. */
  void indexOwners();

  /** Asks the server for an object that the cache would have if it had those of all replicas. */
  Optional<T> lookUp(ObjectName name) throws InterruptedException;

  /**
   * Returns how long ago the server confirmed the cache, the oldest part of it: by a list, an event
   * or a bookmark. Very long before the first list.
   */
  Duration age();

  /** Returns why the cache is not filled, and what to do. */
  String problem();

  /** Returns which parts of the cache are not filled; empty if it has only one. */
  Optional<String> missingParts();

  /** Ends this use. The last use of an informer ends it. May be called more than once. */
  @Override
  void close();
}
