package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A watch that a Reflector has open, with its age, the number of its events, the time since the
 * last one, and the reason if the Reflector ended it. It ends itself when it is silent for too
 * long.
 *
 * <p>The Reflector's thread reads events; its timers, and the thread that stops it, end the watch.
 *
 * @param <T> the type of the objects
 */
final class OpenWatch<T> implements AutoCloseable {

  private static final Duration SHORT = Duration.ofSeconds(1);

  private final Watch<T> watch;
  private final Clock clock;
  private final Timers timers;
  private final Duration timeout;
  private final long start;

  private long events;
  private volatile long lastSignOfLife;
  private volatile boolean endedForSilence;
  private volatile @Nullable RuntimeException endedBy;

  /** Only the Reflector's thread sets and cancels it. */
  private Timers.@Nullable Timer guard;

  /**
   * Creates an instance.
   *
   * @param timeout when the server was asked to end it
   * @param start when the request was sent: some proxies withhold the headers of the answer until
   *     the first event
   */
  OpenWatch(Watch<T> watch, Duration timeout, long start, Clock clock, Timers timers) {
    this.watch = watch;
    this.clock = clock;
    this.timers = timers;
    this.timeout = timeout;
    this.start = start;
    this.lastSignOfLife = clock.nanoTime();
  }

  Optional<WatchEvent<T>> next() throws InterruptedException {
    // A watch with events at hand may never look.
    if (Thread.interrupted()) {
      throw new InterruptedException("the reflector is stopped");
    }
    Optional<WatchEvent<T>> event = watch.next();
    if (event.isPresent()) {
      if (!isNoAnswer(event.get())) {
        events++;
      }
      lastSignOfLife = clock.nanoTime();
    }
    return event;
  }

  /** Returns when the server was asked to end it. */
  Duration timeout() {
    return timeout;
  }

  /** Returns whether there was no connection to get an event from. */
  static boolean isNoAnswer(WatchEvent<?> event) {
    return event instanceof WatchEvent.Failed<?> failed
        && failed.error() instanceof TransportException;
  }

  /** Returns how many events the server sent. */
  long events() {
    return events;
  }

  Duration age() {
    return Duration.ofNanos(clock.nanoTime() - start);
  }

  /** Returns whether it is younger than a second: it should not have ended. */
  boolean isShort() {
    return age().compareTo(SHORT) < 0;
  }

  /**
   * Ends the watch once it has been silent for some time. Replaces the limit that was set before.
   *
   * @param age up to which age it may be silent
   * @param silence how long it may be silent after that
   */
  void endIfSilent(Duration age, Duration silence) {
    if (guard != null) {
      guard.cancel();
    }
    Duration untilAge = age.minus(age());
    guard =
        timers.after(
            untilAge.compareTo(silence) > 0 ? untilAge : silence, () -> endIfSilent(silence));
  }

  private Optional<Duration> endIfSilent(Duration silence) {
    Duration left = silence.minusNanos(clock.nanoTime() - lastSignOfLife);
    if (!left.isNegative() && !left.isZero()) {
      return Optional.of(left);
    }
    endedForSilence = true;
    watch.close();
    return Optional.empty();
  }

  boolean isEndedForSilence() {
    return endedForSilence;
  }

  /** Ends the watch because something else has failed. */
  void end(RuntimeException cause) {
    endedBy = cause;
    watch.close();
  }

  @Nullable RuntimeException endedBy() {
    return endedBy;
  }

  @Override
  public void close() {
    if (guard != null) {
      guard.cancel();
    }
    watch.close();
  }
}
