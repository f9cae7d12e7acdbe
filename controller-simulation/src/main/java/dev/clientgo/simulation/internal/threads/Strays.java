package dev.clientgo.simulation.internal.threads;

import dev.clientgo.clock.TimedThread;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Reports what the simulation does not control, each time with the stack: threads that do not come
 * from a process, and threads of processes that block outside their clock or end with an error.
 */
public final class Strays {

  /** The threads of a run, and those that they make by themselves. */
  final ThreadGroup group = new ThreadGroup("simulation");

  private static final int FRAMES = 8;

  /** The code that stands between a user's and the simulation. */
  private static final List<String> LIBRARY =
      List.of(
          "okhttp3.",
          "dev.clientgo.simulation.internal.",
          "dev.clientgo.simulation.Traffic",
          "dev.clientgo.simulation.Processes",
          "dev.clientgo.simulation.SimulatedProcess",
          "dev.clientgo.clock.",
          "dev.clientgo.controller.",
          "dev.clientgo.cache.",
          "dev.clientgo.rest.",
          "dev.clientgo.workqueue.");

  private static final int LOOKS_AT_POOL = 200;

  private final Thread driver = Thread.currentThread();
  private final Consumer<String> report;

  /**
   * Creates an instance for a run of the current thread.
   *
   * @param report receives a sentence, in any thread
   */
  Strays(Consumer<String> report) {
    this.report = report;
  }

  /** Reports the current thread if it neither is of a process nor runs the simulation. */
  void checkCaller(String what) {
    Thread current = Thread.currentThread();
    if (!(current instanceof TimedThread) && current != driver) {
      reportForeign(current, what);
    }
  }

  private void reportForeign(Thread thread, String what) {
    report.accept(
        "the thread \"%s\" is not from process.threads() and %s, so a replay may differ%s"
            .formatted(thread.getName(), what, stack(thread.getStackTrace())));
  }

  /** Reports the threads that a process has made by itself and that are alive. */
  void checkGroup() {
    Thread[] threads = new Thread[group.activeCount() + 8];
    int count = group.enumerate(threads);
    Arrays.stream(threads, 0, count)
        .filter(thread -> !(thread instanceof TimedThread) && !isOfTheClient(thread))
        .forEach(thread -> reportForeign(thread, "runs by real time"));
    ForkJoinPool common = ForkJoinPool.commonPool(); // Gives its tasks the time to reach the clock.
    for (int i = 0; i < LOOKS_AT_POOL && !common.isQuiescent(); i++) {
      LockSupport.parkNanos(500_000);
    }
  }

  /** Returns whether it is the thread of Okio that watches sockets, of which there are none. */
  private static boolean isOfTheClient(Thread thread) {
    return thread.getClass().getName().startsWith("okio.");
  }

  /** Reports a thread that blocks, unless it waits for a lock, as threads of the library do. */
  void checkBlocked(Thread thread, String owner) {
    Object blocker = LockSupport.getBlocker(thread);
    boolean lock =
        thread.getState() == Thread.State.BLOCKED
            || (blocker != null && blocker.getClass().getName().contains(".Reentrant"));
    StackTraceElement[] stack = thread.getStackTrace();
    if (!lock && stack.length > 0) {
      String what = " blocks outside process.clock(), so a replay may differ";
      report.accept("a thread of " + owner + what + stack(stack));
    }
  }

  /** Reports the error with which a thread has ended. */
  void ended(String owner, Throwable error) {
    report.accept("a thread of " + owner + " has ended: " + error + stack(error.getStackTrace()));
  }

  /** Returns the innermost frames that are code of a user, or of the JDK below it. */
  public static String stack(StackTraceElement[] stack) {
    List<StackTraceElement> foreign =
        Arrays.stream(stack).filter(frame -> !isOfTheLibrary(frame)).toList();
    StringBuilder text = new StringBuilder();
    foreign.stream().limit(FRAMES).forEach(frame -> text.append("\n      at ").append(frame));
    return text.toString();
  }

  private static boolean isOfTheLibrary(StackTraceElement frame) {
    return LIBRARY.stream().anyMatch(frame.getClassName()::startsWith)
        || frame.getMethodName().equals("getStackTrace");
  }
}
