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
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.DeletedFinalStateUnknown} and {@code
 * DeletedObject}.
 *
 * @param <T> the type of the object
 * @param key the key of the object in the store
 * @param lastKnown the last state known of the object
 * @param finalStateUnknown whether the object may have changed after that state
 */
public record DeletedObject<T>(String key, @Nullable T lastKnown, boolean finalStateUnknown) {

  public DeletedObject {
    requireNonNull(key, "key");
    if (lastKnown == null && !finalStateUnknown) {
      throw new IllegalArgumentException("the final state of " + key + " is known but missing");
    }
  }

  /** Returns an object whose deletion was reported with its final state. */
  public static <T> DeletedObject<T> of(String key, T finalState) {
    return new DeletedObject<>(key, finalState, false);
  }

  /** Returns an object whose deletion was inferred, with the state last seen, if any. */
  public static <T> DeletedObject<T> ofUnknownFinalState(String key, @Nullable T lastKnown) {
    return new DeletedObject<>(key, lastKnown, true);
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
