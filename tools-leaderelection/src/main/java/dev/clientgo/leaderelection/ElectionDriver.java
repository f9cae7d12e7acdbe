package dev.clientgo.leaderelection;

import static java.lang.System.Logger.Level.WARNING;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.Deadline;
import dev.clientgo.leaderelection.internal.LeaseClient;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.internal.LeaseThreads;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/*
 * Threads. The thread of run() does the steps of the election. It never sends a request itself: a
 * name lookup or a credential plugin may hang, and the term must still end in time. So each request
 * has a thread, which the thread of run() waits for, or interrupts and leaves behind. The work of
 * the leader has a thread, and so has each call of onNewLeader, which waits for the one before.
 *
 * Locks. One, for the answers, the end of the work and the request to stop. No callback and no
 * request runs under it.
 */

/** Does the steps of an {@link Election} with threads and a server. */
final class ElectionDriver implements Election.Listener {

  private final Election election;
  private final LeaderCallbacks callbacks;
  private final LeaseReports reports;
  private final Clock clock;
  private final LeaseThreads threads;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  @GuardedBy("lock")
  private boolean stopping;

  /** Works of terms that still run; one may outlive its term, and the next run. */
  @GuardedBy("lock")
  private int works;

  @GuardedBy("lock")
  private @Nullable Throwable workFailure;

  private boolean led;
  private @Nullable Thread worker;
  private @Nullable Thread newLeaderCall;

  ElectionDriver(
      ElectionSettings settings,
      RESTClient client,
      LeaderCallbacks callbacks,
      LeaseReports reports,
      Clock clock,
      RandomGenerator random,
      LeaseThreads threads) {
    this.callbacks = callbacks;
    this.reports = reports;
    this.clock = clock;
    changed = clock.newCondition(lock);
    this.threads = threads;
    this.election = new Election(settings, client, clock, random, this);
  }

  /** Returns the election, for what it has observed. */
  Election election() {
    return election;
  }

