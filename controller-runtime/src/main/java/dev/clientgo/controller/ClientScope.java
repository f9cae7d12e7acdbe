package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.cache.CacheUse;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.cache.OwnWrites;
import dev.clientgo.controller.internal.cache.RecentStrings;
import dev.clientgo.controller.internal.cache.UnionUse;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.scope.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The informers that one controller, or the manager itself, has read. They are kept until it is
 * closed.
 */
final class ClientScope implements AutoCloseable {

  private final Informers informers;

  /** Returns which objects of a kind this reads. */
  private final Function<ResourceType<?>, Scope> scopes;

  /** The kind of which this reads only the objects of this replica; null if there is none. */
  private final @Nullable ResourceType<?> shardKind;

  private final Duration syncTimeout;
  private final AppliedConfigurations applied;
  private final ControllerRecording<Request> recording;
  private final FightDetector fights;

  /** The uids of objects seen on the server, and not only in a cache, which may be older. */
  private final RecentStrings confirmed = new RecentStrings();

  /** By resource and codec, which stands for the type of the objects. */
  private final ConcurrentMap<Object, CacheUse<?>> uses = new ConcurrentHashMap<>();

  private final List<Runnable> progress = new CopyOnWriteArrayList<>();

  /** Set before all is closed; a thread that adds something looks at it afterwards. */
  private volatile boolean closed;

  /**
   * Creates an instance that has read nothing.
   *
   * @param scopes returns which objects of a kind it reads
   * @param shardKind the kind of which it reads only the objects of this replica; null for none
   */
  ClientScope(
      Informers informers,
      Function<ResourceType<?>, Scope> scopes,
      @Nullable ResourceType<?> shardKind,
      Duration syncTimeout,
      AppliedConfigurations applied,
      ControllerRecording<Request> recording,
      FightDetector fights) {
    this.informers = informers;
    this.scopes = scopes;
    this.shardKind = shardKind;
    this.syncTimeout = syncTimeout;
    this.applied = applied;
    this.recording = recording;
    this.fights = fights;
  }

  /**
   * Returns the use of the cache of a kind, with own writes, when it is filled.
   *
   * @param namespace the namespace that is read, empty for all
   * @throws CacheSyncException if it is not filled in time
   */
  <T extends KubernetesObject> CacheUse<T> cache(ResourceType<T> type, String namespace)
      throws InterruptedException {
    CacheUse<T> use = use(type);
    if (!use.awaitSynced(namespace, syncTimeout)) {
      throw new CacheSyncException(
          "the cache of "
              + type
              + " was not filled within "
              + syncTimeout
              + ", or the server forbids it: "
              + use.problem());
    }
    return use;
  }

  /** Returns whether the cache has the namespace, and may be read. */
  boolean isFollowed(ResourceType<?> type, String namespace) throws InterruptedException {
    return informers.mayRead(type, scopes.apply(type), isOfShard(type))
        && use(type).scope().hasNamespace(namespace);
  }

  /** Returns whether a cache has objects with the namespace and the labels of this one. */
  boolean isFollowed(ResourceType<?> type, KubernetesObject object) throws InterruptedException {
    return use(type).scope().has(object);
  }

  /** Returns whether the cache of a kind has only the objects of this replica. */
  boolean isOfShard(ResourceType<?> type) {
    return shardKind != null && key(shardKind).equals(key(type));
  }

  /** Reads an object from the server that the cache would have if it had those of all replicas. */
  <T extends KubernetesObject> Optional<T> lookUp(ResourceType<T> type, ObjectName name)
      throws InterruptedException {
    return use(type).lookUp(name);
  }

  private static Object key(ResourceType<?> type) {
    return List.of(type.resource(), type.codec());
  }

  /** Ends the use of a kind, until it is read again. */
  void release(ResourceType<?> type) {
    end(key(type));
  }

  private void end(Object key) {
    CacheUse<?> use = uses.remove(key);
    if (use != null) {
      use.close();
    }
  }

  @SuppressWarnings("unchecked") // The key has the codec, which makes objects of one type.
  private <T extends KubernetesObject> CacheUse<T> use(ResourceType<T> type)
      throws InterruptedException {
    Object key = key(type);
    CacheUse<?> present = uses.get(key);
    if (present != null) {
      return (CacheUse<T>) present;
    }
    CacheUse<T> acquired =
        UnionUse.acquire(informers, type, scopes.apply(type), isOfShard(type), /* byRead= */ true);
    present = uses.putIfAbsent(key, acquired);
    if (present != null) {
      acquired.close(); // Another thread was faster.
      return (CacheUse<T>) present;
    }
    if (closed) {
      end(key);
      throw new IllegalStateException("the controller of this client is closed");
    }
    return acquired;
  }

  /**
   * Records a write, so that reads show it.
   *
   * @param written what the server returned
   * @return the caches whose watches will bring it
   */
  <T extends KubernetesObject> List<OwnWrites<?>> written(ResourceType<T> type, T written) {
    String uid = written.metadata().uid();
    if (uid != null) {
      confirmed.add(uid);
    }
    recording.written(type, written);
    fights.wrote(written);
    return informers.written(type, written, isOfShard(type));
  }

  /**
   * Records that an object is gone, so that reads do not show it any more.
   *
   * @param last the object as it was last seen
   * @return the caches whose watches will bring its end
   */
  <T extends KubernetesObject> List<OwnWrites<?>> deleted(ResourceType<T> type, T last) {
    recording.deleted(type, last);
    return informers.deleted(type, last, isOfShard(type));
  }

  /** Adds a function that is called each time a cache may show more, until this is closed. */
  void onProgress(Runnable listener) {
    progress.add(listener);
    informers.addListener(listener);
    if (closed) {
      informers.removeListener(listener);
    }
  }

  /** Returns the uids of objects that the controller has seen on the server. */
  RecentStrings confirmed() {
    return confirmed;
  }

  AppliedConfigurations applied() {
    return applied;
  }

  @Override
  public void close() {
    closed = true;
    progress.forEach(informers::removeListener);
    List.copyOf(uses.keySet()).forEach(this::end);
  }
}
