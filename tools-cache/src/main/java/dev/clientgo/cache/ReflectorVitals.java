package dev.clientgo.cache;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.KubernetesException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a Reflector did last. Its thread writes, anybody may read. */
final class ReflectorVitals {

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

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

  ReflectorVitals(Clock clock) {
    this.clock = clock;
  }

  void listed() {
    lastList = clock.now();
    missingSince = null;
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

  /** Takes note of a watch that the server did not even look at, and that is asked for again. */
  void notTaken(String reflector, KubernetesException error) {
    failed(error);
    LOG.log(
        Level.INFO,
        "The server takes no watch now and is asked again: reflector={0} error={1}",
        reflector,
        error.getMessage());
  }

  /** Returns whether for at least so long the server has said that it knows no such resource. */
  boolean isMissingFor(Duration duration) {
    Long since = missingSince;
    return since != null && clock.nanoTime() - since >= duration.toNanos();
  }
}
