package dev.clientgo.benchmarks.informer;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** The resources that this process has used so far. */
public final class ProcessFigures {

  /** Whether to print more than the protocol asks for, to standard error. */
  private static final boolean DETAILS = System.getenv("BENCH_DETAILS") != null;

  private ProcessFigures() {}

  /** Returns the bytes of the heap that are reachable. */
  public static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      // A thread that allocates after that is given a piece of the heap, which counts as used.
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  /** Returns the processor time of all threads, those of the JVM included. */
  public static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Returns the most memory that the process has had, in megabytes; 0 where Linux does not say. */
  public static long peakResidentMegabytes() {
    return status(ProcessHandle.current().pid(), "VmHWM") / 1024;
  }

  /** Returns the memory that the process has now, in megabytes; 0 where Linux does not say. */
  static long residentMegabytes() {
    return status(ProcessHandle.current().pid(), "VmRSS") / 1024;
  }

  /** Returns a number of {@code /proc/PID/status}, memory in kilobytes; 0 where there is none. */
  public static long status(long pid, String field) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith(field + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Returns for how long the process has been running. */
  static Duration sinceStart() {
    Instant start = ProcessHandle.current().info().startInstant().orElseThrow();
    return Duration.between(start, Instant.now());
  }

  /** Returns the bytes that the threads which are alive have allocated; 0 without details. */
  static long allocated() {
    if (!DETAILS) {
      return 0;
    }
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }

  /** Prints what is known about a phase that has ended, if details are wanted. */
  static void print(String when, String figures) {
    if (DETAILS) {
      int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
      System.err.printf("%s: classes=%d %s%n", when, classes, figures);
    }
  }
}
