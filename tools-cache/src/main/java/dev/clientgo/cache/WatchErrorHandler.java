package dev.clientgo.cache;

/**
 * Is called with each error between a {@link Reflector} and the server, and with each error of an
 * object. It cannot stop the reflector, which waits a little and tries again.
 *
 * <p>It hears of
 *
 * <ul>
 *   <li>a list that failed, and a watch that could not be opened or ended with an error; an expired
 *       version is among these, and is normal
 *   <li>an object that could not be decoded, transformed or named, as a {@link
 *       dev.clientgo.apimachinery.errors.CodecException} or what the transform threw. The object
 *       keeps the state last seen, or stays unknown.
 * </ul>
 *
 * <p>It does not hear of a server that accepts no connection or is too busy for a watch: the server
 * is asked again, and {@link InformerHealth} has the error. It goes to the log at level INFO, or at
 * level WARNING, once a minute, as long as the collection was never read.
 *
 * <p>Called in the reflector's thread, so it must return quickly. An exception that it throws is
 * logged. Corresponds to client-go's {@code tools/cache.WatchErrorHandler}, which does not hear of
 * errors within a watch.
 */
@FunctionalInterface
public interface WatchErrorHandler {

  /** Handles an error. */
  void onError(Reflector<?> reflector, RuntimeException error);

  /**
   * Returns the default: an expired version goes to the log at level DEBUG, everything else at
   * level WARNING. An error of the server, of the connection or of a codec is one line; any other
   * exception comes with its stack trace, once a minute for each place in the code.
   *
   * <p>A bug in a transform or an index function, or a type that does not fit, may concern every
   * object. So at most ten errors of objects are logged in a minute for each reflector; {@link
   * InformerHealth#omitted} counts them all.
   */
  static WatchErrorHandler logging() {
    return new ErrorLog();
  }
}
