package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.cache.internal.reflector.CurrentWatch.OpenWatch;
import dev.clientgo.cache.internal.reflector.Pager.PageFunction;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes of the collection to the store, with one watch after the other: the state
 * WATCHING of a Reflector. It ends with an error when the collection must be read again.
 *
 * <p>Used by one thread. Corresponds to client-go's {@code Reflector.watch}.
 *
 * @param <T> the type of the objects
 */
public final class ReflectorWatch<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  /** How long without an internal error of the server ends a series of them. */
  private static final Duration SERIES_END = Duration.ofMinutes(1);

  /** How long there may be no event, not even a bookmark, before the version is checked. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  private final String name;
  private final PageFunction<T> probe;
  private final CurrentWatch<T> currentWatch;
  private final WatchEvents<T> events;
  private final ReflectorPosition position;
  private final ReflectorShard shard;
  private final ReflectorHealth health;
  private final InformerMetrics metrics;
  private final ReflectorBackoff backoff;
  private final Duration maxInternalErrorRetry;
  private final Clock clock;

  private long quietSince;

  /** Whether there is a series of internal errors, and the times of its first and last error. */
  private boolean inSeries;

  private long firstInternalError;
  private long lastInternalError;

  /**
   * Creates an instance for one Reflector.
   *
   * @param probe asks the server whether it has a version
   * @param events receives the events
   */
  public ReflectorWatch(
      PageFunction<T> probe,
      CurrentWatch<T> currentWatch,
      WatchEvents<T> events,
      ReflectorPosition position,
      ReflectorShard shard,
      ReflectorHealth health,
      InformerMetrics metrics,
      ReflectorBackoff backoff,
      ReflectorSettings settings) {
    this.name = settings.name();
    this.probe = probe;
    this.currentWatch = currentWatch;
    this.events = events;
    this.position = position;
    this.shard = shard;
    this.health = health;
    this.metrics = metrics;
    this.backoff = backoff;
    this.clock = settings.clock();
    this.quietSince = clock.nanoTime();
    this.maxInternalErrorRetry = settings.maxInternalErrorRetry();
  }

  /**
   * Watches, until another shard is wanted. The first watch is the one that a streaming list has
   * left open, if any.
   *
   * @throws RuntimeException if the collection must be read again
   */
  public void run() throws InterruptedException {
    while (!shard.hasChanged()) {
      OpenWatch<T> streamed = currentWatch.get();
      events.watchBegins(streamed != null || !position.watchBeginsWithObjects());
      OpenWatch<T> watch = streamed != null ? streamed : open();
      if (watch != null) {
        Optional<KubernetesException> error = read(watch);
        if (watch.isEndedForShard() || shard.hasChanged()) {
          continue; // If the shard was taken back meanwhile, the next watch continues this one.
        }
        if (error.isPresent()) {
          failed(watch, error.get());
        } else {
          ended(watch);
        }
      }
    }
  }

  /** Opens a watch. If the server refuses it unprocessed, pauses and returns null. */
  private @Nullable OpenWatch<T> open() throws InterruptedException {
    try {
      OpenWatch<T> watch = currentWatch.open(position.watchOptions(currentWatch.timeout()));
      watch.endIfOverdue();
      return watch;
    } catch (KubernetesException e) {
      if (!ServerErrors.isWatchErrorRetriable(e)) {
        throw e;
      }
      health.watchRefused(name, e);
      backoff.pauseAfterFailure();
      return null;
    }
  }

  /** Reads a watch to its end, and returns the error that ended it, if any. */
  private Optional<KubernetesException> read(OpenWatch<T> watch) throws InterruptedException {
    try {
      watch.readUntil(events);
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
      health.watchRefused(name, error);
      backoff.pauseAfterFailure();
    } else if (error instanceof TransportException && watch.isShort() && watch.events() == 0) {
      health.failed(error);
      backoff.pauseAfterFailure();
    } else if (error instanceof TransportException
        || (ServerErrors.isInternalError(error) && mayRetryInternalError())) {
      health.failed(error);
      pauseIfShort(watch);
    } else {
      throw error;
    }
  }

  /**
   * Returns whether the watch is opened again after an internal error of the server: for some time
   * after the first error of a series. Corresponds to client-go's {@code RetryWithDeadline}.
   */
  private boolean mayRetryInternalError() {
    if (maxInternalErrorRetry.isZero() || maxInternalErrorRetry.isNegative()) {
      return false;
    }
    long now = clock.nanoTime();
    if (!inSeries || now - lastInternalError >= SERIES_END.toNanos()) {
      firstInternalError = now;
    }
    lastInternalError = now;
    inSeries = now - firstInternalError <= maxInternalErrorRetry.toNanos();
    return inSeries;
  }

  private void ended(OpenWatch<T> watch) throws InterruptedException {
    RuntimeException cause = watch.endedBy();
    if (cause != null) {
      throw cause;
    }
    if (watch.events() == 0 && watch.isShort()) {
      // The server is in trouble, or it no longer has the version but does not report it.
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
      requireServerHasVersion();
    }
    pauseIfShort(watch);
  }

  private void pauseIfShort(OpenWatch<T> watch) throws InterruptedException {
    if (watch.isShort()) {
      backoff.pauseAfterEarlyEnd();
    }
  }

  /**
   * Throws if the server has not reached the version of the cache, for instance after etcd was
   * restored from a backup. The server accepts a watch from a future version, and sends nothing.
   *
   * <p>Unlike client-go, which then watches without events until the server has passed its version.
   */
  private void requireServerHasVersion() throws InterruptedException {
    if (position.watchBeginsWithObjects()) {
      return;
    }
    try {
      probe.list(position.probeOptions(), object -> {});
    } catch (KubernetesException e) {
      if (ServerErrors.isVersionRefused(e)) {
        LOG.log(
            Level.WARNING,
            "The server no longer has the version of the cache, as after a restore of etcd; the"
                + " collection is read again: reflector={0} version={1}",
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
