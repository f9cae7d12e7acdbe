package dev.clientgo.controller.internal.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.RequestGuard;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether this process leads. As a guard of requests, it refuses writes before and after the term.
 * Safe for use by many threads.
 */
public final class Leadership implements RequestGuard {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition begun;

  @GuardedBy("lock")
  private @Nullable ReconcileTerm term;

  private volatile RequestGuard guard = Leadership::refuseWrite;

  /**
   * Creates an instance that does not lead.
   *
   * @param clock measures no time here, but knows which threads wait
   */
  public Leadership(Clock clock) {
    begun = clock.newCondition(lock);
  }

  private static void refuseWrite(String method, String path) {
    if (RequestGuard.isWrite(method)) {
      throw new IllegalStateException(
          method
              + ' '
              + path
              + " was not sent: this process does not lead, or shares the objects with other"
              + " replicas. Write by Context.client(), after the leadership has begun, or by"
              + " Manager.unfencedClient()");
    }
  }

  /**
   * Begins to lead.
   *
   * @param fence refuses and cancels the writes of the manager's client after the term
   */
  public void begin(ReconcileTerm leader, RequestGuard fence) {
    guard = fence;
    begin(leader);
  }

  /** Begins to work without an election. */
  public void begin(ReconcileTerm leader) {
    lock.lock();
    try {
      term = leader;
      begun.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean hasBegun() {
    lock.lock();
    try {
      return term != null;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the error of the writes after the term; empty if none has begun and ended. */
  public Optional<RuntimeException> loss() {
    lock.lock();
    try {
      return Optional.ofNullable(term).flatMap(ReconcileTerm::loss);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until this process leads. */
  public ReconcileTerm await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      ReconcileTerm leader = term;
      while (leader == null) {
        begun.await();
        leader = term;
      }
      return leader;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void check(String method, String path) {
    guard.check(method, path);
  }

  @Override
  public Runnable started(String method, String path, Runnable cancel) {
    return guard.started(method, path, cancel);
  }

  @Override
  public RuntimeException failed(String method, String path, TransportException error) {
    return guard.failed(method, path, error);
  }
}
