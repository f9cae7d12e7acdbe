package dev.clientgo.cache.internal.reflector;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.internal.threads.Timers;
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
public final class CurrentWatch<T> {

  private final String name;
  private final WatchFunction<T> source;
  private final ReflectorHealth health;
  private final Clock clock;
  private final RandomGenerator random;
  private final Duration minTimeout;
  private final Timers timers;
  private final ReflectorShard shard;
  private final @Nullable EventObserver<T> observer;

  /**
   * Sees each event before it is handled. May block.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  public interface EventObserver<T> {

    /** Sees an event. */
    void received(WatchEvent<T> event) throws InterruptedException;
  }

  private volatile @Nullable OpenWatch<T> current;
  private volatile boolean stopped;

  /**
   * Creates an instance without an open watch.
   *
   * @param timers end a watch that is silent for too long
   * @param observer sees each event; null if there is none
   */
  public CurrentWatch(
      WatchFunction<T> source,
      ReflectorSettings settings,
      ReflectorHealth health,
      Timers timers,
      ReflectorShard shard,
      @Nullable EventObserver<T> observer) {
    this.name = settings.name();
    this.source = source;
    this.health = health;
    this.clock = settings.clock();
    this.random = settings.random();
    this.minTimeout = settings.minWatchTimeout();
    this.timers = timers;
    this.shard = shard;
    this.observer = observer;
  }

  /**
   * Returns how long the server should keep the next watch open. It is random, so that the watches
   * of many clients do not end at the same time.
   */
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
    // Before the request: some proxies withhold the headers of the response until the first event.
    long start = clock.nanoTime();
    Duration timeout = requireNonNull(request.timeout(), "timeout");
    OpenWatch<T> watch = new OpenWatch<>(this, source.watch(request), timeout, start);
    current = watch;
    endForShard(); // It may have been called before this watch was the current one.
    return watch;
  }

  @Nullable OpenWatch<T> get() {
    return current;
  }

  /** Closes the watch that is open, if any, and forgets it. */
  public void close() {
    OpenWatch<T> watch = current;
    if (watch != null) {
      current = null;
      watch.close();
    }
  }

  /** Ends the watch that is open, if any, because of an error elsewhere. */
  public void end(RuntimeException cause) {
    OpenWatch<T> watch = current;
    if (watch != null) {
      watch.endedBy = cause;
      watch.watch.close();
    }
  }

  /** Ends the watch that is open, if any, because another shard is wanted. */
  public void endForShard() {
    OpenWatch<T> watch = current;
    if (watch != null && shard.hasChanged()) {
      watch.endedForShard = true;
      watch.watch.close();
    }
  }

  /** Ends the watch that is open, if any, and opens no more. */
  public void stop() {
    stopped = true;
    OpenWatch<T> watch = current;
    if (watch != null) {
      watch.close();
    }
  }

  /**
   * An open watch: its age, the number of its events, the time since the last one, and the reason
   * if the Reflector ended it. It ends itself when it is silent for too long.
   *
   * <p>The Reflector's thread reads events; its timers, and the thread that stops it, end the
   * watch.
   */
  static final class OpenWatch<T> {

    private static final Duration SHORT = Duration.ofSeconds(1);

    /** How long a watch may be silent after the server should have ended it. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final CurrentWatch<T> owner;
    private final Clock clock;
    private final Watch<T> watch;
    private final Duration timeout;
    private final long start;

    private long events;
    private volatile long lastSignOfLife;
    private volatile boolean endedForSilence;
    private volatile boolean endedForShard;
    private volatile @Nullable RuntimeException endedBy;

    /** Only the Reflector's thread sets and cancels it. */
    private Timers.@Nullable Timer guard;

    private OpenWatch(CurrentWatch<T> owner, Watch<T> watch, Duration timeout, long start) {
      this.owner = owner;
      this.clock = owner.clock;
      this.watch = watch;
      this.timeout = timeout;
      this.start = start;
      this.lastSignOfLife = clock.nanoTime();
    }

    /** Reads events until a case returns true; returns false if the watch ends before that. */
    boolean readUntil(WatchEvent.Cases<T, Boolean> enough) throws InterruptedException {
      Optional<WatchEvent<T>> event = next();
      while (event.isPresent()) {
        if (event.get().match(enough)) {
          return true;
        }
        event = next();
      }
      return false;
    }

    private Optional<WatchEvent<T>> next() throws InterruptedException {
      // A watch that has events ready may not check the flag.
      if (Thread.interrupted()) {
        throw new InterruptedException("the reflector is stopped");
      }
      Optional<WatchEvent<T>> event = watch.next();
      if (event.isPresent()) {
        if (isFromServer(event.get())) {
          events++;
          owner.health.event();
        }
        if (owner.observer != null) {
          owner.observer.received(event.get());
        }
        lastSignOfLife = clock.nanoTime();
      }
      return event;
    }

    /** Returns false for the event that reports a lost connection. */
    private static boolean isFromServer(WatchEvent<?> event) {
      return !(event instanceof WatchEvent.Failed<?> failed
          && failed.error() instanceof TransportException);
    }

    /** Returns how many events the server sent. */
    long events() {
      return events;
    }

    Duration age() {
      return Duration.ofNanos(clock.nanoTime() - start);
    }

    /** Returns whether the watch is younger than a second, so that it should not have ended. */
    boolean isShort() {
      return age().compareTo(SHORT) < 0;
    }

    /** Ends the watch if it is silent for longer than that. Replaces the limit set before. */
    void endIfSilent(Duration silence) {
      guard(silence, silence);
    }

    /** Ends the watch if it is silent after the server should have ended it; as above. */
    void endIfOverdue() {
      guard(timeout.plus(GRACE), GRACE);
    }

    private void guard(Duration age, Duration silence) {
      if (guard != null) {
        guard.cancel();
      }
      Duration untilAge = age.minus(age());
      Duration first = untilAge.compareTo(silence) > 0 ? untilAge : silence;
      guard = owner.timers.after(owner.name + " watchdog", first, () -> checkSilence(silence));
    }

    private Optional<Duration> checkSilence(Duration silence) {
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

    /** Returns whether it was ended because another shard was wanted, perhaps for a moment. */
    boolean isEndedForShard() {
      return endedForShard;
    }

    /** Returns the error that made the Reflector end the watch, if it did. */
    @Nullable RuntimeException endedBy() {
      return endedBy;
    }

    private void close() {
      if (guard != null) {
        guard.cancel();
      }
      watch.close();
    }
  }
}
