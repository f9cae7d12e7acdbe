package dev.clientgo.workqueue;

import dev.clientgo.clock.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/** A call on a separate thread, for tests of what blocks. */
final class Call<V> {

  private static final long LIMIT_SECONDS = 30;

  private final FutureTask<V> task;
  private final Thread thread;

  private Call(Callable<V> body) {
    task = new FutureTask<>(body);
    thread = new Thread(task, "call");
    thread.setDaemon(true);
  }

  static <V> Call<V> start(Callable<V> body) {
    Call<V> call = new Call<>(body);
    call.thread.start();
    return call;
  }

  /** Waits until the thread waits on a condition; one that waits for a lock does not count. */
  Call<V> awaitBlocked() {
    long start = Clock.system().nanoTime();
    while (!isBlocked()) {
      if (task.isDone()) {
        throw new AssertionError("the call has returned, it should block");
      }
      if (Clock.system().nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
        throw new AssertionError("the call does not block: " + thread.getState());
      }
      Thread.onSpinWait();
    }
    return this;
  }

  private boolean isBlocked() {
    return LockSupport.getBlocker(thread) instanceof Condition;
  }

  boolean isDone() {
    return task.isDone();
  }

  void interrupt() {
    thread.interrupt();
  }

  V result() throws Exception {
    return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
