package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.debug.RecordedReconcile;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.controller.internal.reconcile.ActiveReconcile;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import dev.clientgo.controller.internal.reconcile.FloodDetector;
import dev.clientgo.controller.internal.reconcile.ReconcileLog;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a controller that take requests from its queue, and the watchdog over them. Each
 * request passes the {@linkplain Attempt.Step steps} of the controller:
 *
 * <ol>
 *   <li>{@link ReconcileTerm}: does this process lead?
 *   <li>{@link OwnWritesGate}, if the controller waits for its own writes
 *   <li>{@link RequestShards#step}, if replicas share the objects
 *   <li>metrics, recording, and the search for floods, here
 *   <li>{@link ReconcileEnd}: what becomes of the request
 *   <li>{@link Watchdog}: the timeout
 *   <li>the call of the reconciler, here
 * </ol>
 *
 * <p>Corresponds to {@code processNextWorkItem} and {@code reconcileHandler} of
 * controller-runtime's {@code internal/controller}.
 */
final class ReconcileWorkers {

  /** How long an interrupted reconcile may take to end. */
  static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(2);

  private final String controller;
  private final Reconciler reconciler;
  private final PriorityQueue<Request> queue;
  private final ReconcileMetrics metrics;
  private final ControllerRecording<Request> recording;
  private final ReconcileLog log;
  private final FloodDetector floods;
  private final Clock clock;
  private final ClientScope scope;
  private final EventRecorder events;
  private final ReconcileEnd end;
  private final Watchdog watchdog;
  private final boolean waitsForOwnWrites;
  private final @Nullable RequestShards shards;

  /** The steps of a request, and its client: set before the threads start. */
  private final List<Attempt.Step> steps = new ArrayList<>();

  private @Nullable Client client;

  private final AtomicLong reconcileIds = new AtomicLong();
  private final CrashLog workerCrashes;
  private final CrashLog watchdogCrashes;
  private final List<Thread> workers = new ArrayList<>();
  private final Thread watchdogThread;
  private volatile boolean closing;

  /**
   * Creates the threads, which {@link #start} starts.
   *
   * @param shards decides which requests belong to this replica; null if all do
   */
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
    this.workerCrashes = new CrashLog(log::warn);
    this.watchdogCrashes = new CrashLog(log::warn);
    this.floods = new FloodDetector(clock);
    this.clock = clock;
    this.scope = scope;
    this.events = events;
    this.waitsForOwnWrites = options.waitForOwnWrites();
    this.shards = shards;
    end = new ReconcileEnd(queue, metrics, recording, log, scope, () -> closing);
    watchdog = new Watchdog(controller, options.reconcileTimeout(), metrics, log, clock);
    for (int i = 0; i < options.workers(); i++) {
      Thread worker = threads.newThread(() -> loop("worker", workerCrashes, this::workOnce));
      worker.setName("controller-" + controller + "-worker-" + i);
      workers.add(worker);
    }
    // No virtual thread: reconciles that compute may occupy all carriers.
    watchdogThread =
        clock
            .threads("controller-")
            .newThread(() -> loop("watchdog", watchdogCrashes, watchdog::watch));
    watchdogThread.setName("controller-" + controller + "-watchdog");
  }

  /**
   * Starts the workers.
   *
   * @param term the time during which reconciles may begin
   */
  void start(ReconcileTerm term) {
    client = new Client(scope, term.client, null, controller, null);
    steps.add(term);
    if (waitsForOwnWrites) {
      OwnWritesGate gate = new OwnWritesGate(queue, log, clock);
      scope.onProgress(gate::release);
      steps.add(gate);
    }
    if (shards != null) {
      steps.add(shards.step(end));
    }
    steps.addAll(List.of(this::measure, this::record, this::findFloods, end, watchdog, this::call));
    workers.forEach(Thread::start);
    watchdogThread.start();
  }

  /**
   * Ends the workers once the queue is shut down: waits for their reconciles, then interrupts them.
   *
   * @param grace how long reconciles may take before they are interrupted
   * @return whether all have ended
   */
  boolean close(Duration grace) {
    closing = true;
    watchdogThread.interrupt();
    boolean ended = join(grace);
    if (!ended) {
      workers.stream().filter(each -> each != Thread.currentThread()).forEach(Thread::interrupt);
      ended = join(INTERRUPT_TIMEOUT);
    }
    watchdog.logLeftBehind();
    return ended;
  }

  /** Returns whether the calling thread is a worker. */
  boolean containCurrentThread() {
    return workers.contains(Thread.currentThread());
  }

  /** Waits for all threads but the calling one, which a reconciler may be in. */
  private boolean join(Duration time) {
    List<Thread> threads = new ArrayList<>(workers);
    threads.add(watchdogThread);
    threads.remove(Thread.currentThread());
    threads.removeIf(thread -> thread.getState() == Thread.State.NEW);
    try {
      return clock.join(threads, time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false; // The caller is in a hurry.
    }
  }

  /** Returns what a loop throws again and again. */
  Optional<String> problem() {
    return workerCrashes.problem().or(watchdogCrashes::problem);
  }

  // ---- the loops

  /** A round of a loop; returns false if there are no more. */
  @FunctionalInterface
  private interface Round {
    boolean run() throws InterruptedException;
  }

  /** Repeats a round until this is closed, whatever it throws: this thread has no successor. */
  private void loop(String name, CrashLog crashes, Round round) {
    String failed = "A " + name + " has failed and goes on: controller=" + controller;
    boolean pauses = false;
    boolean more = true;
    while (more && !closing && !clock.isStopped()) {
      try {
        if (pauses) {
          pauses = false;
          clock.sleep(CallbackGuard.PAUSE);
        }
        more = round.run();
        crashes.succeeded();
      } catch (InterruptedException e) {
        // The controller is being closed, or a reconciler has left its interrupt behind.
      } catch (Throwable e) {
        pauses = true;
        crashes.failed(failed, e);
        try {
          metrics.crashed();
        } catch (Throwable uncounted) {
          // No memory to count it.
        }
      }
    }
  }

  private boolean workOnce() throws InterruptedException {
    Optional<WorkItem<Request>> next = queue.get();
    if (next.isEmpty()) {
      return false;
    }
    try (WorkItem<Request> work = next.get()) {
      try {
        ActiveReconcile reconcile = new ActiveReconcile(work.value(), clock.nanoTime());
        Client base = requireNonNull(client, "client");
        new Attempt(work, reconcile, base, queue, steps).proceed();
      } catch (Throwable e) { // Not of the reconciler: the request is not done.
        AddOptions later = AddOptions.create().priority(work.priority());
        queue.add(work.value(), later.after(CallbackGuard.PAUSE));
        throw e;
      }
    }
    return true;
  }

  // ---- steps

  private void measure(Attempt attempt) throws InterruptedException {
    attempt.id = reconcileIds.incrementAndGet();
    metrics.active(1);
    try {
      attempt.proceed();
    } finally {
      metrics.active(-1);
    }
    metrics.took(took(attempt));
  }

  private void record(Attempt attempt) throws InterruptedException {
    RecordedReconcile recorded = recording.begin(attempt.request, attempt.id, attempt.priority);
    attempt.proceed();
    Duration requeueAfter = attempt.result == null ? null : attempt.result.requeueAfter();
    recording.end(recorded, took(attempt), attempt.outcome(), requeueAfter, attempt.error);
  }

  private Duration took(Attempt attempt) {
    return Duration.ofNanos(clock.nanoTime() - attempt.reconcile.startedAt);
  }

  private void findFloods(Attempt attempt) throws InterruptedException {
    attempt.proceed();
    if (floods.isFlood(attempt.request)) {
      log.flood(attempt.request);
    }
  }

  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a reconciler: a failure like any other.
  private void call(Attempt attempt) {
    Context context =
        new Context(
            controller,
            attempt.id,
            attempt.priority,
            attempt.failures,
            attempt.client,
            events,
            attempt::check);
    try {
      context.checkLeadership(); // The process may have been stopped since the first step.
      attempt.result = reconciler.reconcile(attempt.request, context);
      if (attempt.result == null) {
        attempt.error =
            new NullPointerException("the reconciler returned null: return Result.done()");
      }
    } catch (Throwable e) {
      // An Error too: were the worker to die of it, one bad object would kill one after the other.
      attempt.error = e;
    }
  }
}
