package dev.clientgo.cache;

import java.util.List;
import java.util.Optional;

/**
 * The objects in the store behind a {@link Queue}. The queue compares a list with them to find the
 * objects that were deleted.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code tools/cache.KeyListerGetter}.
 *
 * @param <T> the type of the objects
 */
public interface KnownObjects<T> {

  /** Returns the keys of all objects. */
  List<String> listKeys();

  /** Returns the object with that key. */
  Optional<T> getByKey(String key);
}
