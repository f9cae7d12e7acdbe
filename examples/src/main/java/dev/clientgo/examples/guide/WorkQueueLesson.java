package dev.clientgo.examples.guide;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.examples.lesson.LocalLesson;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.WorkItem;
import dev.clientgo.workqueue.WorkQueue;
import dev.clientgo.workqueue.metrics.MetricsRecorder;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;

/** Lesson 8 of the guide: the sets of a work queue, step by step, on a clock that stands. */
@Command(
    name = "work-queue",
    description = "Takes work queues through their states, step by step, and ends.")
public final class WorkQueueLesson extends LocalLesson {

  private static final String QUEUE = "pods";

  /** The command line parser calls this. */
  public WorkQueueLesson() {}

  @Override
  protected void run(PrintWriter out) throws InterruptedException {
    sets(out);
    delays(out);
    rateLimits(out);
    forget(out);
    priorities(out);
    shutDown(out);
  }

  /** A queue, and the figures that it gives of itself. */
  private record Watched<Q extends WorkQueue<String>>(
      Q queue, MetricsRecorder metrics, PrintWriter out) {

    void print(String step) {
      int dirty = (int) metrics.snapshot().value(QUEUE, QueueMetric.DEPTH);
      String figures = queue.toString().replaceAll(", shuttingDown=\\w+", "");
      out.printf("%-18s dirty=%d %s%n", step, dirty, figures);
    }

    WorkItem<String> get() throws InterruptedException {
      WorkItem<String> work = queue.get().orElseThrow();
      print("get() -> " + work.value());
      return work;
    }
  }

  private static QueueConfig config(FakeClock clock, MetricsRecorder metrics) {
    return QueueConfig.builder().name(QUEUE).clock(clock).metricsProvider(metrics).build();
  }

  private static void sets(PrintWriter out) throws InterruptedException {
    out.println("== The sets");
    MetricsRecorder metrics = MetricsRecorder.create();
    var pods =
        new Watched<>(WorkQueue.<String>create(config(FakeClock.create(), metrics)), metrics, out);
    for (int i = 0; i < 10; i++) {
      pods.queue.add("a");
    }
    pods.print("add(a), ten times");
    pods.queue.add("b");
    pods.print("add(b)");
    WorkItem<String> a = pods.get();
    pods.queue.add("a");
    pods.print("add(a)");
    WorkItem<String> b = pods.get();
    b.done();
    pods.print("done(b)");
    a.done();
    pods.print("done(a)");
    pods.get().done();
    pods.print("done(a)");
  }

  private static void delays(PrintWriter out) throws InterruptedException {
    out.println("== Delays");
    FakeClock clock = FakeClock.create();
    MetricsRecorder metrics = MetricsRecorder.create();
    var pods =
        new Watched<>(
            RateLimitingQueue.<String>create(
                RateLimiter.defaultController(clock), config(clock, metrics)),
            metrics,
            out);
    pods.queue.addAfter("a", Duration.ofSeconds(10));
    pods.print("addAfter(a, 10 s)");
    pods.queue.addAfter("a", Duration.ofSeconds(60));
    pods.print("addAfter(a, 60 s)");
    pods.queue.add("a");
    pods.print("add(a)");
    pods.get().done();
    pods.print("done(a)");
    clock.advance(Duration.ofSeconds(10));
    pods.queue.size(); // Each call first moves in the items that are due.
    pods.print("10 s later");
  }

  private static void rateLimits(PrintWriter out) {
    out.println("== Rate limits");
    RateLimiter<String> limiter = RateLimiter.defaultController(FakeClock.create());
    for (int failure = 1; failure <= 4; failure++) {
      out.println("failure " + failure + " of a: " + limiter.delayFor("a").toMillis() + " ms");
    }
    out.println("failure 1 of b: " + limiter.delayFor("b").toMillis() + " ms");
    limiter.forget("a");
    out.println("forget(a), failure 1 of a: " + limiter.delayFor("a").toMillis() + " ms");
    for (int other = 0; other < 200; other++) {
      limiter.delayFor("other-" + other);
    }
    out.println("200 others fail, failure 1 of c: " + limiter.delayFor("c").toMillis() + " ms");
  }

  private static void forget(PrintWriter out) throws InterruptedException {
    out.println("== Forget does not replace Done");
    FakeClock clock = FakeClock.create();
    MetricsRecorder metrics = MetricsRecorder.create();
    var pods =
        new Watched<>(
            RateLimitingQueue.<String>create(
                RateLimiter.defaultController(clock), config(clock, metrics)),
            metrics,
            out);
    pods.queue.add("a");
    WorkItem<String> a = pods.get();
    pods.queue.addRateLimited("a");
    pods.print("addRateLimited(a)");
    out.println("numRequeues(a) = " + pods.queue.numRequeues("a"));
    pods.queue.forget("a");
    pods.print("forget(a)");
    out.println("numRequeues(a) = " + pods.queue.numRequeues("a"));
    clock.advance(Duration.ofMillis(5));
    pods.queue.size();
    pods.print("5 ms later");
    a.done();
    pods.print("done(a)");
  }

  private static void priorities(PrintWriter out) throws InterruptedException {
    out.println("== Priorities");
    PriorityQueue<String> pods = PriorityQueue.create();
    AddOptions low = AddOptions.create().priority(PriorityQueue.LOW_PRIORITY);
    pods.addAll(List.of("list-1", "list-2", "list-3"), low);
    pods.add("changed");
    pods.add("list-3"); // Now it has changed, too.
    while (pods.size() > 0) {
      try (WorkItem<String> work = pods.get().orElseThrow()) {
        out.println("get() -> " + work.value() + ", priority " + work.priority());
      }
    }
  }

  private static void shutDown(PrintWriter out) throws InterruptedException {
    out.println("== The end");
    MetricsRecorder metrics = MetricsRecorder.create();
    var pods =
        new Watched<>(WorkQueue.<String>create(config(FakeClock.create(), metrics)), metrics, out);
    pods.queue.add("a");
    pods.queue.add("b");
    WorkItem<String> a = pods.get();
    out.println("shutDownWithDrain(0 s): " + pods.queue.shutDownWithDrain(Duration.ZERO));
    pods.queue.add("c");
    pods.print("add(c)");
    pods.get().done();
    a.done();
    out.println("get() -> " + pods.queue.get().map(WorkItem::value).orElse("the worker ends"));
  }
}
