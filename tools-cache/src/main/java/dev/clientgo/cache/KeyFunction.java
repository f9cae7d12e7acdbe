package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * Returns the key under which a store keeps an object. It must be pure: all versions of an object
 * have the same key.
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
   * @throws RuntimeException if the object has no key; stores and queues report it as a {@link
   *     KeyException} and leave the object out
   */
  String keyOf(T object);

  /**
   * Returns the function that all informers use: {@code namespace/name}, or {@code name} for an
   * object of the cluster. {@link ObjectName#parse} takes such a key apart.
   *
   * <p>Corresponds to client-go's {@code tools/cache.MetaNamespaceKeyFunc}.
   */
  static <T extends KubernetesObject> KeyFunction<T> metaNamespace() {
    return object -> ObjectName.of(object).toString();
  }
}
