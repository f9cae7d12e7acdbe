package dev.clientgo.cache.internal.threads;

import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Work that comes now and then, and is done by one thread at a time. {@link #wake} reports work;
 * then one of the {@link SharedThreads} runs the body, which does all work that there is and
 * returns. Each run sees what the runs before it have written.
 *
 * <p>Safe for use by many threads.
 */
public final class SerialTask {

  private static final Logger LOG = System.getLogger(SerialTask.class.getName());

  private enum State {
    /** There is no work, and no thread. */
    RESTING,
    /** A thread runs the body, or will do so soon. */
    RUNNING,
    /** Work has come since the body began to run, so it runs once more. */
    WOKEN,
    STOPPED
  }

  private final SharedThreads threads;
  private final String name;
  private final OwnedThread.Body body;
  private final AtomicReference<State> state = new AtomicReference<>(State.RESTING);

  /** The thread that runs this, or has run it last. The lock of the threads guards it. */
  SharedThreads.@Nullable Worker worker;

  SerialTask(SharedThreads threads, String name, OwnedThread.Body body) {
    this.threads = threads;
    this.name = name;
    this.body = body;
  }

  String name() {
    return name;
  }

  /** Reports work. Never waits for the body; call it after the work can be found. */
  public void wake() {
    if (state.get() == State.WOKEN) {
      return;
    }
    State before =
        state.getAndUpdate(
            now ->
                switch (now) {
                  case RESTING -> State.RUNNING;
                  case RUNNING, WOKEN -> State.WOKEN;
                  case STOPPED -> State.STOPPED;
                });
    if (before == State.RESTING) {
      threads.assign(this);
    }
  }

  /**
   * Ends this for good: the body runs no more. If it is running, it may finish. May be called
   * again.
   *
   * @return the thread that still runs the body, and ends with it; empty if there is none
   */
  public Optional<OwnedThread> stop() {
    state.set(State.STOPPED);
    return threads.retire(this);
  }

  boolean isStopped() {
    return state.get() == State.STOPPED;
  }

  /** Marks that the thread leaves this; returns false if there is more work. */
  boolean rests() {
    return state.compareAndSet(State.RUNNING, State.RESTING) || isStopped();
  }

  /** Runs the body until no more work is reported. */
  void run() {
    Thread thread = Thread.currentThread();
    if (!thread.getName().equals(name)) {
      thread.setName(name);
    }
    do {
      state.compareAndSet(State.WOKEN, State.RUNNING);
      if (!isStopped()) {
        runOnce();
      }
    } while (state.get() == State.WOKEN && !threads.clock().isStopped());
  }

  private void runOnce() {
    try {
      body.run();
    } catch (InterruptedException e) {
      LOG.log(Level.TRACE, () -> "Interrupted: task=" + name, e);
    } catch (Throwable t) {
      // Also an Error: if the thread ended, other informers would lose theirs.
      if (!threads.clock().isStopped()) {
        CrashLog.log(LOG, Level.ERROR, "A task has failed that should not have: task=" + name, t);
      }
    }
  }
}
