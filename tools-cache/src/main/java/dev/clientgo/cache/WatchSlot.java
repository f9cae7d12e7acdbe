package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the watch that a Reflector has open: one at most.
 *
 * <p>The Reflector's thread opens watches and reads them; any thread may close the one that is
 * open, and the reader then finds it ended.
 *
 * @param <T> the type of the objects
 */
final class WatchSlot<T> {

  private final ListerWatcher<T> listerWatcher;
  private final ReflectorVitals vitals;
  private final Clock clock;
  private final RandomGenerator random;
  private final Duration minTimeout;
  private final Reflector<?> reflector;

  private volatile @Nullable OpenWatch<T> current;

  /**
   * Creates an instance.
   *
   * @param reflector whose timers end a watch that is silent for too long
   */
  WatchSlot(
      ListerWatcher<T> listerWatcher,
      ReflectorOptions options,
      ReflectorVitals vitals,
      Reflector<?> reflector) {
    this.listerWatcher = listerWatcher;
    this.vitals = vitals;
    this.clock = options.clock();
    this.random = options.random();
    this.minTimeout = options.minWatchTimeout();
    this.reflector = reflector;
  }

  /** Says when the server should end a watch: not all clients' watches at the same time. */
  Duration timeout() {
    long min = minTimeout.toSeconds();
    return Duration.ofSeconds(min + (long) (random.nextDouble() * min));
  }

  OpenWatch<T> open(ListOptions request) throws InterruptedException {
    long start = clock.nanoTime();
    Duration timeout = requireNonNull(request.timeout(), "timeout");
    OpenWatch<T> watch =
        new OpenWatch<>(listerWatcher.watch(request), timeout, start, clock, reflector.timers());
    current = watch;
    return watch;
  }

  @Nullable OpenWatch<T> current() {
    return current;
  }

  /** Takes events until a case says that it is enough; returns false if the watch ended before. */
  boolean readUntil(OpenWatch<T> watch, WatchEvent.Cases<T, Boolean> enough)
      throws InterruptedException {
    Optional<WatchEvent<T>> event = watch.next();
    while (event.isPresent()) {
      if (!OpenWatch.isNoAnswer(event.get())) {
        vitals.event();
      }
      if (event.get().match(enough)) {
        return true;
      }
      event = watch.next();
    }
    return false;
  }

  /** Closes the watch that is open, if any, and lets go of it. */
  void close() {
    OpenWatch<T> watch = current;
    if (watch != null) {
      current = null;
      watch.close();
    }
  }

  /** Ends the watch that is open, if any; its reader sees why, and lets go of it. */
  void end(@Nullable RuntimeException cause) {
    OpenWatch<T> watch = current;
    if (watch == null) {
      return;
    }
    if (cause == null) {
      watch.close();
    } else {
      watch.end(cause);
    }
  }
}
