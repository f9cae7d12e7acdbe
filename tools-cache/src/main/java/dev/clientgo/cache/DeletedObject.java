package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * A deleted object: its key, and the last state that is known of it.
 *
 * <p>Usually the watch reports a deletion together with the object's last state. If an object is
 * deleted while the watch is down, the informer notices only that the next list lacks it. Then
 * {@code finalStateUnknown} is true, and {@code lastKnown} is the state last seen, which may be
 * older than the final state, or null if no state was ever seen.
 *
 * <p>If an informer follows one shard of a collection, and the {@linkplain
 * SharedIndexInformer#shard(dev.clientgo.apimachinery.sharding.ShardSelector) shard changes}, the
 * objects that no longer belong to it also leave the cache. Then {@code leftShard} is true: the
 * object probably still exists, and another replica has it.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.DeletedFinalStateUnknown} and {@code
 * DeletedObject}.
 *
 * @param <T> the type of the object
 * @param key the key of the object in the store
 * @param lastKnown the last state known of the object
 * @param finalStateUnknown whether the object may have changed after that state
 * @param leftShard whether the object no longer belongs to the informer's shard, which does not
 *     mean that it was deleted
 */
public record DeletedObject<T>(
    String key, @Nullable T lastKnown, boolean finalStateUnknown, boolean leftShard) {

  public DeletedObject {
    requireNonNull(key, "key");
    if (lastKnown == null && !finalStateUnknown) {
      throw new IllegalArgumentException("the final state of " + key + " is known but missing");
    }
  }

  /** Returns an object whose deletion was reported with its final state. */
  public static <T> DeletedObject<T> of(String key, T finalState) {
    return new DeletedObject<>(key, finalState, false, false);
  }

  /** Returns an object whose deletion was inferred, with the state last seen, if any. */
  public static <T> DeletedObject<T> ofUnknownFinalState(String key, @Nullable T lastKnown) {
    return new DeletedObject<>(key, lastKnown, true, false);
  }

  /** Returns an object that no longer belongs to the informer's shard, with the state last seen. */
  public static <T> DeletedObject<T> ofOtherShard(String key, T lastKnown) {
    return new DeletedObject<>(key, lastKnown, true, true);
  }

  /**
   * Returns the key as a name. Never fails: everything after the first slash is the name.
   *
   * <p>Corresponds to client-go's {@code tools/cache.DeletionHandlingObjectToName}.
   */
  public ObjectName objectName() {
    int slash = key.indexOf('/');
    return slash < 0
        ? new ObjectName("", key)
        : new ObjectName(key.substring(0, slash), key.substring(slash + 1));
  }
}