  /** Makes {@link #run} end the term and return. */
  void stop() {
    lock.lock();
    try {
      stopping = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Competes, leads, and returns when the term has ended or {@link #stop} was called.
   *
   * @throws InterruptedException if the thread was interrupted, which ends the term too
   */
  void run(LeaseClient requests) throws InterruptedException {
    boolean interrupted = doSteps(requests);
    if (led) {
      reports.event(election.observed().lease(), "stopped leading");
    }
    led = false;
    Throwable failure = takeWorkFailure();
    try {
      callbacks.onStoppedLeading().run();
    } catch (Throwable e) {
      failure = failure == null ? e : failure;
      reports.crashed("onStoppedLeading", e);
    }
    throwUnchecked(failure);
    if (interrupted) {
      throw new InterruptedException("interrupted while taking part in a leader election");
    }
  }

  /** Returns whether the thread was interrupted. */
  private boolean doSteps(LeaseClient requests) {
    boolean cancelled = false;
    boolean interrupted = false;
    Step step = election.start();
    while (!(step instanceof Step.Stop)) {
      try {
        if (!cancelled && isStopping()) {
          cancelled = true;
          step = election.cancel();
          continue;
        }
        step = perform(step, requests, /* untilStop= */ !cancelled);
        if (step instanceof Step.Pause) {
          reports.attempted();
        }
      } catch (InterruptedException e) {
        interrupted = true;
        if (cancelled) {
          break; // The second time: the Lease is not given back.
        }
        stop();
      } catch (Throwable e) {
        // Such as one of the source of randomness: a candidate never ends in silence.
        reports.crashed(LeaseReports.ELECTION, e);
        step = cancelled ? new Step.Stop() : election.resume();
      }
    }
    return interrupted;
  }

  /** Returns the next step; the same if the elector is stopped meanwhile. */
  private Step perform(Step step, LeaseClient requests, boolean untilStop)
      throws InterruptedException {
    if (step instanceof Step.Call call) {
      Answer answer = ask(call, requests, untilStop);
      return untilStop && isStopping() ? step : call.then().apply(answer);
    }
    if (step instanceof Step.AwaitWork work) {
      await(() -> !isWorking(), work.timeout(), untilStop);
      return untilStop && isStopping() ? step : work.then().apply(!isWorking());
    }
    Step.Pause pause = (Step.Pause) step;
    await(() -> false, pause.duration(), untilStop);
    return untilStop && isStopping() ? step : pause.then().get();
  }

  /** Sends a request in a separate thread, and waits for the answer. */
  private Answer ask(Step.Call call, LeaseClient requests, boolean untilStop)
      throws InterruptedException {
    Pending pending = new Pending();
    Thread thread;
    try {
      thread =
          threads.start(
              () -> {
                try {
                  pending.set(requests.send(call.request()));
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt(); // Left behind; the thread ends.
                }
              });
    } catch (RuntimeException | Error e) {
      return new Answer.Failed(e); // No thread, such as no memory for one; perhaps later.
    }
    try {
      await(() -> pending.get() != null, call.timeout(), untilStop);
    } finally {
      thread.interrupt();
    }
    Answer answer = pending.get();
    return answer != null
        ? answer
        : new Answer.Failed(new TimeoutException("no answer within " + call.timeout()));
  }

  /** The answer to a request, as soon as it is there. */
  private final class Pending {

    @GuardedBy("lock")
    private @Nullable Answer answer;

    void set(Answer answer) {
      lock.lock();
      try {
        this.answer = answer;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Nullable Answer get() {
      lock.lock();
      try {
        return answer;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until a condition holds, the time is up, or the elector is stopped. */
  private void await(BooleanSupplier condition, Duration timeout, boolean untilStop)
      throws InterruptedException {
    Deadline deadline = clock.deadline(timeout);
    lock.lockInterruptibly();
    try {
      while (!condition.getAsBoolean()
          && !(untilStop && stopping)
          && deadline.await(lock, changed)) {}
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }

  private boolean isWorking() {
    lock.lock();
    try {
      return works > 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void startedLeading(LeadershipTerm term) {
    led = true;
    reports.leading(true);
    reports.event(election.observed().lease(), "became leader");
    lock.lock();
    try {
      works++;
    } finally {
      lock.unlock();
    }
    worker = null;
    try {
      worker = threads.start(() -> work(term));
    } catch (Throwable e) {
      workEnded(term, e);
    }
  }

  /** Unlike client-go: if the work fails, the elector stops, rather than lead without work. */
  private void work(LeadershipTerm term) {
    Throwable failure = null;
    try {
      callbacks.onStartedLeading().run(term);
    } catch (InterruptedException e) {
      // Told to stop.
    } catch (Throwable e) {
      failure = e;
    }
    workEnded(term, failure);
  }

  private void workEnded(LeadershipTerm term, @Nullable Throwable failure) {
    if (failure != null && term.isOver()) {
      CrashLog.log(
          LeaseReports.LOG,
          WARNING,
          "The work of a leader has failed after its term had ended",
          failure);
    }
    lock.lock();
    try {
      works--;
      if (failure != null && !term.isOver()) {
        workFailure = failure;
        stopping = true;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the error that the work has thrown during its term, and forgets it. */
  private @Nullable Throwable takeWorkFailure() {
    lock.lock();
    try {
      Throwable failure = workFailure;
      workFailure = null;
      stopping = false;
      return failure;
    } finally {
      lock.unlock();
    }
  }

  private static void throwUnchecked(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException("a callback of the leader has failed", failure);
    }
  }

  @Override
  public void stoppedLeading(String reason) {
    Thread current = worker;
    if (current != null) {
      current.interrupt(); // First, because metrics and log may be slow.
    }
    reports.leading(false);
    reports.ended(reason);
  }

  @Override
  public void newLeader(String identity) {
    Thread previous = newLeaderCall;
    Runnable call =
        () -> {
          try {
            if (previous != null) {
              threads.awaitEnd(previous);
            }
            reports.guarded("onNewLeader", () -> callbacks.onNewLeader().accept(identity));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The thread ends.
          }
        };
    reports.guarded("thread factory", () -> newLeaderCall = threads.start(call));
  }

  @Override
  public void slowPath() {
    reports.slowPath();
  }

  @Override
  public void failed(LeaseRequest request, Answer answer) {
    reports.failed(request, answer);
  }

  @Override
  public void succeeded() {
    reports.succeeded();
  }
}
