package dev.clientgo.leaderelection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RequestGuard;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The time during which this process leads, and the clients that can write only then.
 *
 * <pre>{@code
 * .onStartedLeading(term -> {
 *   ResourceClient<ConfigMap> maps = term.client().resource(ConfigMap.TYPE).inNamespace("shop");
 *   ...
 * })
 * }</pre>
 *
 * <p><b>Fencing.</b> A term has a deadline. Each renewal of the Lease moves it to 90 % of the lease
 * duration after the moment <em>before</em> the renewal was sent. Another candidate can take the
 * Lease only when the whole lease duration has passed after the renewal reached the server. So the
 * deadline comes first, as long as no clock runs more than 11 % faster than another; the time that
 * clocks show does not matter.
 *
 * <p>The clients of a term read the deadline before each attempt of a write (POST, PUT, PATCH,
 * DELETE), retries included, and refuse it with a {@link LeadershipLostException} when the deadline
 * has passed. They also cancel the writes that wait for a response at that time. Reads are never
 * refused. The check needs no thread: a process that was stopped for a minute cannot write when it
 * goes on.
 *
 * <p>A write that was sent in time can take effect late, if the network or the server delays it. A
 * leader that must exclude this too writes with a {@code resourceVersion}, as {@code update} does.
 * The deadline is measured by the monotonic clock of the machine, which stands still while a whole
 * machine is suspended.
 *
 * <p>A term that has ended never begins again. Safe for use by many threads. Unlike client-go,
 * where leadership that ends only cancels a context.
 */
public final class LeadershipTerm {

  private final LeaseLock lock;
  private final String identity;
  private final Clock clock;
  private final Guard guard = new Guard();
  private final RESTClient fenced;

  /** Cancel the writes that wait for a response. Compared by identity. */
  private final Set<InFlight> inFlight = ConcurrentHashMap.newKeySet();

  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition changed;

  /** The reading of the clock at which the term ends unless it is renewed. */
  @GuardedBy("mutex")
  private long deadline;

  @GuardedBy("mutex")
  private @Nullable End end;

  /** When and why a term has ended. */
  private record End(Instant since, String reason) {}

  /** A write that waits for a response. */
  private static final class InFlight {
    final Runnable cancel;

    InFlight(Runnable cancel) {
      this.cancel = cancel;
    }
  }

  LeadershipTerm(RESTClient client, LeaseLock lock, String identity, Clock clock, long deadline) {
    this.lock = lock;
    this.identity = identity;
    this.clock = clock;
    changed = clock.newCondition(mutex);
    this.deadline = deadline;
    this.fenced = client.guardedBy(guard);
  }

  /** Returns the lock that this process holds. */
  public LeaseLock lock() {
    return lock;
  }

  /** Returns the identity under which this process leads. */
  public String identity() {
    return identity;
  }

  /** Returns the client of the elector, fenced. Its {@code close()} does nothing. */
  public RESTClient client() {
    return fenced;
  }

  /**
   * Returns a client that can write only during this term. It shares everything else with the given
   * client, and works until that one is closed; its own {@code close()} does nothing.
   */
  public RESTClient fence(RESTClient client) {
    return client.guardedBy(guard);
  }

  /** Returns whether this process no longer leads, so that writes are refused. */
  public boolean isOver() {
    return over() != null;
  }

  /** Returns the time until the deadline as the last renewal has set it; zero if it has passed. */
  public Duration left() {
    mutex.lock();
    try {
      return Duration.ofNanos(Math.max(0, leftLocked()));
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Returns if this process leads; for actions other than requests.
   *
   * @throws LeadershipLostException if the term is over
   */
  public void check() {
    End over = over();
    if (over != null) {
      throw new LeadershipLostException(
          "the action", lock, identity, over.since, over.reason, false, null);
    }
  }

  /**
   * Waits until the term is over.
   *
   * @throws InterruptedException if the thread is interrupted, as the one of {@link
   *     LeaderCallbacks#onStartedLeading} is when the term ends
   */
  public void awaitEnd() throws InterruptedException {
    mutex.lockInterruptibly();
    try {
      for (long left; (left = leftLocked()) > 0; ) {
        clock.await(mutex, changed, Duration.ofNanos(left));
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Returns the reading of the clock at which the term ends unless it is renewed. */
  long deadline() {
    mutex.lock();
    try {
      return deadline;
    } finally {
      mutex.unlock();
    }
  }

  /** Moves the deadline, unless the term is over. Returns whether the process still leads. */
  boolean renew(long newDeadline) {
    mutex.lock();
    try {
      if (leftLocked() <= 0) {
        return false;
      }
      deadline = newDeadline;
      return leftLocked() > 0;
    } finally {
      mutex.unlock();
    }
  }

  /** Ends the term and cancels the writes in flight. Does nothing the second time. */
  void end(String reason) {
    mutex.lock();
    try {
      if (end == null) {
        end = overLocked();
        if (end == null) {
          end = new End(clock.now(), reason);
        }
        changed.signalAll();
      }
    } finally {
      mutex.unlock();
    }
    inFlight.forEach(write -> write.cancel.run());
  }

  private @Nullable End over() {
    mutex.lock();
    try {
      return overLocked();
    } finally {
      mutex.unlock();
    }
  }

  @GuardedBy("mutex")
  private @Nullable End overLocked() {
    if (end != null) {
      return end;
    }
    long late = clock.nanoTime() - deadline;
    return late < 0
        ? null
        : new End(clock.now().minusNanos(late), "the lease was not renewed in time");
  }

  @GuardedBy("mutex")
  private long leftLocked() {
    return end != null ? 0 : deadline - clock.nanoTime();
  }

  @Override
  public String toString() {
    return '"' + identity + "\" leads by the lease " + lock;
  }

  /** Refuses and cancels writes. */
  private final class Guard implements RequestGuard {

    @Override
    public void check(String method, String path) {
      End over = isWrite(method) ? over() : null;
      if (over != null) {
        throw lost(method, path, over, /* sent= */ false, null);
      }
    }

    @Override
    public Runnable started(String method, String path, Runnable cancel) {
      if (!isWrite(method)) {
        return () -> {};
      }
      InFlight write = new InFlight(cancel);
      inFlight.add(write);
      if (over() != null) {
        cancel.run(); // end() may have gone through the set before.
      }
      return () -> inFlight.remove(write);
    }

    @Override
    public RuntimeException failed(String method, String path, TransportException error) {
      End over = isWrite(method) ? over() : null;
      return over == null ? error : lost(method, path, over, /* sent= */ true, error);
    }

    private LeadershipLostException lost(
        String method, String path, End over, boolean sent, @Nullable Throwable cause) {
      return new LeadershipLostException(
          method + ' ' + path, lock, identity, over.since, over.reason, sent, cause);
    }

    private static boolean isWrite(String method) {
      return switch (method) {
        case "GET", "HEAD", "OPTIONS" -> false;
        default -> true;
      };
    }
  }
}
