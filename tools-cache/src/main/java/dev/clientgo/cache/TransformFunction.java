package dev.clientgo.cache;

/**
 * Changes an object before it is cached, most often to drop what the program does not need: managed
 * fields, annotations, large parts of the spec. The dropped parts take no memory.
 *
 * <p>It must be pure and must keep name, namespace, UID and resourceVersion. It is called once for
 * each object from the server, before any handler or lister sees that object. Applied to its own
 * result, it must return an equal result. It cannot leave an object out, which selectors can: null
 * is refused like an exception.
 *
 * <p>The {@link Reflector} applies it while it reads: so a list is never held in the form in which
 * the server sent it, and an object that has not changed since the last list is not transformed
 * again. Queues and stores transform nothing. Corresponds to client-go's {@code
 * tools/cache.TransformFunc}, which the queue applies.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface TransformFunction<T> {

  /**
   * Returns the object to cache instead of the given one.
   *
   * @throws RuntimeException to refuse the object; the Reflector reports it to its {@link
   *     WatchErrorHandler}, and the store keeps the last state
   */
  T transform(T object);
}
