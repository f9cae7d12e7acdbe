package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.cache.internal.errors.OmittedTracker;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last list, event and error of a Reflector. The Reflector's thread writes, any thread may
 * read.
 */
public final class ReflectorHealth {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  private static final Duration WARNING_INTERVAL = Duration.ofMinutes(1);

  /** When the server confirmed the store, by the wall clock and by the monotonic one. */
  private record Confirmation(Instant time, long nanos) {}

  private final Clock clock;

  private volatile @Nullable Instant lastList;
  private volatile @Nullable Instant lastEvent;
  private volatile @Nullable Confirmation confirmation;
  private volatile @Nullable RuntimeException lastError;
  private volatile @Nullable Instant lastErrorTime;

  /**
   * Since when the server has answered that there is no such resource; null if its last answer was
   * another. By the monotonic clock, because the wall clock may be set.
   */
  private volatile @Nullable Long missingSince;

  /** The objects of the last list, and of the watches after it, that did not reach the store. */
  private volatile OmittedTracker omitted = new OmittedTracker();

  /** The objects that the store refused; the Controller writes. */
  private final OmittedTracker refused = new OmittedTracker();

  /** Used by the Reflector's thread only. */
  private @Nullable String lastWarning;

  private long lastWarningTime;

  /** Creates the record of a Reflector that has not been started. */
  public ReflectorHealth(Clock clock) {
    this.clock = clock;
  }

  /** Records that the whole collection was read, except for the given objects. */
  public void listed(OmittedTracker omittedFromList) {
    omitted = omittedFromList;
    lastList = clock.now();
    missingSince = null;
    confirmed();
  }

  /** Returns the objects of the last list, and of the watches after it, that the store lacks. */
  public OmittedTracker omitted() {
    return omitted;
  }

  /** Returns the objects that the store refused, because an index function failed on them. */
  public OmittedTracker refused() {
    return refused;
  }

  /** Records an event of a watch; it may be an error, or part of a list that is never complete. */
  void event() {
    lastEvent = clock.now();
  }

  /** Records that the server has sent a list, a change or a bookmark that goes into the store. */
  public void confirmed() {
    confirmation = new Confirmation(clock.now(), clock.nanoTime());
  }

  /** Records an error. */
  public void failed(RuntimeException error) {
    lastError = error;
    lastErrorTime = clock.now();
    if (!ServerErrors.isNotFound(error)) {
      missingSince = null;
    } else if (missingSince == null) {
      missingSince = clock.nanoTime();
    }
  }

  /**
   * Records that the server refused a watch before it processed the request, and that the Reflector
   * will ask again.
   *
   * <p>Before the first list, programs wait for the collection, so this logs a warning, once a
   * minute. Later it is routine, for instance when a server restarts.
   */
  void watchRefused(String reflector, KubernetesException error) {
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

  /** Returns whether the same error was logged as a warning within the last minute. */
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

  /** Returns whether the server has answered for that long that there is no such resource. */
  public boolean isMissingFor(Duration duration) {
    Long since = missingSince;
    return since != null && clock.nanoTime() - since >= duration.toNanos();
  }

  /** Returns the time at which the whole collection was last read. */
  public @Nullable Instant lastList() {
    return lastList;
  }

  /** Returns the time at which the last event of a watch arrived. */
  public @Nullable Instant lastEvent() {
    return lastEvent;
  }

  /** Returns the time at which the server last confirmed the store. */
  public @Nullable Instant lastConfirmed() {
    Confirmation last = confirmation;
    return last == null ? null : last.time;
  }

  /** Returns how long ago {@link #lastConfirmed} was, null if it never was. */
  public @Nullable Duration age() {
    Confirmation last = confirmation;
    if (last == null) {
      return null;
    }
    // The wall clock may be set back; the other one may stop while the machine sleeps.
    Duration passed = Duration.ofNanos(clock.nanoTime() - last.nanos);
    Duration wall = Duration.between(last.time, clock.now());
    return wall.compareTo(passed) > 0 ? wall : passed;
  }

  /** Returns the last error. */
  public @Nullable RuntimeException lastError() {
    return lastError;
  }

  /** Returns the time of the last error. */
  public @Nullable Instant lastErrorTime() {
    return lastErrorTime;
  }
}
