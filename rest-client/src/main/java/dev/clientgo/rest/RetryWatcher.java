package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A watch that survives the end of its connection: it opens another watch at the last version seen,
 * at most once per second.
 *
 * <p>It ends when it is closed, when the server no longer has the version or has not reached it
 * yet, when the server rejects the watch, or when the client is closed. Unless it was closed, its
 * last event is the error; only a list shows the changes since. It uses bookmarks and does not
 * return them. Like any watch it is for one thread; any thread may close it.
 *
 * <p>Corresponds to client-go's {@code tools/watch.RetryWatcher}. Unlike client-go: it also ends if
 * the version has expired when a watch is opened, if an object has no version, and if the version
 * is too new, as after a restore of etcd. A server accepts a watch from a future version and stays
 * silent; {@link ResourceClient#retryWatcher} makes a watcher that detects this.
 *
 * @param <T> the type of the objects
 */
public final class RetryWatcher<T extends KubernetesObject> implements Watch<T> {

  private static final Logger LOG = System.getLogger(RetryWatcher.class.getName());
  private static final String FAILED = "Cannot open a watch, retrying: {0}";
  private static final String NOT_CHECKED = "Cannot check the version of a watch: {0}";
  private static final String BROKEN = "A watch has ended, opening another: {0}";

  private static final Duration BETWEEN_OPENINGS = Duration.ofSeconds(1);

  /**
   * Opens watches; {@link ResourceClient#watch} is one.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  public interface Source<T> {
    /** Opens a watch. */
    Watch<T> watch(ListOptions options) throws InterruptedException;
  }

  /** The time without event or bookmark after which the version is checked. */
  private static final Duration QUIET = Duration.ofMinutes(5);

  /** Asks whether the server has reached a version, and throws its error if not. */
  interface Probe {
    void require(String version) throws InterruptedException;
  }

  private final ListOptions options;
  private final Source<T> source;
  private final Probe probe;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private @Nullable Watch<T> current;

  // Used only by the thread that calls next().
  private String resourceVersion;
  private Duration pause = Duration.ZERO;
  private long quietSince;

  private RetryWatcher(ListOptions options, Source<T> source, Probe probe, Clock clock) {
    this.options = options.toBuilder().allowWatchBookmarks(true).build();
    this.resourceVersion = requireNonNull(options.resourceVersion(), "resourceVersion");
    this.source = requireNonNull(source, "source");
    this.probe = probe;
    this.clock = requireNonNull(clock, "clock");
    change = clock.newCondition(lock);
    this.quietSince = clock.nanoTime();
  }

  /**
   * Returns a watcher. It opens no watch before the first call of {@link #next}.
   *
   * @param options select the objects, with the resourceVersion after which to begin
   * @param source opens the watches
   * @throws IllegalArgumentException if the resourceVersion is absent, empty or {@code "0"}, so
   *     that the server would choose another version each time
   */
  public static <T extends KubernetesObject> RetryWatcher<T> create(
      ListOptions options, Source<T> source) {
    return create(options, source, Clock.system());
  }

  static <T extends KubernetesObject> RetryWatcher<T> create(
      ListOptions options, Source<T> source, Clock clock) {
    return create(options, source, version -> {}, clock);
  }

  static <T extends KubernetesObject> RetryWatcher<T> create(
      ListOptions options, Source<T> source, Probe probe, Clock clock) {
    String version = options.resourceVersion();
    if (version == null || version.isEmpty() || version.equals("0")) {
      throw new IllegalArgumentException(
          "a RetryWatcher needs the resourceVersion of a list, not \"" + version + '"');
    }
    return new RetryWatcher<>(options, source, probe, clock);
  }

  @Override
  public Optional<WatchEvent<T>> next() throws InterruptedException {
    while (true) {
      Watch<T> watch = watch();
      if (watch == null) {
        Optional<WatchEvent<T>> refused = open();
        if (refused.isPresent() || isClosed()) {
          return refused;
        }
        continue;
      }
      Optional<WatchEvent<T>> event = watch.next();
      if (event.isEmpty()) {
        leave(watch);
        Optional<WatchEvent<T>> refused = requireVersionIsThere();
        if (refused.isPresent()) {
          return refused;
        }
        continue;
      }
      Optional<WatchEvent<T>> handedOn = event.get().match(new Handling(event.get(), watch));
      if (handedOn.isPresent()) {
        return handedOn;
      }
    }
  }

  /** Returns the event if the caller should see it, else empty. */
  private final class Handling implements WatchEvent.Cases<T, Optional<WatchEvent<T>>> {
    private final WatchEvent<T> event;
    private final Watch<T> watch;

    Handling(WatchEvent<T> event, Watch<T> watch) {
      this.event = event;
      this.watch = watch;
    }

    @Override
    public Optional<WatchEvent<T>> added(T object) {
      return object(object);
    }

    @Override
    public Optional<WatchEvent<T>> modified(T object) {
      return object(object);
    }

    @Override
    public Optional<WatchEvent<T>> deleted(T object) {
      return object(object);
    }

    private Optional<WatchEvent<T>> object(T object) {
      String version = object.metadata().resourceVersion();
      return version == null || version.isEmpty() ? unversioned() : reached(version, event);
    }

    @Override
    public Optional<WatchEvent<T>> bookmark(String version, boolean initialEventsEnd) {
      return version.isEmpty() ? unversioned() : reached(version, null);
    }

    private Optional<WatchEvent<T>> reached(String version, @Nullable WatchEvent<T> handedOn) {
      resourceVersion = version;
      quietSince = clock.nanoTime();
      return Optional.ofNullable(handedOn);
    }

    private Optional<WatchEvent<T>> unversioned() {
      return last(ApiStatusException.internalError("the watch sent an object without a version"));
    }

    @Override
    public Optional<WatchEvent<T>> failed(KubernetesException error) {
      if (error instanceof CodecException codec && codec.isRecoverable()) {
        return Optional.of(event); // One object cannot be decoded; the watch continues.
      }
      if (error instanceof ApiStatusException status) {
        if (isUnreachable(status)) {
          return last(status);
        }
        pause = longer(BETWEEN_OPENINGS, status.retryAfter().orElse(Duration.ZERO));
      }
      boolean lost = error instanceof TransportException;
      LOG.log(lost ? Level.DEBUG : Level.WARNING, BROKEN, error.getMessage());
      leave(watch);
      return Optional.empty();
    }
  }

  /** Checks the version after a long silence; returns the error if it is not reachable. */
  private Optional<WatchEvent<T>> requireVersionIsThere() throws InterruptedException {
    if (isClosed() || clock.nanoTime() - quietSince < QUIET.toNanos()) {
      return Optional.empty();
    }
    quietSince = clock.nanoTime();
    try {
      probe.require(resourceVersion);
    } catch (ApiStatusException e) {
      if (isUnreachable(e)) {
        return last(e);
      }
      LOG.log(Level.DEBUG, NOT_CHECKED, e.getMessage()); // The user may lack the right to list.
    } catch (KubernetesException e) {
      LOG.log(Level.DEBUG, NOT_CHECKED, e.getMessage());
    }
    return Optional.empty();
  }

  /** Opens the next watch; returns the error if no later attempt can succeed. */
  private Optional<WatchEvent<T>> open() throws InterruptedException {
    if (!pause()) {
      return Optional.empty();
    }
    pause = BETWEEN_OPENINGS;
    try {
      keep(source.watch(options.toBuilder().resourceVersion(resourceVersion).build()));
    } catch (ApiStatusException e) {
      if (isUnreachable(e) || isRefused(e)) {
        return last(e);
      }
      pause = longer(BETWEEN_OPENINGS, e.retryAfter().orElse(Duration.ZERO));
      LOG.log(Level.WARNING, FAILED, e.getMessage());
    } catch (TransportException e) {
      if (e.kind() == TransportException.Kind.CLIENT_CLOSED) {
        return last(e);
      }
      LOG.log(Level.DEBUG, FAILED, e.getMessage());
    } catch (KubernetesException e) {
      LOG.log(Level.WARNING, FAILED, e.getMessage());
    }
    return Optional.empty(); // The next attempt may succeed.
  }

  /** Returns whether the server no longer has the version, or has not reached it yet. */
  static boolean isUnreachable(ApiStatusException e) {
    return e.isResourceExpired() || e.isGone() || e.isTooLargeResourceVersion();
  }

  /** Returns whether every later attempt would get the same error. */
  private static boolean isRefused(ApiStatusException e) {
    return e.isForbidden()
        || e.isUnauthorized()
        || e.isBadRequest()
        || e.isInvalid()
        || e.isMethodNotSupported();
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  private Optional<WatchEvent<T>> last(KubernetesException error) {
    close();
    return Optional.of(new WatchEvent.Failed<>(error));
  }

  /** Waits until the next watch may be opened; returns false if this watcher is closed. */
  private boolean pause() throws InterruptedException {
    Deadline deadline = clock.deadline(pause);
    lock.lock();
    try {
      while (!closed && deadline.await(lock, change)) {}
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Watch<T> watch() {
    lock.lock();
    try {
      return current;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private void keep(Watch<T> watch) {
    lock.lock();
    try {
      if (!closed) {
        current = watch;
        return;
      }
    } finally {
      lock.unlock();
    }
    watch.close();
  }

  private void leave(Watch<T> watch) {
    watch.close();
    lock.lock();
    try {
      current = null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Watch<T> open;
    lock.lock();
    try {
      closed = true;
      open = current;
      current = null;
      change.signalAll();
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.close();
    }
  }
}
