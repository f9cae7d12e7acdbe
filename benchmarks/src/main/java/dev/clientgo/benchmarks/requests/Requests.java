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
 * take, and how much processor time and memory the thread of a caller takes; then, in processes of
 * their own, how long it takes from nothing to the first answer. Bare HTTP clients do the same
 * beside it, without decoding.
 *
 * <p>Arguments: seconds for each figure, 5 if not given.
 */
public final class Requests {

  private static final List<String> WAYS = List.of("client-go", "okhttp", "java.net.http");
  private static final long TURN = TimeUnit.SECONDS.toNanos(1);

  /** More requests than one caller can make in a turn. */
  private static final int MOST = 1 << 16;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Requests() {}

  /** The answers that one caller has got. */
  private record Seen(long[] nanos, long allocated, long processor) {}

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
      for (int callers : new int[] {1, 8, 64}) {
        measure(url, callers, seconds);
      }
      for (int i = 0; i < 3; i++) {
        for (String way : WAYS) {
          startCold(way, url);
        }
      }
    }
  }

  /** The ways take turns of a second, so that what else the machine does hits all of them alike. */
  private static void measure(String url, int callers, long turns) throws Exception {
    List<Tally> tallies = WAYS.stream().map(way -> new Tally(way, Getter.of(way, url))).toList();
    long warmUp = (turns + 1) / 2;
    for (long turn = 0; turn < warmUp + turns; turn++) {
      for (Tally tally : tallies) {
        tally.add(run(tally.getter, callers), turn >= warmUp);
      }
    }
    for (Tally tally : tallies) {
      tally.print(callers);
      tally.getter.close();
    }
  }

  /** The figures of one way to send requests. */
  private static final class Tally {
    private final String way;
    private final Getter getter;
    private final List<Seen> seen = new ArrayList<>();
    private int turns;

    Tally(String way, Getter getter) {
      this.way = way;
      this.getter = getter;
    }

    void add(List<Seen> more, boolean counts) {
      if (counts) {
        seen.addAll(more);
        turns++;
      }
    }

    void print(int callers) {
      long[] all =
          seen.stream().flatMapToLong(one -> LongStream.of(one.nanos())).sorted().toArray();
      long allocated = seen.stream().mapToLong(Seen::allocated).sum();
      long processor = seen.stream().mapToLong(Seen::processor).sum();
      System.out.printf(
          Locale.ROOT,
          "%d callers, %s: requests_per_s=%d p50_us=%d p99_us=%d cpu_us=%d bytes_per_request=%d%n",
          callers,
          way,
          all.length / turns,
          all[all.length / 2] / 1000,
          all[(int) (all.length * 99L / 100)] / 1000,
          processor / all.length / 1000,
          allocated / all.length);
    }
  }

  private static List<Seen> run(Getter getter, int callers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Future<Seen>> futures = new ArrayList<>();
      long deadline = System.nanoTime() + TURN;
      for (int i = 0; i < callers; i++) {
        futures.add(threads.submit(() -> call(getter, deadline)));
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
    long[] nanos = new long[MOST];
    int count = 0;
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long processor = THREADS.getCurrentThreadCpuTime();
    for (long begin = System.nanoTime(); begin < deadline && count < nanos.length; ) {
      if (getter.get() == 0) {
        throw new IllegalStateException("an empty answer");
      }
      long end = System.nanoTime();
      nanos[count++] = end - begin;
      begin = end;
    }
    return new Seen(
        Arrays.copyOf(nanos, count),
        THREADS.getCurrentThreadAllocatedBytes() - allocated,
        THREADS.getCurrentThreadCpuTime() - processor);
  }

  private static void startCold(String way, String url) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    new ProcessBuilder(java, "-cp", classPath, Requests.class.getName(), way, url)
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Runs in a separate JVM: from the first line of our code to the first answer. */
  private static void coldStart(String way, String url) throws Exception {
    long begin = System.nanoTime();
    try (Getter getter = Getter.of(way, url)) {
      getter.get();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
      System.out.printf(
          Locale.ROOT, "cold start, %s: first_answer_ms=%d classes=%d%n", way, millis, classes);
    }
    System.exit(0);
  }
}
