package dev.clientgo.leaderelection.internal;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
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
 * Lets writes through until a deadline, which renewals move, or until it is ended. Then it refuses
 * them, cancels those that wait for a response, and closes connections of exec, attach,
 * port-forward and proxies, which count as writes. Reads always pass.
 *
 * <p>The deadline is read before each attempt of a write, so the check needs no thread. A fence
 * that has ended never opens again. Safe for use by many threads.
 */
public final class Fence {

  /** Makes the error for a write or another action that comes too late. */
  @FunctionalInterface
  public interface Refusal {

    /**
     * Returns the error.
     *
     * @param happened what the end means for the caller, such as {@code PUT /api/v1/… was not sent}
     * @param since when the fence ended
     * @param reason the reason why it ended
     * @param sent whether the server may have received the request
     * @param cause the error of the request, if it was sent
     */
    RuntimeException error(
        String happened, Instant since, String reason, boolean sent, @Nullable Throwable cause);
  }

  private static final System.Logger LOG = System.getLogger(Fence.class.getName());

  private final Clock clock;
  private final Refusal refusal;
  private final Guard guard = new Guard();

  /** Cancel the writes that wait for a response. Compared by identity. */
  private final Set<InFlight> inFlight = ConcurrentHashMap.newKeySet();

  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition changed;

  /** The reading of the clock at which the fence ends unless it is renewed. */
  @GuardedBy("mutex")
  private long deadline;

  @GuardedBy("mutex")
  private @Nullable End end;

  /** When and why a fence has ended. */
  private record End(Instant since, String reason) {}

  /** A write that waits for a response. */
  private static final class InFlight {
    private final Runnable cancel;

    InFlight(Runnable cancel) {
      this.cancel = cancel;
    }

    /** Whatever it throws, as an event listener of the user may, the others are cancelled too. */
    void cancel() {
      try {
        cancel.run();
      } catch (Throwable e) {
        CrashLog.log(LOG, WARNING, "A write could not be cancelled", e);
      }
    }
  }

  /**
   * Creates a fence that lets writes through.
   *
   * @param deadline the reading of the clock at which it ends unless it is renewed
   */
  public Fence(Clock clock, long deadline, Refusal refusal) {
    this.clock = requireNonNull(clock, "clock");
    this.deadline = deadline;
    this.refusal = requireNonNull(refusal, "refusal");
    changed = clock.newCondition(mutex);
  }

  /**
   * Returns a client that can write only while the fence is open. It shares everything else with
   * the given client; its own {@code close()} does nothing.
   */
  public RESTClient fence(RESTClient client) {
    return client.guardedBy(guard);
  }

  /** Returns what refuses and cancels the writes, for clients whose guard changes. */
  public RequestGuard guard() {
    return guard;
  }

  /** Returns whether writes are refused. */
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

  /** Returns if the fence is open; throws the error of the refusal otherwise. */
  public void check() {
    End over = over();
    if (over != null) {
      throw refusal.error("this work must end", over.since, over.reason, /* sent= */ false, null);
    }
  }

  /**
   * Waits until the fence has ended.
   *
   * @throws InterruptedException if the thread is interrupted
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

  /** Returns the reading of the clock at which the fence ends unless it is renewed. */
  public long deadline() {
    mutex.lock();
    try {
      return deadline;
    } finally {
      mutex.unlock();
    }
  }

  /** Moves the deadline, unless the fence has ended. Returns whether writes are let through. */
  public boolean renew(long newDeadline) {
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

  /** Ends the fence and cancels the writes in flight. Does nothing the second time. */
  public void end(String reason) {
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
    inFlight.forEach(InFlight::cancel);
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

  /** Refuses and cancels writes. */
  private final class Guard implements RequestGuard {

    @Override
    public void check(String method, String path) {
      End over = RequestGuard.isWrite(method) ? over() : null;
      if (over != null) {
        throw refused(method, path, over, /* sent= */ false, null);
      }
    }

    @Override
    public Runnable started(String method, String path, Runnable cancel) {
      if (!RequestGuard.isWrite(method)) {
        return () -> {};
      }
      InFlight write = new InFlight(cancel);
      inFlight.add(write);
      if (over() != null) {
        write.cancel(); // end() may have gone through the set before.
      }
      return () -> inFlight.remove(write);
    }

    @Override
    public RuntimeException failed(String method, String path, TransportException error) {
      End over = RequestGuard.isWrite(method) ? over() : null;
      return over == null ? error : refused(method, path, over, /* sent= */ true, error);
    }

    private RuntimeException refused(
        String method, String path, End over, boolean sent, @Nullable Throwable cause) {
      String happened =
          sent ? " was cancelled, and the server may have acted on it" : " was not sent";
      return refusal.error(method + ' ' + path + happened, over.since, over.reason, sent, cause);
    }
  }
}
