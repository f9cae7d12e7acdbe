package dev.clientgo.remotecommand.logs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of one container of one pod, through its restarts.
 *
 * <p>It needs a thread only while an instance runs or was not read yet. The position in the log is
 * kept from instance to instance, so a line is passed on once, whichever request has brought it.
 */
final class ContainerFollower implements Runnable {

  /** Receives the lines and the errors of all containers. */
  interface Owner {
    /** There is something to read. */
    void start(ContainerFollower follower);

    void line(LogLine line) throws InterruptedException;

    /** Reading has failed; it continues. */
    void failed(KubernetesException e);

    /** Reading has failed for a reason that concerns all containers. */
    void refused(ApiStatusException e);

    /** There is nothing more to read for now. */
    void ended(ContainerFollower follower);
  }

  /** How long a server may be away before that is reported. */
  private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(1);

  /** How long a log that has ended is not asked for again if its container still runs. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The pauses after a cut, which double until a line arrives. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final PodLogs log;
  private final Owner owner;
  private final boolean follows;
  private final Clock clock;
  private final LinePosition position = new LinePosition();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  /** The log from the beginning that the caller wants; after the first request the whole log. */
  private PodLogs wanted;

  @GuardedBy("lock")
  private ContainerInstance instance = new ContainerInstance(0, false, false);

  /** The instance that was read last. */
  @GuardedBy("lock")
  private @Nullable ContainerInstance read;

  @GuardedBy("lock")
  private boolean isActive;

  @GuardedBy("lock")
  private boolean isGone;

  @GuardedBy("lock")
  private @Nullable LogLines lines;

  ContainerFollower(PodLogs log, PodLogs wanted, Owner owner, boolean follows, Clock clock) {
    this.log = log;
    this.wanted = wanted;
    this.owner = owner;
    this.follows = follows;
    this.clock = clock;
    this.changed = clock.newCondition(lock);
  }

  /** Notes the state of the container. */
  void update(ContainerInstance now) {
    lock.lock();
    try {
      instance = now;
      changed.signalAll();
      if (isActive || isGone || !isUnreadLocked()) {
        return;
      }
      isActive = true;
    } finally {
      lock.unlock();
    }
    owner.start(this);
  }

  /** Notes that the pod is deleted. What the server still sends is read. */
  void remove() {
    lock.lock();
    try {
      isGone = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends reading at once. */
  void close() {
    remove();
    lock.lock();
    try {
      if (lines != null) {
        lines.close();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isUnreadLocked() {
    return instance.hasStarted() && (read == null || read.restarts() != instance.restarts());
  }

  @Override
  public void run() {
    try {
      for (Optional<ContainerInstance> next = take(); next.isPresent(); next = take()) {
        read(next.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed; the thread ends.
    } catch (ApiStatusException e) {
      owner.refused(e);
    } finally {
      owner.ended(this);
    }
  }

  /** Waits for an instance to read; empty if there is none for now. */
  private Optional<ContainerInstance> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      boolean hasWaited = false;
      while (true) {
        if (!isGone && (isUnreadLocked() || (hasWaited && instance.isRunning()))) {
          return Optional.of(instance);
        }
        if (isGone || !follows || !instance.isRunning()) {
          isActive = false;
          return Optional.empty();
        }
        // The log has ended, but the container runs: its status is late, or the connection was cut
        // in a way that looks like the end.
        hasWaited = !clock.await(lock, changed, PAUSE);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reads an instance to its end, however often the connection breaks. */
  private void read(ContainerInstance next) throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    End end;
    do {
      Optional<Instant> before = position.last();
      end = readOnce();
      if (end == End.CUT) {
        pause = position.last().equals(before) ? longer(pause) : FIRST_PAUSE;
        clock.sleep(pause);
      }
    } while (end == End.CUT);
    lock.lock();
    try {
      if (end == End.WHOLE || !follows) {
        read = next;
      }
    } finally {
      lock.unlock();
    }
    if (end == End.NOTHING && follows) {
      clock.sleep(PAUSE);
    }
  }

  private static Duration longer(Duration pause) {
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
  }

  /** How a request ended. */
  private enum End {
    NOTHING,
    CUT,
    WHOLE
  }

  /**
   * Reads what is new. If the container was started again since the last request, that is the end
   * of the instance before and the current one. Only after the request for the current one is it
   * certain which is the one before.
   */
  private End readOnce() throws InterruptedException {
    LogLines current = open(follows ? wanted.follow() : wanted);
    if (current == null) {
      return End.NOTHING;
    }
    try (current) {
      if (position.last().isPresent()) {
        LogLines previous = open(log.previous());
        if (previous != null) {
          try (previous) {
            if (!pass(previous)) {
              return End.CUT;
            }
          }
          remember(current);
        }
      }
      wanted = log;
      position.restart(); // The lines of the instance before have moved it.
      return pass(current) ? End.WHOLE : End.CUT;
    }
  }

  /**
   * Passes lines on.
   *
   * @return false if the connection broke before the end
   */
  private boolean pass(LogLines from) throws InterruptedException {
    try {
      for (Optional<LogLine> line = from.next(); line.isPresent(); line = from.next()) {
        owner.line(line.get());
      }
      return true;
    } catch (TransportException e) {
      refuseClosed(e);
      return false;
    }
  }

  /** Returns null if the server has no such log. */
  private @Nullable LogLines open(PodLogs from) throws InterruptedException {
    long start = clock.nanoTime();
    boolean reported = false;
    while (true) {
      KubernetesException failure;
      try {
        LogLines opened = new LogLines(from, Duration.ZERO, clock, position);
        remember(opened);
        return opened;
      } catch (TransportException e) {
        refuseClosed(e);
        failure = e;
      } catch (ApiStatusException e) {
        if (!mayPass(e)) {
          reportUnlessFollowed(e);
          return null;
        }
        failure = e;
      }
      if (!reported && clock.nanoTime() - start > LONGEST_OUTAGE.toNanos()) {
        owner.failed(failure);
        reported = true;
        if (!follows) {
          return null;
        }
      }
      clock.sleep(PAUSE);
    }
  }

  /** Notes which lines {@link #close} has to close. */
  private void remember(LogLines opened) {
    lock.lock();
    try {
      lines = opened;
    } finally {
      lock.unlock();
    }
  }

  /** A log that is followed may be there later; any other is left out. */
  private void reportUnlessFollowed(ApiStatusException e) {
    if (!follows) {
      owner.failed(e);
    }
  }

  private static void refuseClosed(TransportException e) throws InterruptedException {
    if (e.kind() == TransportException.Kind.CLIENT_CLOSED) {
      InterruptedException closed = new InterruptedException("the log or the client is closed");
      closed.initCause(e);
      throw closed;
    }
  }

  /**
   * Returns whether a log may be there later, after an error of the server.
   *
   * @throws ApiStatusException if the user may read no logs
   */
  private static boolean mayPass(ApiStatusException e) {
    if (e.isForbidden() || e.isUnauthorized()) {
      throw e;
    }
    Integer code = e.status().code();
    return e.isTooManyRequests() || (code != null && code >= 500);
  }

  /** Returns the pod and the container. */
  @Override
  public String toString() {
    return log.toString();
  }
}
