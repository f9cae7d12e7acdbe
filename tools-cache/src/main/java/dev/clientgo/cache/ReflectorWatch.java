package dev.clientgo.cache;

import static dev.clientgo.cache.Reflector.State.WATCHING;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state WATCHING of a Reflector: passes the changes of the collection on to the store, until
 * the watch ends, and says whether to watch on from the last version seen or to begin a new round.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.watch} and {@code
 * handleWatch}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorWatch<T extends KubernetesObject> {

  /** How long a watch may be silent once the server should have ended it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private static final Duration INTERNAL_ERRORS_QUIET_PERIOD = Duration.ofMinutes(1);

  private final String name;
  private final WatchSlot<T> slot;
  private final Function<Boolean, Changes<T>> changes;
  private final ReflectorPosition position;
  private final ReflectorVitals vitals;
  private final InformerMetrics metrics;
  private final RetryWithDeadline internalErrors;

  /**
   * Creates an instance.
   *
   * @param changes makes what takes the events; it is told whether they come in order
   */
  ReflectorWatch(
      WatchSlot<T> slot,
      Function<Boolean, Changes<T>> changes,
      ReflectorPosition position,
      ReflectorVitals vitals,
      InformerMetrics metrics,
      ReflectorOptions options) {
    this.name = options.name();
    this.slot = slot;
    this.changes = changes;
    this.position = position;
    this.vitals = vitals;
    this.metrics = metrics;
    this.internalErrors =
        new RetryWithDeadline(
            options.maxInternalErrorRetryDuration(), INTERNAL_ERRORS_QUIET_PERIOD, options.clock());
  }

  NextStep run() throws InterruptedException {
    OpenWatch<T> streamed = slot.current();
    boolean inOrder = streamed != null || !position.watchBeginsWithObjects();
    OpenWatch<T> watch = streamed != null ? streamed : open();
    if (watch == null) {
      return NextStep.afterPause(WATCHING);
    }
    try {
      watch.endIfSilent(watch.timeout().plus(GRACE), GRACE);
      slot.readUntil(watch, changes.apply(inOrder));
    } catch (KubernetesException e) {
      return failed(watch, e);
    } finally {
      slot.close();
      metrics.watched(watch.age(), watch.events());
    }
    return ended(watch);
  }

  /** Opens a watch; returns none if the same attempt is worth another. */
  private @Nullable OpenWatch<T> open() throws InterruptedException {
    try {
      return slot.open(position.watchOptions(slot.timeout()));
    } catch (KubernetesException e) {
      if (ServerErrors.isWatchErrorRetriable(e)) {
        vitals.failed(e);
        return null;
      }
      throw e;
    }
  }

  private NextStep failed(OpenWatch<T> watch, KubernetesException error) {
    if (ServerErrors.isTooManyRequests(error)) {
      vitals.failed(error);
      return NextStep.afterPause(WATCHING);
    }
    boolean connectionLost = error instanceof TransportException;
    if (connectionLost
        || (ServerErrors.isInternalError(error) && internalErrors.shouldRetryAfterError())) {
      vitals.failed(error);
      return again(watch);
    }
    throw error;
  }

  private NextStep ended(OpenWatch<T> watch) {
    RuntimeException cause = watch.endedBy();
    if (cause != null) {
      throw cause;
    }
    if (watch.events() == 0 && watch.isShort()) {
      // Either the server is in trouble, or it has lost the version but does not say so.
      throw new TransportException(
          TransportException.Kind.CONNECTION_LOST,
          "the watch ended within a second and without an event: " + name,
          null);
    }
    return again(watch);
  }

  private static NextStep again(OpenWatch<?> watch) {
    return watch.isShort() ? NextStep.afterPause(WATCHING) : NextStep.now(WATCHING);
  }
}
