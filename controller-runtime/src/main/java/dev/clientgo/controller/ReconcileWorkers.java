package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.cache.ReconcileWrites;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.debug.RecordedReconcile;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.leaderelection.shard.ShardWork;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a controller that call its reconciler, and the watchdog over them.
 *
 * <p>Corresponds to {@code processNextWorkItem} and {@code reconcileHandler} of
 * controller-runtime's {@code internal/controller}.
 */
final class ReconcileWorkers {

  /**
   * After how long under the eyes of the watchdog a reconcile is worth a warning; the next ones
   * come at twice the time.
   */
  private static final Duration SLOW = Duration.ofMinutes(1);

  /** How long an interrupted reconcile may take to end. */
  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(2);

  /** How often to look whether the caches show the writes of a request that waits for them. */
  private static final Duration GATE_INTERVAL = Duration.ofMillis(5);

  /** After how many reconciles with writes to drop those that are delivered. */
  private static final int GATE_SWEEP = 1024;

  /** Causes may form a circle. */
  private static final int MAX_CAUSES = 50;

  private final String controller;
  private final Reconciler reconciler;
  private final PriorityQueue<Request> queue;
  private final ReconcileMetrics metrics;
  private final ControllerRecording<Request> recording;
  private final ReconcileLog log;
  private final FloodDetector floods;
  private final Clock clock;
  private final @Nullable Duration timeout;
  private final ClientScope scope;
  private final EventRecorder events;

  /** Decides which requests belong to this replica; null if all do. */
  private final @Nullable RequestShards shards;

  /** Set before the threads start. */
  private @Nullable RESTClient rest;

  /** The undelivered writes of the last reconcile of each request; null if it need not wait. */
  private final @Nullable ConcurrentMap<Request, ReconcileWrites> gate;

  private final AtomicLong gatedReconciles = new AtomicLong();
  private final AtomicLong reconcileIds = new AtomicLong();
  private final List<Worker> workers = new ArrayList<>();
  private final Thread watchdog;
  private volatile boolean closing;

  ReconcileWorkers(
      ControllerOptions options,
      PriorityQueue<Request> queue,
      ClientScope scope,
      EventRecorder events,
      ReconcileMetrics metrics,
      ControllerRecording<Request> recording,
      ReconcileLog log,
      Clock clock,
      ThreadFactory threads,
      @Nullable RequestShards shards) {
    this.controller = options.name();
    this.reconciler = options.reconciler();
    this.queue = queue;
    this.metrics = metrics;
    this.recording = recording;
    this.log = log;
    this.floods = new FloodDetector(clock);
    this.clock = clock;
    this.timeout = options.reconcileTimeout();
    this.scope = scope;
    this.events = events;
    this.shards = shards;
    this.gate = options.waitForOwnWrites() ? new ConcurrentHashMap<>() : null;
    for (int i = 0; i < options.workers(); i++) {
      workers.add(new Worker(threads, i));
    }
    watchdog = threads.newThread(this::watch);
    watchdog.setName("controller-" + controller + "-watchdog");
  }

  /**
   * Starts the workers.
   *
   * @param client writes for the reconciler
   */
  void start(RESTClient client) {
    rest = client; // The threads that start see it.
    workers.forEach(worker -> worker.thread.start());
    watchdog.start();
  }

  /**
   * Ends the workers once the queue is shut down: waits for their reconciles, then interrupts them.
   *
   * @param grace how long reconciles may take before they are interrupted
   * @return whether all have ended
   */
  boolean close(Duration grace) {
    closing = true;
    watchdog.interrupt();
    boolean ended = join(grace);
    if (!ended) {
      workers.forEach(Worker::interrupt);
      ended = join(INTERRUPT_TIMEOUT);
    }
    for (Worker worker : workers) {
      ActiveReconcile active = worker.active;
      if (active != null && worker.thread != Thread.currentThread()) {
        log.leftBehind(active.request, active.stack());
      }
    }
    return ended;
  }

  /** Returns whether the calling thread is a worker. */
  boolean containCurrentThread() {
    return workers.stream().anyMatch(worker -> worker.thread == Thread.currentThread());
  }

