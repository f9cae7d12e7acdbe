package dev.clientgo.cache;

import static dev.clientgo.cache.Reflector.State.WATCHING;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  /** How long a watch may be silent once the server should have ended it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private static final Duration INTERNAL_ERRORS_QUIET_PERIOD = Duration.ofMinutes(1);

  /** How long nothing may come, not even a bookmark, before the version is called in question. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  private final String name;
  private final ListerWatcher<T> listerWatcher;
  private final WatchSlot<T> slot;
  private final Function<Boolean, Changes<T>> changes;
  private final ReflectorPosition position;
  private final ReflectorVitals vitals;
  private final InformerMetrics metrics;
  private final Clock clock;
  private final ReflectorBackoff backoff;
  private final RetryWithDeadline internalErrors;

  private long quietSince;

  /**
   * Creates an instance.
   *
   * @param changes makes what takes the events; it is told whether they come in order
   */
  ReflectorWatch(
      ListerWatcher<T> listerWatcher,
      WatchSlot<T> slot,
      Function<Boolean, Changes<T>> changes,
      ReflectorPosition position,
      ReflectorVitals vitals,
      InformerMetrics metrics,
      ReflectorBackoff backoff,
      ReflectorOptions options) {
    this.name = options.name();
    this.listerWatcher = listerWatcher;
    this.slot = slot;
    this.changes = changes;
    this.position = position;
    this.vitals = vitals;
    this.metrics = metrics;
    this.backoff = backoff;
    this.clock = options.clock();
    this.quietSince = clock.nanoTime();
    this.internalErrors =
        new RetryWithDeadline(
            options.maxInternalErrorRetryDuration(), INTERNAL_ERRORS_QUIET_PERIOD, clock);
  }

  NextStep run() throws InterruptedException {
    OpenWatch<T> streamed = slot.current();
    boolean inOrder = streamed != null || !position.watchBeginsWithObjects();
    OpenWatch<T> watch = streamed != null ? streamed : open();
    if (watch == null) {
      return NextStep.after(backoff.afterFailure(), WATCHING);
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
        vitals.notTaken(name, e);
        return null;
      }
      throw e;
    }
  }

  private NextStep failed(OpenWatch<T> watch, KubernetesException error) {
    if (ServerErrors.isTooManyRequests(error)) {
      vitals.notTaken(name, error);
      return NextStep.after(backoff.afterFailure(), WATCHING);
    }
    if (error instanceof TransportException) {
      vitals.failed(error);
      return watch.isShort() && watch.events() == 0
          ? NextStep.after(backoff.afterFailure(), WATCHING)
          : again(watch);
    }
    if (ServerErrors.isInternalError(error) && internalErrors.shouldRetryAfterError()) {
      vitals.failed(error);
      return again(watch);
    }
    throw error;
  }

  private NextStep ended(OpenWatch<T> watch) throws InterruptedException {
    RuntimeException cause = watch.endedBy();
    if (cause != null) {
      throw cause;
    }
    if (watch.events() == 0 && watch.isShort()) {
      // Either the server is in trouble, or it has lost the version but does not say so.
      throw new TransportException(
          TransportException.Kind.CONNECTION_LOST,
          "the watch ended within a second and without an event, as if the server or something on"
              + " the way to it could not keep watches open: "
              + name,
          null);
    }
    if (watch.events() > 0) {
      quietSince = clock.nanoTime();
      if (!watch.isShort()) {
        backoff.recovered();
      }
    } else if (clock.nanoTime() - quietSince >= QUIET.toNanos()) {
      quietSince = clock.nanoTime();
      requireVersionIsThere();
    }
    return again(watch);
  }

  /**
   * Throws if the server has not come as far as the version that is known, as when etcd was
   * restored from a backup. Unlike client-go, which then watches in vain until the versions of the
   * server have overtaken its own: a watch from a version in the future is accepted, and silent.
   */
  private void requireVersionIsThere() throws InterruptedException {
    if (position.watchBeginsWithObjects()) {
      return;
    }
    try {
      listerWatcher.list(position.probeOptions(), object -> {});
    } catch (KubernetesException e) {
      if (ServerErrors.isVersionRefused(e)) {
        LOG.log(
            Level.WARNING,
            "The server no longer has the version of the cache, as after a restore of etcd; the"
                + " collection is read anew: reflector={0} version={1}",
            name,
            position.lastSyncResourceVersion());
        position.versionRefused();
        throw e;
      }
      // Whoever may watch need not be allowed to list; of everything else the next watch will tell.
      LOG.log(Level.DEBUG, () -> "Cannot ask for the version: reflector=" + name, e);
    }
  }

  /** Goes on where a watch ended that had events, or that lived long enough to have some. */
  private NextStep again(OpenWatch<?> watch) {
    return watch.isShort()
        ? NextStep.after(backoff.afterEarlyEnd(), WATCHING)
        : NextStep.now(WATCHING);
  }
}
