package dev.clientgo.cache;

/**
 * Changes an object before it is cached, most often to drop what the program does not need: managed
 * fields, annotations, large parts of the spec. The dropped parts take no memory.
 *
 * <p>It must be pure and must keep name, namespace, UID and resourceVersion. It is called once for
 * each object that comes from the server, before any handler or lister can see that object, and
 * must give the same result when applied to its own result. It cannot leave an object out: null is
 * refused as if it had thrown. For that there are selectors.
 *
 * <p>Corresponds to client-go's {@code tools/cache.TransformFunc}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface TransformFunction<T> {

  /**
   * Returns what to cache instead of the object.
   *
   * @throws RuntimeException to refuse the object; the call that brought it throws the same. An
   *     informer reports it to its {@link WatchErrorHandler} and keeps the last state it has
   */
  T transform(T object);
}
