package dev.clientgo.rest;

import dev.clientgo.clock.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A thread that does something that blocks, watched from outside. */
public final class TestThread<T> {

  private static final ThreadFactory FACTORY = DaemonThreads.named("test-thread-");

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final Thread thread;

  private TestThread(Callable<T> task) {
    // Virtual where Java has them, so that both kinds are tested.
    thread =
        FACTORY.newThread(
            () -> {
              try {
                result.complete(task.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.start();
  }

  public static <T> TestThread<T> start(Callable<T> task) {
    return new TestThread<>(task);
  }

  public void interrupt() {
    thread.interrupt();
  }

  /**
   * Waits until the thread is somewhere in a method of that name, and stays there. Nothing is said
   * by a name that is in every stack, such as {@code run}.
   */
  public TestThread<T> awaitIn(String method) {
    int steady = 0;
    for (int i = 0; i < 15_000; i++) {
      steady = isIn(method) ? steady + 1 : 0;
      if (steady == 5) {
        return this;
      }
      if (result.isDone()) {
        throw new AssertionError("the thread has ended: " + result);
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
    throw new AssertionError(
        "not in " + method + " but " + java.util.Arrays.toString(thread.getStackTrace()));
  }

  private boolean isIn(String method) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals(method)) {
        return true;
      }
    }
    return false;
  }

  /** Returns what the thread has thrown, within 30 s. */
  public Throwable failure() throws InterruptedException {
    try {
      throw new AssertionError("no failure, but " + result.get(30, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (TimeoutException e) {
      AssertionError error = new AssertionError("the thread still waits");
      error.setStackTrace(thread.getStackTrace());
      throw error;
    }
  }

  /** Returns what the thread has returned, within 30 s. */
  public T result() throws Exception {
    return result.get(30, TimeUnit.SECONDS);
  }
}
