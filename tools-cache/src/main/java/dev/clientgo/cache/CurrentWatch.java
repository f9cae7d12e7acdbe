package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Opens the watches of a Reflector, one at a time, and holds the one that is open.
 *
 * <p>The Reflector's thread opens watches and reads them. Any thread may end the one that is open.
 *
 * @param <T> the type of the objects
 */
final class CurrentWatch<T> {

  private final ListerWatcher<T> listerWatcher;
  private final ReflectorHealth health;
  private final Clock clock;
  private final RandomGenerator random;
  private final Duration minTimeout;
  private final Timers timers;

  private volatile @Nullable OpenWatch<T> current;
  private volatile boolean stopped;

  /**
   * Creates an instance.
   *
   * @param timers end a watch that is silent for too long
   */
  CurrentWatch(
      ListerWatcher<T> listerWatcher,
      ReflectorOptions options,
      ReflectorHealth health,
      Timers timers) {
    this.listerWatcher = listerWatcher;
    this.health = health;
    this.clock = options.clock();
    this.random = options.random();
    this.minTimeout = options.minWatchTimeout();
    this.timers = timers;
  }

  /** Returns when the server should end a watch: not all clients' watches at the same time. */
  Duration timeout() {
    long min = minTimeout.toSeconds();
    return Duration.ofSeconds(min + (long) (random.nextDouble() * min));
  }

  /**
   * Opens a watch.
   *
   * @throws CancellationException if the Reflector is stopped
   */
  OpenWatch<T> open(ListOptions request) throws InterruptedException {
    if (stopped) {
      throw new CancellationException("the reflector is stopped");
    }
    long start = clock.nanoTime();
    Duration timeout = requireNonNull(request.timeout(), "timeout");
    OpenWatch<T> watch =
        new OpenWatch<>(listerWatcher.watch(request), timeout, start, clock, timers);
    current = watch;
    return watch;
  }

  @Nullable OpenWatch<T> get() {
    return current;
  }

  /** Reads events until a case returns true; returns false if the watch ends before that. */
  boolean readUntil(OpenWatch<T> watch, WatchEvent.Cases<T, Boolean> enough)
      throws InterruptedException {
    Optional<WatchEvent<T>> event = watch.next();
    while (event.isPresent()) {
      if (!OpenWatch.isNoAnswer(event.get())) {
        health.event();
      }
      if (event.get().match(enough)) {
        return true;
      }
      event = watch.next();
    }
    return false;
  }

  /** Closes the watch that is open, if any, and forgets it. */
  void close() {
    OpenWatch<T> watch = current;
    if (watch != null) {
      current = null;
      watch.close();
    }
  }

  /** Ends the watch that is open, if any, because something else has failed. */
  void end(RuntimeException cause) {
    OpenWatch<T> watch = current;
    if (watch != null) {
      watch.end(cause);
    }
  }

  /** Ends the watch that is open, if any, and opens no other. */
  void stop() {
    stopped = true;
    OpenWatch<T> watch = current;
    if (watch != null) {
      watch.close();
    }
  }
}
