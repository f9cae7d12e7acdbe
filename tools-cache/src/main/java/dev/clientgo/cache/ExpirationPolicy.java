package dev.clientgo.cache;

import java.time.Duration;

/**
 * Says when an object in an {@link ExpirationCache} has expired.
 *
 * <p>Corresponds to client-go's {@code tools/cache.ExpirationPolicy}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface ExpirationPolicy<T> {

  /**
   * Returns whether the object has expired.
   *
   * @param age how long ago it was put into the cache
   */
  boolean isExpired(T object, Duration age);

  /**
   * Returns the policy by which all objects expire when they are older than that. Nothing expires
   * if it is zero or less.
   *
   * <p>Corresponds to client-go's {@code tools/cache.TTLPolicy}.
   */
  static <T> ExpirationPolicy<T> timeToLive(Duration ttl) {
    return (object, age) -> ttl.compareTo(Duration.ZERO) > 0 && age.compareTo(ttl) > 0;
  }
}
