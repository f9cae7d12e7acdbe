package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes of the collection to the store, by one watch after the other: the state
 * WATCHING of a Reflector. It ends with an error if the collection is to be read again.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.watch}.
 *
 * @param <T> the type of the objects
 */
final class ReflectorWatch<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  /** How long a watch may be silent once the server should have ended it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private static final Duration INTERNAL_ERRORS_QUIET_PERIOD = Duration.ofMinutes(1);

  /** How long there may be no event, not even a bookmark, before the version is checked. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  private final String name;
  private final ListerWatcher<T> listerWatcher;
  private final CurrentWatch<T> currentWatch;
  private final WatchEventHandler<T> events;
  private final ReflectorPosition position;
  private final ReflectorHealth health;
  private final InformerMetrics metrics;
  private final ReflectorBackoff backoff;
  private final RetryWithDeadline internalErrors;
  private final Clock clock;

  private long quietSince;

  ReflectorWatch(
      ListerWatcher<T> listerWatcher,
      CurrentWatch<T> currentWatch,
      WatchEventHandler<T> events,
      ReflectorPosition position,
      ReflectorHealth health,
      InformerMetrics metrics,
      ReflectorBackoff backoff,
      ReflectorOptions options) {
    this.name = options.name();
    this.listerWatcher = listerWatcher;
    this.currentWatch = currentWatch;
    this.events = events;
    this.position = position;
    this.health = health;
    this.metrics = metrics;
    this.backoff = backoff;
    this.clock = options.clock();
    this.quietSince = clock.nanoTime();
    this.internalErrors =
        new RetryWithDeadline(
            options.maxInternalErrorRetryDuration(), INTERNAL_ERRORS_QUIET_PERIOD, clock);
  }

  /**
   * Watches. The first watch is the one that a streaming list has left open, if any.
   *
   * @throws RuntimeException if the collection is to be read again
   */
  void run() throws InterruptedException {
    while (true) {
      OpenWatch<T> streamed = currentWatch.get();
      events.watchBegins(streamed != null || !position.watchBeginsWithObjects());
      OpenWatch<T> watch = streamed != null ? streamed : open();
      if (watch != null) {
        Optional<KubernetesException> error = read(watch);
        if (error.isPresent()) {
          failed(watch, error.get());
        } else {
          ended(watch);
        }
      }
    }
  }

  /** Opens a watch; returns null, after a pause, if the server did not look at the request. */
  private @Nullable OpenWatch<T> open() throws InterruptedException {
    try {
      return currentWatch.open(position.watchOptions(currentWatch.timeout()));
    } catch (KubernetesException e) {
      if (!ServerErrors.isWatchErrorRetriable(e)) {
        throw e;
      }
      health.notTaken(name, e);
      backoff.pauseAfterFailure();
      return null;
    }
  }

  /** Reads a watch to its end, and returns the error that ended it, if any. */
  private Optional<KubernetesException> read(OpenWatch<T> watch) throws InterruptedException {
    try {
      watch.endIfSilent(watch.timeout().plus(GRACE), GRACE);
      currentWatch.readUntil(watch, events);
      return Optional.empty();
    } catch (KubernetesException e) {
      return Optional.of(e);
    } finally {
      currentWatch.close();
      metrics.watched(watch.age(), watch.events());
    }
  }

  private void failed(OpenWatch<T> watch, KubernetesException error) throws InterruptedException {
    if (ServerErrors.isTooManyRequests(error)) {
      health.notTaken(name, error);
      backoff.pauseAfterFailure();
    } else if (error instanceof TransportException && watch.isShort() && watch.events() == 0) {
      health.failed(error);
      backoff.pauseAfterFailure();
    } else if (error instanceof TransportException
        || (ServerErrors.isInternalError(error) && internalErrors.shouldRetryAfterError())) {
      health.failed(error);
      pauseIfShort(watch);
    } else {
      throw error;
    }
  }

  private void ended(OpenWatch<T> watch) throws InterruptedException {
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
    pauseIfShort(watch);
  }

  private void pauseIfShort(OpenWatch<T> watch) throws InterruptedException {
    if (watch.isShort()) {
      backoff.pauseAfterEarlyEnd();
    }
  }

  /**
   * Throws if the server does not have the version of the cache yet, as when etcd was restored from
   * a backup. Unlike client-go, which then watches in vain until the versions of the server have
   * overtaken its own: the server accepts a watch from a version of the future, and sends nothing.
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
      // A client may be allowed to watch but not to list; the next watch shows any other error.
      LOG.log(Level.DEBUG, () -> "Cannot ask for the version: reflector=" + name, e);
    }
  }
}