  /** Waits for all threads but the calling one, which a reconciler may be in. */
  private boolean join(Duration time) {
    List<Thread> threads = new ArrayList<>(List.of(watchdog));
    workers.forEach(worker -> threads.add(worker.thread));
    threads.remove(Thread.currentThread());
    threads.removeIf(thread -> thread.getState() == Thread.State.NEW);
    try {
      return clock.join(threads, time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false; // The caller is in a hurry.
    }
  }

  // ---- the watchdog

  /** Interrupts reconciles whose time is over, and warns of those that take long. */
  private void watch() {
    try {
      while (!closing) {
        long wait = timeout == null ? SLOW.toNanos() : Math.min(timeout.toNanos(), SLOW.toNanos());
        for (Worker worker : workers) {
          ActiveReconcile active = worker.active;
          if (active != null) {
            wait = Math.min(wait, check(active));
          }
        }
        // A reconcile that begins during the wait is not due before the wait ends.
        clock.sleep(Duration.ofNanos(wait));
      }
    } catch (InterruptedException e) {
      // The controller is being closed.
    }
  }

  /** Returns when to check the reconcile again, in nanoseconds from now. */
  private long check(ActiveReconcile active) {
    long now = clock.nanoTime();
    long time = now - active.startedAt;
    long next = Long.MAX_VALUE;
    if (timeout != null) {
      long left = timeout.toNanos() - time;
      if (left > 0) {
        next = left;
      } else if (active.timeOut()) {
        metrics.timedOut();
      }
    }
    // A fake clock may have jumped since the start, so only the time between two looks counts.
    long watched = active.watched(now);
    if (watched >= active.nextWarningNanos) {
      active.nextWarningNanos *= 2;
      log.slow(active.request, Duration.ofNanos(time), active.isTimedOut(), active.stack());
    }
    return Math.min(next, active.nextWarningNanos - watched);
  }

  // ---- a worker

  private final class Worker {

    final Thread thread;
    volatile @Nullable ActiveReconcile active;

    Worker(ThreadFactory threads, int number) {
      thread = threads.newThread(this::run);
      thread.setName("controller-" + controller + "-worker-" + number);
    }

    void interrupt() {
      if (thread != Thread.currentThread()) {
        thread.interrupt();
      }
    }

    private void run() {
      while (!closing && !clock.isStopped()) {
        try {
          Optional<WorkItem<Request>> next = queue.get();
          if (next.isEmpty()) {
            return;
          }
          try (WorkItem<Request> work = next.get()) {
            if (!isHeldBack(work)) {
              processIfOurs(work);
            }
          }
        } catch (InterruptedException e) {
          // The controller is being closed, or a reconciler has left its interrupt behind.
        }
      }
    }

    /** Puts a request back whose last writes the caches do not show yet. */
    private boolean isHeldBack(WorkItem<Request> work) {
      ReconcileWrites last = gate == null ? null : gate.get(work.value());
      if (gate == null || last == null) {
        return false;
      }
      if (last.areDelivered()) {
        gate.remove(work.value(), last);
        return false;
      }
      queue.add(work.value(), AddOptions.create().priority(work.priority()).after(GATE_INTERVAL));
      return true;
    }

    /** Reconciles a request unless its object belongs to another replica. */
    private void processIfOurs(WorkItem<Request> work) throws InterruptedException {
      ActiveReconcile reconcile =
          new ActiveReconcile(work.value(), clock.nanoTime(), SLOW.toNanos());
      if (shards == null) {
        process(work, reconcile, null);
        return;
      }
      Optional<ShardWork> begun;
      try {
        begun = shards.begin(work.value(), reconcile::lose);
      } catch (KubernetesException e) {
        failed(work, e, queue.numRequeues(work.value()));
        return;
      }
      if (begun.isEmpty()) {
        queue.forget(work.value()); // The replica that takes the object reconciles it.
        return;
      }
      try (ShardWork shard = begun.get()) {
        process(work, reconcile, shard);
      }
    }

    @SuppressWarnings("InterruptedExceptionSwallowed") // Of a reconciler: a failure like any other.
    private void process(
        WorkItem<Request> work, ActiveReconcile reconcile, @Nullable ShardWork shard) {
      Request request = work.value();
      int failures = queue.numRequeues(request);
      ReconcileWrites writes = gate == null ? null : new ReconcileWrites();
      long reconcileId = reconcileIds.incrementAndGet();
      Context context =
          new Context(
              controller,
              reconcileId,
              work.priority(),
              failures,
              client(request, writes, shard),
              events,
              shard);
      long start = reconcile.startedAt;
      active = reconcile;
      metrics.active(1);
      RecordedReconcile recorded = recording.begin(request, reconcileId, work.priority());
      Result result = null;
      Throwable error = null;
      try {
        result = reconciler.reconcile(request, context);
        if (result == null) {
          error = new NullPointerException("the reconciler returned null: return Result.done()");
        }
      } catch (Throwable e) {
        // An Error too: were the worker to die of it, one bad object would kill one after the
        // other.
        error = e;
      }
      boolean timedOut = reconcile.end();
      active = null;
      metrics.active(-1);
      holdBack(request, writes);
      if (error != null && timeout != null && timedOut) {
        error = new ReconcileTimeoutException(controller, request, timeout, error);
      }
      Outcome outcome;
      if (result != null) {
        outcome = succeeded(work, result);
      } else if (closing && !timedOut && isInterruption(error)) {
        outcome = Outcome.INTERRUPTED; // By close(): the reconciler has not failed.
        log.interrupted(request);
      } else if (shard != null && shard.isOver()) {
        outcome = Outcome.INTERRUPTED; // The replica that has the object now tries again.
        queue.forget(request);
        log.interrupted(request);
      } else {
        outcome = failed(work, requireNonNull(error, "error"), failures);
      }
      Duration time = Duration.ofNanos(clock.nanoTime() - start);
      metrics.took(time);
      if (floods.isFlood(request)) {
        log.flood(request);
      }
      recording.end(recorded, time, outcome, result == null ? null : result.requeueAfter(), error);
    }

    private Client client(
        Request request, @Nullable ReconcileWrites writes, @Nullable ShardWork shard) {
      RESTClient writer = requireNonNull(rest, "rest");
      return shard == null
          ? new Client(scope, writer, writes, controller, null)
          : new Client(
              scope,
              shard.fence(writer),
              writes,
              controller,
              new Client.OwnObject(request.objectName(), shard));
    }

    /** Notes the writes of a reconcile, for {@link #isHeldBack}. */
    private void holdBack(Request request, @Nullable ReconcileWrites writes) {
      if (gate == null || writes == null || writes.isEmpty()) {
        return;
      }
      gate.put(request, writes);
      if (gatedReconciles.incrementAndGet() % GATE_SWEEP == 0) {
        gate.values().removeIf(ReconcileWrites::areDelivered); // Of requests that do not come back.
      }
    }

    private Outcome succeeded(WorkItem<Request> work, Result result) {
      Request request = work.value();
      queue.forget(request);
      if (result.requeueAfter().isZero()) {
        metrics.succeeded();
        return Outcome.DONE;
      }
      int priority = result.priority().orElse(work.priority());
      recording.requeued(request, result.requeueAfter());
      queue.add(request, AddOptions.create().priority(priority).after(result.requeueAfter()));
      metrics.requeued();
      return Outcome.REQUEUE_AFTER;
    }

    /** Returns whether an error is an interruption, or has one as its cause. */
    private static boolean isInterruption(@Nullable Throwable error) {
      return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
          .limit(MAX_CAUSES)
          .anyMatch(cause -> cause instanceof InterruptedException);
    }

    private Outcome failed(WorkItem<Request> work, Throwable error, int failures) {
      boolean terminal = TerminalException.isIn(error);
      if (!terminal) {
        recording.retried(work.value(), failures + 1);
        AddOptions again = AddOptions.create().priority(work.priority()).rateLimited();
        queue.add(work.value(), again);
      }
      metrics.failed(terminal, ReconcileLog.isPanic(error));
      log.failed(work.value(), error, failures, terminal);
      return terminal ? Outcome.TERMINAL : Outcome.FAILED;
    }
  }
}
