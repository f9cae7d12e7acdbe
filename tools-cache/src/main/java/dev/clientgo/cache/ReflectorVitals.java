package dev.clientgo.cache;

import dev.clientgo.apimachinery.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a Reflector did last. Its thread writes, anybody may read. */
final class ReflectorVitals {

  private final Clock clock;

  volatile Reflector.State state = Reflector.State.NEW;
  volatile @Nullable Instant lastList;
  volatile @Nullable Instant lastEvent;
  volatile @Nullable RuntimeException lastError;
  volatile @Nullable Instant lastErrorTime;

  /** When the server first answered that there is no such resource, if it says so still. */
  private volatile @Nullable Instant missingSince;

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
    Instant now = clock.now();
    lastErrorTime = now;
    if (!ServerErrors.isNotFound(error)) {
      missingSince = null;
    } else if (missingSince == null) {
      missingSince = now;
    }
  }

  /** Returns whether for at least so long the server has said that it knows no such resource. */
  boolean isMissingFor(Duration duration) {
    Instant since = missingSince;
    return since != null && !since.plus(duration).isAfter(clock.now());
  }
}
