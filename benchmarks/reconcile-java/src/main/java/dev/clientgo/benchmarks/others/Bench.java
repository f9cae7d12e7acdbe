package dev.clientgo.benchmarks.others;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counts and the output of the controllers of other clients, the same as those of {@code ReconcileBench}, which has the protocol.
 */
final class Bench {

  static final String PATCH = "{\"metadata\":{\"annotations\":{\"bench/ts\":\"1\"}}}";

  /** Starts a controller, and can have all of its objects reconciled again. */
  interface Side {
    void start() throws Exception;

    void reconcileAgain() throws Exception;
  }

  final String url;
  final int workers;
  private final boolean write;
  private final long objects;
  private final int events;
  private final AtomicLong reconciles = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final AtomicLong goal = new AtomicLong();
  private final AtomicLong newest = new AtomicLong();
  private final AtomicLong versionGoal = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong started = new AtomicLong();
  private final Semaphore reached = new Semaphore(0);
  private volatile Duration cpuAtStart = Duration.ZERO;
  private volatile Duration cpuAtHalf = Duration.ZERO;
  private volatile long half;

  Bench(String[] arguments) {
    if (arguments.length != 5) {
      throw new IllegalArgumentException("usage: URL read|write OBJECTS WORKERS EVENTS");
    }
    url = arguments[0];
    write = arguments[1].equals("write");
    objects = Long.parseLong(arguments[2]);
    workers = Integer.parseInt(arguments[3]);
    events = Integer.parseInt(arguments[4]);
    goal.set(objects);
  }

  void run(Side side) throws Exception {
    long begin = System.nanoTime();
    Duration cpuBefore = cpu();
    side.start();
    await();
    long end = System.nanoTime();
    Duration cpu = cpu();
    print(
        "total_s=%.2f total_cpu_s=%.2f sync_s=%.2f",
        (end - begin) / 1e9, cpu.minus(cpuBefore).toMillis() / 1e3, (started.get() - begin) / 1e9);
    print("first", objects, end - started.get(), cpu.minus(cpuAtStart));
    if (write) {
      print("warm", objects - objects / 2, end - half, cpu.minus(cpuAtHalf));
    } else {
      goal.set(2 * objects);
      cpuBefore = cpu();
      begin = System.nanoTime();
      side.reconcileAgain();
      await();
      print("again", objects, System.nanoTime() - begin, cpu().minus(cpuBefore));
    }
    if (events > 0) {
      storm();
    }
    System.out.println("peak_rss_mb=" + peakMegabytes());
    System.out.flush();
    Runtime.getRuntime().halt(0); // Whatever threads are left.
  }

  /** Counts a reconcile; returns whether to patch the object. */
  boolean reconciles(Map<String, String> annotations, String resourceVersion) {
    if (started.get() == 0 && started.compareAndSet(0, System.nanoTime())) {
      cpuAtStart = cpu();
    }
    reconciles.incrementAndGet();
    if (write && annotations != null && "0".equals(annotations.get("bench/ts"))) {
      return true;
    }
    see(Long.parseLong(resourceVersion));
    long count = settled.incrementAndGet();
    if (write && count == objects / 2) {
      half = System.nanoTime();
      cpuAtHalf = cpu();
    }
    if (count == goal.get()) {
      reached.release();
    }
    return false;
  }

  private void see(long version) {
    if (version <= newest.get()) {
      return;
    }
    newest.set(version);
    long wanted = versionGoal.get();
    if (version >= wanted && versionGoal.compareAndSet(wanted, Long.MAX_VALUE)) {
      reached.release();
    }
  }

  /** Has the server change objects as fast as it can; waits for the reconcile of the last change. */
  private void storm() throws IOException, InterruptedException {
    goal.set(-1);
    long before = reconciles.get();
    Duration cpuBefore = cpu();
    long begin = System.nanoTime();
    versionGoal.set(newest.get() + events);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/control/storm?rate=0&count=" + events))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
    await();
    print("event", events, System.nanoTime() - begin, cpu().minus(cpuBefore));
    print("storm_reconciles=%d", reconciles.get() - before);
  }

  private void await() throws InterruptedException {
    if (!reached.tryAcquire(10, TimeUnit.MINUTES)) {
      throw new IllegalStateException("only " + settled + " of " + goal + " reconciles came");
    }
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static long peakMegabytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return 0;
  }

  private static void print(String name, long count, long nanos, Duration cpu) {
    print(
        "%s_per_s=%.0f %s_cpu_us=%.1f",
        name, count * 1e9 / nanos, name, cpu.toNanos() / 1e3 / count);
  }

  private static void print(String format, Object... values) {
    System.out.print(String.format(Locale.ROOT, format, values) + " ");
  }
}
