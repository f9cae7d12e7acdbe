package dev.clientgo.controller.internal.reconcile;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.debug.RecordedReconcile;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.rest.RESTClient;
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
 *   <li>{@code RequestShards.step}, if replicas share the objects
 *   <li>metrics, recording, and the search for floods, here
 *   <li>{@link ReconcileEnd}: what becomes of the request
 *   <li>{@link Watchdog}: the timeout
 *   <li>{@link LastStep}: calls the reconciler
 * </ol>
 *
 * <p>Corresponds to {@code processNextWorkItem} and {@code reconcileHandler} of
 * controller-runtime's {@code internal/controller}.
 *
 * @param <R> the type of the requests
 */
public final class ReconcileWorkers<R> {

  /** How long an interrupted reconcile may take to end. */
  public static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(2);

  private final String controller;
  private final LastStep<R> call;
  private final PriorityQueue<R> queue;
  private final ReconcileMetrics metrics;
  private final ControllerRecording<R> recording;
  private final ReconcileLog log;
  private final FloodDetector floods;
  private final Clock clock;
  private final ReconcileEnd<R> end;
  private final Watchdog<R> watchdog;

  /** The steps of a request, and its client: set before the threads start. */
  private final List<Attempt.Step<R>> steps = new ArrayList<>();

  private @Nullable RESTClient client;

  private final AtomicLong reconcileIds = new AtomicLong();
  private final CrashLog workerCrashes;
  private final CrashLog watchdogCrashes;
  private final List<Thread> workers = new ArrayList<>();
  private final Thread watchdogThread;
  private volatile boolean closing;

  /**
   * Creates the threads, which {@link #start} starts.
   *
   * @param number how many requests are reconciled at a time
   * @param call calls the reconciler
   */
  public ReconcileWorkers(
      String controller,
      int number,
      LastStep<R> call,
      PriorityQueue<R> queue,
      FightDetector fights,
      ReconcileMetrics metrics,
      ControllerRecording<R> recording,
      ReconcileLog log,
      Clock clock,
      ThreadFactory threads) {
    this.controller = controller;
    this.call = call;
    this.queue = queue;
    this.metrics = metrics;
    this.recording = recording;
    this.log = log;
    this.workerCrashes = new CrashLog(log::warn);
    this.watchdogCrashes = new CrashLog(log::warn);
    this.floods = new FloodDetector(clock);
    this.clock = clock;
    end = new ReconcileEnd<>(call, queue, fights, metrics, recording, log, () -> closing);
    watchdog = new Watchdog<>(call, metrics, log, clock);
    for (int i = 0; i < number; i++) {
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

  /** Returns the step that decides what becomes of a request after its reconcile. */
  public ReconcileEnd<R> end() {
    return end;
  }

  /**
   * Starts the workers.
   *
   * @param term the time during which reconciles may begin
   * @param optional the steps after it that not every controller has
   */
  public void start(ReconcileTerm term, List<Attempt.Step<R>> optional) {
    client = term.client;
    steps.add(term::run);
    steps.addAll(optional);
    steps.addAll(List.of(this::measure, this::record, this::findFloods, end, watchdog, call));
    workers.forEach(Thread::start);
    watchdogThread.start();
  }

  /**
   * Ends the workers once the queue is shut down: waits for their reconciles, then interrupts them.
   *
   * @param grace how long reconciles may take before they are interrupted
   * @return whether all have ended
   */
  public boolean close(Duration grace) {
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
  public boolean containCurrentThread() {
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
  public Optional<String> problem() {
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
    String failed = "A " + name + " has failed and continues: controller=" + controller;
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
    Optional<WorkItem<R>> next = queue.get();
    if (next.isEmpty()) {
      return false;
    }
    try (WorkItem<R> work = next.get()) {
      try {
        ActiveReconcile reconcile = new ActiveReconcile(work.value(), clock.nanoTime());
        RESTClient base = requireNonNull(client, "client");
        new Attempt<>(work, reconcile, base, queue, steps).proceed();
      } catch (Throwable e) { // Not of the reconciler: the request is not done.
        AddOptions later = AddOptions.create().priority(work.priority());
        queue.add(work.value(), later.after(CallbackGuard.PAUSE));
        throw e;
      }
    }
    return true;
  }

  // ---- steps

  private void measure(Attempt<R> attempt) throws InterruptedException {
    attempt.id = reconcileIds.incrementAndGet();
    metrics.active(1);
    try {
      attempt.proceed();
    } finally {
      metrics.active(-1);
    }
    metrics.took(took(attempt));
  }

  private void record(Attempt<R> attempt) throws InterruptedException {
    RecordedReconcile recorded = recording.begin(attempt.request, attempt.id, attempt.priority);
    attempt.proceed();
    recording.end(recorded, took(attempt), attempt.outcome(), attempt.requeueAfter, attempt.error);
  }

  private Duration took(Attempt<R> attempt) {
    return Duration.ofNanos(clock.nanoTime() - attempt.reconcile.startedAt);
  }

  private void findFloods(Attempt<R> attempt) throws InterruptedException {
    attempt.proceed();
    if (floods.isFlood(attempt.request)) {
      log.flood(attempt.request);
    }
  }
}
