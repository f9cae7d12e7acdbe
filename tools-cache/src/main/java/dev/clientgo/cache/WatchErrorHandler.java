package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import java.lang.System.Logger.Level;

/**
 * Hears of everything that goes wrong between a {@link Reflector} and the server. It is told, not
 * asked: whatever it does, the reflector waits a little and tries again.
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
 * <p>It does not hear of a server that accepts no connection or is too busy for a watch: that one
 * is asked again, and each time goes to the log at level INFO and into {@link InformerHealth}.
 *
 * <p>Called in the reflector's thread, so it must return quickly. An exception that it throws is
 * logged. Corresponds to client-go's {@code tools/cache.WatchErrorHandler}, which does not hear of
 * errors within a watch.
 */
@FunctionalInterface
public interface WatchErrorHandler {

  /** Takes note of an error. */
  void onError(Reflector<?> reflector, RuntimeException error);

  /**
   * Returns the default: an expired version goes to the log at level DEBUG, everything else at
   * level WARNING. What the server answered, or that it did not, or that it cannot be read, is one
   * line; any other exception comes with its stack trace.
   */
  static WatchErrorHandler logging() {
    return (reflector, error) -> {
      System.Logger log = System.getLogger(Reflector.class.getName());
      if (ServerErrors.isExpired(error)) {
        log.log(Level.DEBUG, () -> "The watch expired: reflector=" + reflector.name(), error);
      } else if (ServerErrors.isClientClosed(error)) {
        log.log(
            Level.WARNING,
            "The client was closed while it was in use; close informers first: reflector={0}",
            reflector.name());
      } else if (error instanceof ApiStatusException || error instanceof TransportException) {
        log.log(
            Level.WARNING,
            "List or watch failed: reflector={0} error={1}",
            reflector.name(),
            error.getMessage());
      } else if (error instanceof CodecException) {
        log.log(
            Level.WARNING,
            "Cannot read what the server sent: reflector={0} error={1}",
            reflector.name(),
            error.getMessage());
      } else {
        log.log(Level.WARNING, () -> "Failed: reflector=" + reflector.name(), error);
      }
    };
  }
}
