package dev.clientgo.benchmarks.requests;

import com.sun.management.ThreadMXBean;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Small GETs against the embedded server, in this process: how many a second, how long 99 of 100
 * take, and what the thread of a caller allocates; then, in processes of their own, how long it
 * takes from nothing to the first answer. Bare HTTP clients do the same beside it, without
 * decoding.
 *
 * <p>Arguments: seconds for each figure, 5 if not given.
 */
public final class Requests {

  private static final List<String> WAYS = List.of("client-go", "okhttp", "java.net.http");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Requests() {}

  /** What one caller has seen. */
  private record Seen(long[] nanos, long allocated) {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 2) {
      coldStart(arguments[0], arguments[1]);
      return;
    }
    long seconds = arguments.length == 0 ? 5 : Long.parseLong(arguments[0]);
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server
          .objects(new GroupVersionResource("", "v1", "configmaps"))
          .put(
              Unstructured.of(
                  Map.of(
                      "metadata",
                      Map.of("name", "small", "namespace", "default"),
                      "data",
                      Map.of("key", "value"))));
      String url = server.url().toString();
      System.out.println("callers  way            requests/s   p50 us   p99 us  bytes/request");
      for (int callers : new int[] {1, 8, 64}) {
        for (String way : WAYS) {
          measure(url, way, callers, TimeUnit.SECONDS.toNanos(seconds));
        }
      }
      System.out.println("cold start     way            ms to first answer  classes loaded");
      for (int i = 0; i < 3; i++) {
        for (String way : WAYS) {
          startCold(way, url);
        }
      }
    }
  }

  private static void measure(String url, String way, int callers, long nanos) throws Exception {
    try (Getter getter = Getter.of(way, url)) {
      run(getter, callers, nanos / 2); // Warm up.
      long begin = System.nanoTime();
      List<Seen> seen = run(getter, callers, nanos);
      double elapsed = (System.nanoTime() - begin) / 1e9;
      long[] all =
          seen.stream().flatMapToLong(one -> LongStream.of(one.nanos())).sorted().toArray();
      long allocated = seen.stream().mapToLong(Seen::allocated).sum();
      System.out.printf(
          Locale.ROOT,
          "%7d  %-13s %11.0f %8d %8d %14d%n",
          callers,
          way,
          all.length / elapsed,
          all[all.length / 2] / 1000,
          all[(int) (all.length * 99L / 100)] / 1000,
          allocated / all.length);
    }
  }

  private static List<Seen> run(Getter getter, int callers, long nanos) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Future<Seen>> futures = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        futures.add(threads.submit(() -> call(getter, System.nanoTime() + nanos)));
      }
      List<Seen> seen = new ArrayList<>();
      for (Future<Seen> future : futures) {
        seen.add(future.get());
      }
      return seen;
    } finally {
      threads.shutdown();
    }
  }

  private static Seen call(Getter getter, long deadline) throws Exception {
    long[] nanos = new long[1 << 20];
    int count = 0;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (long begin = System.nanoTime(); begin < deadline && count < nanos.length; ) {
      if (getter.get() == 0) {
        throw new IllegalStateException("an empty answer");
      }
      long end = System.nanoTime();
      nanos[count++] = end - begin;
      begin = end;
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    return new Seen(Arrays.copyOf(nanos, count), allocated);
  }

  private static void startCold(String way, String url) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    new ProcessBuilder(java, "-cp", classPath, Requests.class.getName(), way, url)
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Runs in a JVM of its own: from the first line of our code to the first answer. */
  private static void coldStart(String way, String url) throws Exception {
    long begin = System.nanoTime();
    try (Getter getter = Getter.of(way, url)) {
      getter.get();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
      System.out.printf(Locale.ROOT, "%14s %-13s %19d %15d%n", "", way, millis, classes);
    }
    System.exit(0);
  }
}
