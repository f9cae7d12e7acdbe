package dev.clientgo.simulation.internal.threads;

import dev.clientgo.clock.TimedThread;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread that runs only while the scheduler lets it. */
final class SimulatedThread extends Thread implements TimedThread {

  /** The relation of a thread to the scheduler. */
  enum Mode {
    /** It does not run. */
    PARKED,
    /** It runs, and the scheduler waits for it. */
    RUNNING,
    /** It blocks where the scheduler cannot see, and the scheduler continues without it. */
    DETACHED
  }

  final Scheduler scheduler;
  final ThreadOwner owner;

  /** The thread that has made this one; null if the simulation has. */
  final @Nullable SimulatedThread maker;

  /** It has sent a request about a lease, or has made a thread that has. */
  volatile boolean keepsLease;

  /**
   * The length of its last wait in nanoseconds, if that ended by the time, and the thread has sent
   * no request and has woken no thread since; 0 otherwise. Only the thread writes it.
   */
  volatile long idleWait;

  /** Lets the thread run. */
  final Semaphore baton = new Semaphore(0);

  /** It waits for the baton, or has just got it. Only the thread writes it. */
  volatile boolean awaitsBaton;

  final AtomicReference<Mode> mode = new AtomicReference<>(Mode.PARKED);

  /** Its owner is dead: all its waits end at once. */
  volatile boolean freed;

  /** The wait that the thread is in. The scheduler guards it. */
  @Nullable Waiter waiter;

  /** The waits for its end. The scheduler guards them. */
  final List<Waiter> joiners = new ArrayList<>();

  /** How many waits have ended because the owner is dead. Only the thread reads it. */
  int wakesInDeath;

  SimulatedThread(Scheduler scheduler, ThreadOwner owner, Runnable task, String name) {
    super(scheduler.group(), task, name);
    this.scheduler = scheduler;
    this.owner = owner;
    this.maker = Thread.currentThread() instanceof SimulatedThread current ? current : null;
    setDaemon(true);
  }

  @Override
  public synchronized void start() {
    scheduler.starting(this);
    super.start();
  }

  @Override
  public void run() {
    awaitBaton();
    try {
      if (!freed) {
        super.run();
      }
    } catch (ProcessDiedError e) {
      freed = true; // As it should be: the thread ends.
    } catch (Throwable e) { // An Error too: the run says so.
      scheduler.endedBy(this, e);
    } finally {
      scheduler.ended(this);
    }
  }

  void awaitBaton() {
    awaitsBaton = true;
    baton.acquireUninterruptibly();
    awaitsBaton = false;
  }

  @Override
  public Instant now() {
    return owner.clock().now();
  }

  @Override
  public void interrupt() {
    scheduler.interrupt(this);
  }

  void interruptNow() {
    super.interrupt();
  }
}
