package dev.clientgo.simulation.internal.threads;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.simulation.internal.threads.SimulatedThread.Mode;
import dev.clientgo.simulation.internal.threads.Waiter.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/*
 * One thread runs at a time. It runs until it waits: on a condition of its clock, for a time, or
 * for the end of another thread. Then it chooses the next one among those that are ready, or leaves
 * that to the driver, which is the thread that calls step(). A signal, an interrupt or a deadline makes a waiting
 * thread ready at once, counted by the thread that signals; so "nothing can run" is exactly "no
 * thread is ready". Only then time moves, to the next timer.
 *
 * A thread that blocks elsewhere, in a contended lock for example whose owner waits, would stop all.
 * The driver notices that the thread does not come back although it does not run, and continues
 * without it: the thread is detached until it waits here again.
 */

/** Runs the threads of a simulation one at a time, by simulated time. */
public final class Scheduler {

  static final long FOREVER = Long.MAX_VALUE;

  /** How often in a row a thread must be seen blocked before the driver continues without it. */
  private static final int LOOKS = 4;

  private static final long LOOK_MILLIS = 25;

  /**
   * The number of thread switches after which the driver checks again whether the run should
   * continue.
   */
  private static final int MAX_HAND_OVERS = 100;

  /** How long the threads of a dead process have to end, in real time. */
  private static final Duration BURIAL = Duration.ofSeconds(10);

  /** How many waits of a thread of a dead process throw an InterruptedException. */
  private static final int MAX_INTERRUPTS_IN_DEATH = 3;

  /** The number of ended waits after which a thread of a dead process is left behind. */
  private static final int MAX_WAKES_IN_DEATH = 100;

  private final IntUnaryOperator choice;
  private final Instant origin;
  private final Strays strays;
  private final ReentrantLock lock = new ReentrantLock();

  /** Released when the running thread waits or ends. */
  private final Semaphore returned = new Semaphore(0);

  @GuardedBy("lock")
  private final List<SimulatedThread> ready = new ArrayList<>();

  @GuardedBy("lock")
  private final List<SimulatedThread> detached = new ArrayList<>();

  @GuardedBy("lock")
  private final TreeSet<Timer> timers = new TreeSet<>();

  @GuardedBy("lock")
  private final Deque<Runnable> urgent = new ArrayDeque<>();

  @GuardedBy("lock")
  private long timersMade;

  /** How often in a row a thread has let the next one run without the driver. */
  @GuardedBy("lock")
  private int handOvers;

  private volatile long now;

  /** The thread that runs, or has run last. */
  private volatile @Nullable SimulatedThread running;

  /**
   * Creates a scheduler without threads.
   *
   * @param choice returns which of that many ready threads runs next
   * @param origin the time at which the simulation begins
   * @param stray receives, in the thread of the driver, a sentence about each thread that the
   *     simulation does not control
   */
  public Scheduler(IntUnaryOperator choice, Instant origin, Consumer<String> stray) {
    this.choice = choice;
    this.origin = origin;
    this.strays = new Strays(text -> urgently(() -> stray.accept(text)));
  }

  /** Returns the group of all threads of the simulation. */
  ThreadGroup group() {
    return strays.group;
  }

  Instant origin() {
    return origin;
  }

  /** Reports the current thread if the simulation does not control it. */
  public void checkCaller(String what) {
    strays.checkCaller(what);
  }

  /** Reports threads that processes have made by themselves and that are alive. */
  public void checkThreads() {
    strays.checkGroup();
    while (isUrgent()) {
      step();
    }
  }

