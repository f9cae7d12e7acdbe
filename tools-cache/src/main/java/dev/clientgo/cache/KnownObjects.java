package dev.clientgo.cache;

import java.util.List;
import java.util.Optional;

/**
 * What the consumer of a {@link Queue} has in its store. A queue that is to find out which objects
 * have disappeared compares a new list with this.
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
