package dev.clientgo.cache;

import dev.clientgo.cache.internal.errors.ErrorLog;

/**
 * Handles the errors between a {@link Reflector} and the server, and the errors of objects. It
 * cannot stop the reflector, which waits and tries again.
 *
 * <p>The reflector calls it for
 *
 * <ul>
 *   <li>a list that failed, and a watch that could not be opened or ended with an error. An expired
 *       version is one of these errors, and is normal.
 *   <li>an object that could not be decoded, transformed or named, with a {@link
 *       dev.clientgo.apimachinery.errors.CodecException} or the exception of the transform. The
 *       cache keeps the state last seen, or does not have the object.
 * </ul>
 *
 * <p>The reflector does not call it if a server accepts no connection or is too busy for a watch.
 * It asks again, and {@link InformerHealth} has the error. It logs such an error at level INFO or,
 * until the collection was read for the first time, at level WARNING once a minute.
 *
 * <p>Called in the reflector's thread, so it must return quickly. An exception that it throws is
 * logged. Corresponds to client-go's {@code tools/cache.WatchErrorHandler}, which is not called for
 * errors within a watch.
 */
@FunctionalInterface
public interface WatchErrorHandler {

  /** Handles an error. */
  void onError(Reflector<?> reflector, RuntimeException error);

  /**
   * Returns the default, which logs an expired version at level DEBUG and all other errors at level
   * WARNING. An error of the server, of the connection or of a codec takes one line; any other
   * exception is logged with its stack trace, once a minute for each place in the code.
   *
   * <p>A bug in a transform or an index function, or a wrong type, may concern every object. So at
   * most ten errors of objects are logged in a minute for each reflector; {@link
   * InformerHealth#omitted} counts them all.
   */
  static WatchErrorHandler logging() {
    ErrorLog log = new ErrorLog();
    return (reflector, error) -> log.write(reflector, reflector.name(), reflector.clock(), error);
  }
}
