package dev.clientgo.benchmarks.controller;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.DebugRecorder;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ManagerBuilder;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cost of a {@link DebugRecorder}: a controller with a reconciler that does nothing, in a storm
 * of events, with and without a recorder in turn.
 *
 * <p>{@code ./benchmarks/run recorder-bench URL EVENTS ROUNDS}, beside {@code bench-server}. It
 * prints the processor time of each storm and the ratio of the medians.
 */
public final class RecorderBench {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final RESTClient client;
  private final int events;

  private RecorderBench(RESTClient client, int events) {
    this.client = client;
    this.events = events;
  }

  /** Runs it and prints a line for each storm. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 3) {
      System.err.println("usage: recorder-bench URL EVENTS ROUNDS");
      System.exit(2);
    }
    int rounds = Integer.parseInt(arguments[2]);
    double[][] micros = new double[2][rounds];
    try (RESTClient client = RESTClient.create(RestConfig.builder(arguments[0]).build())) {
      RecorderBench bench = new RecorderBench(client, Integer.parseInt(arguments[1]));
      bench.storm(false); // The JIT compiler learns in the first two.
      bench.storm(true);
      for (int round = 0; round < rounds; round++) {
        for (int on = 0; on <= 1; on++) {
          // The order changes, so that drift of the machine hits both.
          int which = round % 2 == 0 ? on : 1 - on;
          micros[which][round] = bench.storm(which == 1);
        }
      }
    }
    double off = median(micros[0]);
    double on = median(micros[1]);
    System.out.printf(
        Locale.ROOT, "off: cpu_us=%.2f%non: cpu_us=%.2f%nratio=%.4f%n", off, on, on / off);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Returns the processor time of this process for an event, in microseconds. */
  private double storm(boolean recorded) throws InterruptedException, IOException {
    AtomicLong reconciles = new AtomicLong();
    CountDownLatch all = new CountDownLatch(events);
    Predicate<Pod> counted =
        Predicate.ofUpdates(
            (before, after) -> {
              all.countDown();
              return true;
            });
    ManagerBuilder options = Manager.builder(client);
    if (recorded) {
      options.debugRecorder(DebugRecorder.create());
    }
    try (Manager manager = options.build()) {
      manager.add(
          Controller.builder(
                  (request, context) -> {
                    reconciles.incrementAndGet();
                    return Result.done();
                  })
              .forKind(Pod.TYPE, counted)
              .workers(2)
              .build());
      manager.start();
      if (!manager.awaitReady(PATIENCE)) {
        throw new IllegalStateException("not ready: " + manager.informerHealth());
      }
      awaitQuiet(reconciles);
      System.gc();
      long before = reconciles.get();
      Duration cpu = cpu();
      long start = System.nanoTime();
      send();
      if (!all.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("events are missing: " + all.getCount());
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      double micros = cpu().minus(cpu).toNanos() / 1000.0 / events;
      System.out.printf(
          Locale.ROOT,
          "recorder=%s events_per_s=%d reconciles=%d cpu_us_per_event=%.2f%n",
          recorded ? "on" : "off",
          events * 1000L / Math.max(1, millis),
          reconciles.get() - before,
          micros);
      return micros;
    }
  }

  /** Waits until the objects of the first list are reconciled. */
  private static void awaitQuiet(AtomicLong reconciles) throws InterruptedException {
    long last = -1;
    while (last != reconciles.get()) {
      last = reconciles.get();
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private void send() throws InterruptedException, IOException {
    try (InputStream answer =
        client
            .post()
            .absPath("control", "storm")
            .param("count", Integer.toString(events))
            .param("rate", "0")
            .stream()) {
      answer.readAllBytes();
    }
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
