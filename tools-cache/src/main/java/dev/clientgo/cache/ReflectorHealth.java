package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A record of what a Reflector did last. Its thread writes, any thread may read. */
final class ReflectorHealth {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);

  private final Clock clock;

  volatile Reflector.State state = Reflector.State.NEW;
  volatile @Nullable Instant lastList;
  volatile @Nullable Instant lastEvent;
  volatile @Nullable RuntimeException lastError;
  volatile @Nullable Instant lastErrorTime;

  /**
   * When the server first answered that there is no such resource, if it says so still. A time of
   * the monotonic clock: the other one may be set.
   */
  private volatile @Nullable Long missingSince;

  /** The objects of the last list, and of the watch after it, that were not passed on. */
  private volatile OmittedObjectTracker omitted = new OmittedObjectTracker();

  /** Used by the Reflector's thread only. */
  private @Nullable String lastWarning;

  private long lastWarningTime;

  ReflectorHealth(Clock clock) {
    this.clock = clock;
  }

  /** Records that the whole collection was read, except for some objects. */
  void listed(OmittedObjectTracker omittedFromList) {
    omitted = omittedFromList;
    lastList = clock.now();
    missingSince = null;
  }

  OmittedObjectTracker omitted() {
    return omitted;
  }

  void event() {
    lastEvent = clock.now();
  }

  void failed(RuntimeException error) {
    lastError = error;
    lastErrorTime = clock.now();
    if (!ServerErrors.isNotFound(error)) {
      missingSince = null;
    } else if (missingSince == null) {
      missingSince = clock.nanoTime();
    }
  }

  /**
   * Records a watch that the server refused without looking at it, and that the Reflector asks for
   * again.
   *
   * <p>Until the collection was read for the first time, programs wait for it in vain: that is a
   * warning, once a minute. Later it is routine, as when a server is restarted.
   */
  void notTaken(String reflector, KubernetesException error) {
    failed(error);
    if (lastList != null) {
      LOG.log(
          Level.INFO,
          "The server takes no watch now and is asked again: reflector={0} error={1}",
          reflector,
          error.getMessage());
    } else {
      LOG.log(
          isRepeated(error) ? Level.DEBUG : Level.WARNING,
          "Cannot read the collection for the first time yet, the server is asked again:"
              + " reflector={0} error={1}",
          reflector,
          error.getMessage());
    }
  }

  /** Returns whether there was a warning of the same error within the last minute. */
  private boolean isRepeated(KubernetesException error) {
    long now = clock.nanoTime();
    String message = String.valueOf(error.getMessage());
    if (message.equals(lastWarning) && now - lastWarningTime < WARNING_INTERVAL.toNanos()) {
      return true;
    }
    lastWarning = message;
    lastWarningTime = now;
    return false;
  }

  /** Returns whether for at least so long the server has said that it knows no such resource. */
  boolean isMissingFor(Duration duration) {
    Long since = missingSince;
    return since != null && clock.nanoTime() - since >= duration.toNanos();
  }
}