  private boolean isUrgent() {
    lock.lock();
    try {
      return !urgent.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  void endedBy(SimulatedThread thread, Throwable error) {
    if (!thread.freed) {
      strays.ended(thread.owner.toString(), error);
    }
  }

  /** Returns a process without threads. */
  public ThreadOwner newOwner(String name) {
    return new ThreadOwner(this, name);
  }

  /** Returns the simulated time in nanoseconds since the start. */
  public long now() {
    return now;
  }

  // ---- the driver

  /**
   * Lets one thread run until it waits; if none is ready, moves the time to the next timer and runs
   * its action.
   *
   * @return false if no thread is ready and there is no timer
   */
  public boolean step() {
    SimulatedThread next = null;
    Runnable action;
    lock.lock();
    try {
      awaitDetachedLocked();
      action = urgent.poll();
      if (action == null) {
        if (!ready.isEmpty()) {
          next = ready.remove(choice.applyAsInt(ready.size()));
        } else {
          Timer timer = timers.pollFirst();
          if (timer == null) {
            return false;
          }
          now = Math.max(now, timer.time);
          action = timer.action;
        }
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      resume(next);
    } else if (action != null) {
      action.run();
    }
    return true;
  }

  /** Runs an action in {@link #step} before anything else, while no thread runs. */
  public void urgently(Runnable action) {
    lock.lock();
    try {
      urgent.add(action);
    } finally {
      lock.unlock();
    }
  }

  /** Runs an action after a time, when no thread is ready. */
  public Timer after(Duration delay, Runnable action) {
    return after(delay.toNanos(), action, null);
  }

  private Timer after(long nanos, Runnable action, @Nullable SimulatedThread waiting) {
    lock.lock();
    try {
      Timer timer = new Timer(now + nanos, nanos, timersMade++, action, waiting);
      timers.add(timer);
      return timer;
    } finally {
      lock.unlock();
    }
  }

  // ---- leader election

  /** Notes that the current thread does something that others may see. */
  public void acts() {
    if (Thread.currentThread() instanceof SimulatedThread self) {
      self.idleWait = 0;
    }
  }

  /**
   * Marks the current thread, and the one that has made it, as threads that keep a lease: an
   * elector sends each request in a separate thread.
   */
  public void keepsLease() {
    if (Thread.currentThread() instanceof SimulatedThread self) {
      self.keepsLease = true;
      if (self.maker != null) {
        self.maker.keepsLease = true;
      }
    }
  }

  /**
   * Returns whether nothing wakes before a time, except threads that keep leases, those that wake
   * again and again to do nothing, and those of the server.
   *
   * @param time in nanoseconds
   * @param longest how long a thread that keeps a lease waits at most; longer waits are for
   *     something else
   */
  public boolean onlyLeasesMoveUntil(long time, Duration longest, ThreadOwner server) {
    lock.lock();
    try {
      return urgent.isEmpty()
          && ready.stream().allMatch(thread -> thread.keepsLease || thread.owner == server)
          && timers.stream()
              .takeWhile(timer -> timer.time < time)
              .allMatch(timer -> isOfLease(timer, longest.toNanos(), server));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when the last timer of a process is due, without those of threads that wake again and
   * again to do nothing.
   *
   * @param end later timers do not count
   * @return the time in nanoseconds; 0 if there is none
   */
  public long lastTimer(ThreadOwner owner, long end) {
    lock.lock();
    try {
      return timers.stream()
          .filter(timer -> timer.time <= end && timer.mayBeForSomething(owner))
          .mapToLong(timer -> timer.time)
          .max()
          .orElse(0);
    } finally {
      lock.unlock();
    }
  }

  private static boolean isOfLease(Timer timer, long longest, ThreadOwner server) {
    SimulatedThread thread = timer.waiting;
    return thread != null
        && (thread.owner == server
            || timer.repeated
            || (thread.keepsLease && timer.length <= longest));
  }

  private void resume(SimulatedThread first) {
    run(first);
    SimulatedThread seen = first;
    int blocked = 0;
    try {
      while (!returned.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        SimulatedThread thread = requireNonNull(running);
        blocked = thread == seen && isBlocked(thread) ? blocked + 1 : 0;
        seen = thread;
        if (blocked >= LOOKS && detach(thread)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the simulation was interrupted", e);
    }
  }

  private void run(SimulatedThread thread) {
    running = thread;
    thread.mode.set(Mode.RUNNING);
    thread.baton.release();
  }

  private static boolean isBlocked(SimulatedThread thread) {
    if (thread.awaitsBaton) {
      return false; // A busy machine has not let it run yet, or not the one that hands it over.
    }
    Thread.State state = thread.getState();
    return state == Thread.State.BLOCKED
        || state == Thread.State.WAITING
        || state == Thread.State.TIMED_WAITING;
  }

  private boolean detach(SimulatedThread thread) {
    lock.lock();
    try {
      if (!thread.mode.compareAndSet(Mode.RUNNING, Mode.DETACHED)) {
        return false; // It has come back at this moment.
      }
      detached.add(thread);
    } finally {
      lock.unlock();
    }
    if (!thread.freed) {
      strays.checkBlocked(thread, thread.owner.toString());
    }
    return true;
  }

  /** Waits until no detached thread runs: each has come back, has ended or blocks again. */
  @GuardedBy("lock")
  private void awaitDetachedLocked() {
    detached.removeIf(thread -> thread.mode.get() != Mode.DETACHED || !thread.isAlive());
    for (SimulatedThread thread : List.copyOf(detached)) {
      int blocked = 0;
      while (thread.mode.get() == Mode.DETACHED && thread.isAlive() && blocked < LOOKS) {
        blocked = isBlocked(thread) ? blocked + 1 : 0;
        lock.unlock();
        try {
          LockSupport.parkNanos(200_000);
        } finally {
          lock.lock();
        }
      }
    }
    detached.removeIf(thread -> thread.mode.get() != Mode.DETACHED || !thread.isAlive());
  }

  // ---- the threads

  void starting(SimulatedThread thread) {
    acts();
    lock.lock();
    try {
      if (thread.owner.dead) {
        thread.freed = true;
        thread.baton.release();
      } else {
        thread.owner.threads.add(thread);
        ready.add(thread);
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isTheOnly(Thread thread, ThreadOwner owner) {
    lock.lock();
    try {
      return owner.threads.equals(List.of(thread));
    } finally {
      lock.unlock();
    }
  }

  void ended(SimulatedThread thread) {
    lock.lock();
    try {
      thread.owner.threads.remove(thread);
      thread.joiners.forEach(waiter -> wakeLocked(waiter, Cause.SIGNAL));
    } finally {
      lock.unlock();
    }
    comeBack(thread);
  }

  /**
   * Lets the next thread run instead of this one, which waits or ends. If none is ready, or the
   * driver has something to do, wakes the driver. Without the detour, a switch of threads costs
   * half.
   */
  private void comeBack(SimulatedThread thread) {
    boolean awaited = thread.mode.compareAndSet(Mode.RUNNING, Mode.PARKED);
    thread.mode.set(Mode.PARKED);
    if (!awaited || thread.freed) {
      return;
    }
    SimulatedThread next = null;
    lock.lock();
    try {
      if (urgent.isEmpty()
          && detached.isEmpty()
          && !ready.isEmpty()
          && handOvers < MAX_HAND_OVERS) {
        handOvers++;
        next = ready.remove(choice.applyAsInt(ready.size()));
      } else {
        handOvers = 0;
      }
    } finally {
      lock.unlock();
    }
    if (next == null) {
      returned.release();
    } else {
      run(next);
    }
  }

  void interrupt(SimulatedThread thread) {
    lock.lock();
    try {
      thread.interruptNow();
      if (thread.waiter != null) {
        wakeLocked(thread.waiter, Cause.INTERRUPT);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the waiter is woken or the time is up.
   *
   * @return false if the time is up
   * @throws InterruptedException if the thread is interrupted, or its process has died
   */
  public boolean await(Waiter waiter, Duration timeout) throws InterruptedException {
    return await(waiter, TimeUnit.NANOSECONDS.convert(timeout));
  }

  /** Waits until the waiter is woken. */
  public void await(Waiter waiter) throws InterruptedException {
    await(waiter, FOREVER);
  }

  /** Lets the current thread wait for simulated time, whatever the clock of its process shows. */
  public void sleep(Duration duration) throws InterruptedException {
    await(new Waiter(), duration);
  }

  boolean await(Waiter waiter, long nanos) throws InterruptedException {
    if (!(Thread.currentThread() instanceof SimulatedThread self)) {
      return awaitForeign(waiter, nanos);
    }
    if (self.freed) {
      throw dead(self);
    }
    Timer deadline = null;
    lock.lock();
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (waiter.cause != null) {
        return true;
      }
      waiter.thread = self;
      self.waiter = waiter;
      if (nanos < FOREVER - now) {
        deadline = after(nanos, () -> wake(waiter, Cause.TIMEOUT), self);
      }
    } finally {
      lock.unlock();
    }
    comeBack(self);
    self.awaitBaton();
    lock.lock();
    try {
      self.waiter = null;
      if (deadline != null) {
        timers.remove(deadline);
      }
    } finally {
      lock.unlock();
    }
    if (self.freed) {
      throw dead(self);
    }
    self.idleWait = waiter.cause == Cause.TIMEOUT ? nanos : 0;
    if (waiter.cause == Cause.INTERRUPT) {
      Thread.interrupted();
      throw new InterruptedException();
    }
    return waiter.cause == Cause.SIGNAL;
  }

  /** A thread that was not made here does not hold up the simulation. */
  private boolean awaitForeign(Waiter waiter, long nanos) throws InterruptedException {
    strays.checkCaller("waits by a simulated clock");
    if (nanos < FOREVER - now) {
      after(nanos, () -> wake(waiter, Cause.TIMEOUT), null);
    }
    waiter.foreign.acquire();
    lock.lock();
    try {
      return waiter.cause == Cause.SIGNAL;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a wait of a thread whose process has died. A thread that never gives up is left behind.
   */
  private static InterruptedException dead(SimulatedThread thread) {
    thread.wakesInDeath++;
    if (thread.wakesInDeath > MAX_INTERRUPTS_IN_DEATH
        && thread.wakesInDeath <= MAX_WAKES_IN_DEATH) {
      throw new ProcessDiedError();
    }
    if (thread.wakesInDeath > MAX_WAKES_IN_DEATH) {
      new Semaphore(0).acquireUninterruptibly();
    }
    return new InterruptedException("the process has died");
  }

  /** Wakes a waiter. Does nothing if it is woken already, or its process has died. */
  public void wake(Waiter waiter) {
    wake(waiter, Cause.SIGNAL);
  }

  boolean wake(Waiter waiter, Cause cause) {
    strays.checkCaller("wakes a thread of a process");
    lock.lock();
    try {
      return wakeLocked(waiter, cause);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean wakeLocked(Waiter waiter, Cause cause) {
    if (waiter.cause != null || isFreed(Thread.currentThread())) {
      return false; // What a dead process does has no effect on others.
    }
    acts();
    waiter.cause = cause;
    SimulatedThread thread = waiter.thread;
    if (thread == null) {
      waiter.foreign.release();
    } else if (!thread.freed) {
      ready.add(thread);
    }
    return true;
  }

  private static boolean isFreed(Thread thread) {
    return thread instanceof SimulatedThread simulated && simulated.freed;
  }

  boolean join(List<Thread> threads, long nanos) throws InterruptedException {
    long deadline = nanos < FOREVER - now ? now + nanos : FOREVER;
    boolean ended = true;
    for (Thread thread : threads) {
      if (thread instanceof SimulatedThread simulated) {
        ended &= joinOne(simulated, deadline);
      } else {
        ended &= Clock.system().join(List.of(thread), BURIAL);
      }
    }
    return ended;
  }

  private boolean joinOne(SimulatedThread thread, long deadline) throws InterruptedException {
    Waiter waiter = new Waiter();
    lock.lock();
    try {
      if (!thread.owner.threads.contains(thread)) {
        return true; // It has ended, or was never started.
      }
      thread.joiners.add(waiter);
    } finally {
      lock.unlock();
    }
    long left = deadline == FOREVER ? FOREVER : deadline - now;
    return left > 0 && await(waiter, left);
  }

  // ---- death

  /**
   * Kills a process: none of its threads runs any more in simulated time. Then lets them end in
   * real time, without an effect: each of their waits throws. Called by the driver.
   */
  public void kill(ThreadOwner owner) {
    List<SimulatedThread> left;
    lock.lock();
    try {
      owner.diedAt = now;
      owner.dead = true;
      left = List.copyOf(owner.threads);
      for (SimulatedThread thread : left) {
        thread.freed = true;
        ready.remove(thread);
        thread.interruptNow();
      }
    } finally {
      lock.unlock();
    }
    left.forEach(thread -> thread.baton.release());
    try {
      Clock.system().join(List.copyOf(left), BURIAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
