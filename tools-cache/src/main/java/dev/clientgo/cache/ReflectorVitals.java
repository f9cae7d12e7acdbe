package dev.clientgo.cache;

import dev.clientgo.apimachinery.clock.Clock;
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

  ReflectorVitals(Clock clock) {
    this.clock = clock;
  }

  void listed() {
    lastList = clock.now();
  }

  void event() {
    lastEvent = clock.now();
  }

  void failed(RuntimeException error) {
    lastError = error;
    lastErrorTime = clock.now();
  }
}
