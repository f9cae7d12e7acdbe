package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

/**
 * One of several changes that a {@link Store} makes at once.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.Transaction}.
 *
 * @param <T> the type of the objects in the store
 */
public sealed interface Transaction<T> {

  /** Puts an object into the store, as {@link Store#add} does. */
  record Put<T>(T value) implements Transaction<T> {
    public Put {
      requireNonNull(value, "value");
    }
  }

  /** Removes an object whose last state is known, as {@link Store#delete} does. */
  record Delete<T>(T value) implements Transaction<T> {
    public Delete {
      requireNonNull(value, "value");
    }
  }

  /** Removes the object with that key, as {@link Store#deleteByKey} does. */
  record DeleteByKey<T>(String key) implements Transaction<T> {
    public DeleteByKey {
      requireNonNull(key, "key");
    }
  }
}
