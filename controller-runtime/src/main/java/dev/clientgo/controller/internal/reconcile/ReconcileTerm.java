package dev.clientgo.controller.internal.reconcile;

import dev.clientgo.clock.Clock;
import dev.clientgo.leaderelection.LeadershipLostException;
import dev.clientgo.leaderelection.LeadershipTerm;
import dev.clientgo.rest.RESTClient;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The term during which reconciles may begin and write, and the reconciles that are active. Safe
 * for use by many threads.
 */
public final class ReconcileTerm {

  /** The client with which the reconciles write. */
  public final RESTClient client;

  private final Runnable check;
  private final BooleanSupplier over;
  private final Clock clock;

  /**
   * A worker adds a reconcile and then checks the term; {@link #interrupt} runs after the end of
   * the term. So each reconcile is refused or interrupted.
   */
  private final Set<ActiveReconcile> active = ConcurrentHashMap.newKeySet();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle;

  private ReconcileTerm(RESTClient client, Runnable check, BooleanSupplier over, Clock clock) {
    this.client = client;
    this.check = check;
    this.over = over;
    this.clock = clock;
    idle = clock.newCondition(lock);
  }

  /** Returns the term of a leader. */
  public static ReconcileTerm of(LeadershipTerm term, Clock clock) {
    return new ReconcileTerm(term.client(), term::check, term::isOver, clock);
  }

  /** Returns a term that never ends, for controllers that need no leadership. */
  public static ReconcileTerm endless(RESTClient client, Clock clock) {
    return new ReconcileTerm(client, () -> {}, () -> false, clock);
  }

  /** Returns whether the term has ended; then another process may lead. */
  public boolean isOver() {
    return over.getAsBoolean();
  }

  /** The first step: lets a request be reconciled unless the term has ended. */
  <R> void run(Attempt<R> attempt) throws InterruptedException {
    active.add(attempt.reconcile);
    try {
      if (isOver()) {
        attempt.forgetFailures();
      } else {
        attempt.claim(over, check);
        attempt.proceed();
      }
    } finally {
      end(attempt.reconcile);
    }
  }

  /**
   * Runs work of the program as long as the term lasts. Interrupts it at the end of the term, which
   * waits for it.
   *
   * @throws InterruptedException if the term has ended, or the thread is interrupted otherwise
   */
  public void run(Object name, Work work) throws InterruptedException {
    ActiveReconcile running = new ActiveReconcile(name, clock.nanoTime());
    active.add(running);
    try {
      if (isOver()) {
        throw new InterruptedException("the term has ended");
      }
      work.run();
    } finally {
      end(running);
    }
  }

  /** Work of the program that is no reconcile. */
  @FunctionalInterface
  public interface Work {
    void run() throws InterruptedException;
  }

  /** Ends a reconcile, also one that was refused or never ran; called by its thread. */
  private void end(ActiveReconcile reconcile) {
    active.remove(reconcile);
    reconcile.end(); // A late interrupt must not hit the next reconcile of the thread.
    if (isOver()) {
      lock.lock();
      try {
        idle.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns the error of the writes after the term; empty if it has not ended. */
  Optional<RuntimeException> loss() {
    try {
      check.run();
      return Optional.empty();
    } catch (LeadershipLostException e) {
      return Optional.of(e);
    }
  }

  /** Interrupts all active reconciles; called after the end of the term. */
  public void interrupt() {
    active.forEach(ActiveReconcile::lose);
  }

  /** Waits until no reconcile is active; called after the end of the term. */
  public void awaitIdle() {
    lock.lock();
    try {
      while (!active.isEmpty() && !clock.isStopped()) {
        try {
          idle.await();
        } catch (InterruptedException e) {
          // The elector reports the end of the term, which this thread knows already.
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
