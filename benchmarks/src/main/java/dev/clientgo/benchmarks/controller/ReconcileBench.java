package dev.clientgo.benchmarks.controller;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.benchmarks.informer.ProcessFigures;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.IncidentRecorder;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ManagerBuilder;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One controller over config maps of {@code bench-server}, in a separate process, and what it
 * costs. {@code benchmarks/reconcile} is its counterpart on controller-runtime in Go, with the same
 * arguments and figures.
 *
 * <p>{@code reconcile-bench URL read|write OBJECTS WORKERS EVENTS}; docs/benchmarks/reconcile.md
 * says what the figures are. With {@code -Dbench.incidents=true} the reconciles are recorded.
 */
public final class ReconcileBench {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** The annotation of an object that is not written yet. */
  private static final String UNWRITTEN = "0";

  private static final Patch PATCH =
      Patch.merge("{\"metadata\":{\"annotations\":{\"bench/ts\":\"1\"}}}");

  private final RESTClient client;
  private final boolean write;
  private final long objects;
  private final AtomicLong reconciles = new AtomicLong();

  /** The reconciles that found nothing to write. */
  private final AtomicLong settled = new AtomicLong();

  /** How many of them are the goal; negative if it is the version. */
  private final AtomicLong goal = new AtomicLong();

  private final AtomicLong newest = new AtomicLong();
  private final AtomicLong versionGoal = new AtomicLong(Long.MAX_VALUE);
  private final Semaphore reached = new Semaphore(0);
  private final AtomicLong started = new AtomicLong();
  private volatile Duration cpuAtStart = Duration.ZERO;
  private volatile long half;
  private volatile Duration cpuAtHalf = Duration.ZERO;

  private ReconcileBench(RESTClient client, boolean write, long objects) {
    this.client = client;
    this.write = write;
    this.objects = objects;
    goal.set(objects);
  }

  /** Runs it once and prints one line. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    if (arguments.length != 5) {
      System.err.println("usage: reconcile-bench URL read|write OBJECTS WORKERS EVENTS");
      System.exit(2);
    }
    try (RESTClient client = RESTClient.create(RestConfig.builder(arguments[0]).build())) {
      new ReconcileBench(client, arguments[1].equals("write"), Long.parseLong(arguments[2]))
          .run(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
    }
  }

  private void run(int workers, int events) throws InterruptedException, IOException {
    long begin = System.nanoTime();
    Duration cpuBefore = ProcessFigures.cpu();
    Controller controller =
        Controller.builder(this::reconcile).forKind(ConfigMap.TYPE).workers(workers).build();
    ManagerBuilder builder = Manager.builder(client);
    IncidentRecorder incidents = IncidentRecorder.create();
    if (Boolean.getBoolean("bench.incidents")) {
      builder.incidents(incidents);
    }
    try (Manager manager = builder.build()) {
      manager.add(controller);
      manager.start();
      await();
      long end = System.nanoTime();
      Duration cpu = ProcessFigures.cpu();
      print(
          "total_s=%.2f total_cpu_s=%.2f sync_s=%.2f",
          (end - begin) / 1e9,
          cpu.minus(cpuBefore).toMillis() / 1e3,
          (started.get() - begin) / 1e9);
      print("first", objects, end - started.get(), cpu.minus(cpuAtStart));
      if (write) {
        print("warm", objects - objects / 2, end - half, cpu.minus(cpuAtHalf));
      } else {
        again(controller, manager.client().resource(ConfigMap.TYPE).list());
      }
      if (events > 0) {
        storm(events);
      }
      if (Boolean.getBoolean("bench.incidents")) {
        print("%s", incidents);
      }
      print("peak_rss_mb=%d%n", ProcessFigures.peakResidentMegabytes());
    }
  }

  /** Reconciles all objects once more, in code that is warm. */
  private void again(Controller controller, List<ConfigMap> all) throws InterruptedException {
    goal.set(2 * objects);
    List<Request> requests = all.stream().map(Request::of).toList();
    Duration cpuBefore = ProcessFigures.cpu();
    long begin = System.nanoTime();
    requests.forEach(controller::enqueue);
    await();
    print("again", objects, System.nanoTime() - begin, ProcessFigures.cpu().minus(cpuBefore));
  }

  /**
   * Has the server change objects as fast as it can; waits for the reconcile of the last change.
   */
  private void storm(int events) throws InterruptedException, IOException {
    goal.set(-1);
    long before = reconciles.get();
    Duration cpuBefore = ProcessFigures.cpu();
    long begin = System.nanoTime();
    versionGoal.set(newest.get() + events);
    try (InputStream answer =
        client
            .post()
            .absPath("control", "storm")
            .param("count", Integer.toString(events))
            .stream()) {
      answer.readAllBytes();
    }
    await();
    print("event", events, System.nanoTime() - begin, ProcessFigures.cpu().minus(cpuBefore));
    print("storm_reconciles=%d", reconciles.get() - before);
  }

  private void await() throws InterruptedException {
    if (!reached.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("only " + settled + " of " + goal + " reconciles came");
    }
  }

  private static void print(String name, long count, long nanos, Duration cpu) {
    print(
        "%s_per_s=%.0f %s_cpu_us=%.1f",
        name, count * 1e9 / nanos, name, cpu.toNanos() / 1e3 / count);
  }

  private static void print(String format, Object... values) {
    System.out.print(String.format(Locale.ROOT, format, values) + " ");
  }

  private Result reconcile(Request request, Context context) throws InterruptedException {
    if (started.get() == 0 && started.compareAndSet(0, System.nanoTime())) {
      cpuAtStart = ProcessFigures.cpu();
    }
    reconciles.incrementAndGet();
    CachedResource<ConfigMap> configMaps = context.client().resource(ConfigMap.TYPE);
    Optional<ConfigMap> found = configMaps.find(request);
    if (found.isEmpty()) {
      return Result.done();
    }
    ConfigMap configMap = found.get();
    Map<String, String> annotations = configMap.metadata().annotations();
    if (write && annotations != null && UNWRITTEN.equals(annotations.get("bench/ts"))) {
      configMaps.inNamespace(request.namespace()).patch(request.name(), PATCH);
      return Result.done();
    }
    see(Long.parseLong(String.valueOf(configMap.metadata().resourceVersion())));
    long count = settled.incrementAndGet();
    if (write && count == objects / 2) {
      half = System.nanoTime();
      cpuAtHalf = ProcessFigures.cpu();
    }
    if (count == goal.get()) {
      reached.release();
    }
    return Result.done();
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
}
