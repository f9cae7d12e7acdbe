package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KeyException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.clock.CrashLog;

/**
 * Computes the key of an object in a store. It must be pure: all versions of an object have the
 * same key.
 *
 * <p>Corresponds to client-go's {@code tools/cache.KeyFunc}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface KeyFunction<T> {

  /**
   * Returns the key of the object.
   *
   * @throws RuntimeException if the object has no key; stores and queues throw a {@link
   *     KeyException} in its place and do not take the object
   */
  String keyOf(T object);

  /**
   * Returns the key of the object. Stores and queues call this.
   *
   * @throws KeyException if the object has no key; the message names its class
   */
  default String requireKeyOf(T object) {
    try {
      return requireNonNull(keyOf(object), "the key is null");
    } catch (KeyException e) {
      throw e;
    } catch (RuntimeException e) {
      // Not the object itself: it may be a Secret.
      throw new KeyException(
          "cannot make a key for a " + object.getClass().getName() + ": " + CrashLog.text(e), e);
    }
  }

  /**
   * Returns the function that all informers use: {@code namespace/name}, or {@code name} for a
   * cluster-scoped object. {@link ObjectName#parse} reads such a key.
   *
   * <p>Corresponds to client-go's {@code tools/cache.MetaNamespaceKeyFunc}.
   */
  static <T extends KubernetesObject> KeyFunction<T> metaNamespace() {
    return object -> ObjectName.of(object).toString();
  }
}
