package dev.clientgo.controller.internal.reconcile;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a controller that take requests from its queue, and the watchdog over them. Each
 * request passes the {@linkplain Attempt.Step steps} of the controller:
 *
 * <ol>
 *   <li>{@link ReconcileTerm}: does this process lead?
 *   <li>{@link OwnWritesGate}, if the controller waits for its own writes
 *   <li>{@code RequestShards.step}, if replicas share the objects
 *   <li>{@link ReconcilePace#atLeast}, if the controller has a least time between reconciles
 *   <li>metrics, recording, and the search for floods, here; between them the observers of the
 *       program, and the events of Flight Recorder
 *   <li>{@link ReconcileEnd}: what becomes of the request
 *   <li>{@link ReconcilePace#atMost}, if the controller has a longest time between reconciles
 *   <li>{@link Watchdog}: the timeout
 *   <li>{@link LastStep}: calls the reconciler, by {@code ReconcilerCall}
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

  /** How long a worker beyond the least number stays after all were last busy. */
  private static final Duration SURPLUS_AFTER = Duration.ofSeconds(10);

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

  private final String notAdded;
  private final AtomicLong reconcileIds = new AtomicLong();
  private final CrashLog workerCrashes;
  private final CrashLog watchdogCrashes;
  private final CrashLog additionCrashes;

  /** The least and the largest number of workers. */
  private final WorkerRange range;

  private final ThreadFactory threads;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<Thread> workers = new ArrayList<>();

  /** How many workers the thread factory is making. */
  @GuardedBy("lock")
  private int added;

  /** The number of the next worker, for its name. */
  @GuardedBy("lock")
  private int nextWorker;

  /** When all workers were last busy. */
  private volatile long lastShortage;

  /** How many workers have a request; counted if their number varies. */
  private final AtomicInteger busy = new AtomicInteger();

  private final Thread watchdogThread;
  private volatile boolean closing;

  /**
   * Creates the threads, which {@link #start} starts.
   *
   * @param range how many requests are reconciled at a time
   * @param call calls the reconciler
   */
  public ReconcileWorkers(
      String controller,
      WorkerRange range,
      LastStep<R> call,
      PriorityQueue<R> queue,
      FightDetector fights,
      ReconcileMetrics metrics,
      ControllerRecording<R> recording,
      ReconcileLog log,
      Clock clock,
      ThreadFactory threads) {
    this.controller = controller;
    this.notAdded = "A worker could not be added: controller=" + controller;
    this.call = call;
    this.queue = queue;
    this.metrics = metrics;
    this.recording = recording;
    this.log = log;
    this.workerCrashes = new CrashLog(log::warn);
    this.watchdogCrashes = new CrashLog(log::warn);
    this.additionCrashes = new CrashLog(log::warn);
    this.floods = new FloodDetector(clock);
    this.clock = clock;
    end = new ReconcileEnd<>(call, queue, fights, metrics, recording, log, () -> closing);
    watchdog = new Watchdog<>(call, metrics, log, clock);
    this.range = range;
    this.threads = threads;
    this.lastShortage = clock.nanoTime();
    for (int i = 0; i < range.least(); i++) {
      workers.add(newWorker(i));
    }
    nextWorker = range.least();
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
   * @param observers the steps that only look at a reconcile
   * @param inner the steps around the timeout that not every controller has
   */
  public void start(
      ReconcileTerm term,
      List<Attempt.Step<R>> optional,
      List<? extends Attempt.Step<R>> observers,
      List<Attempt.Step<R>> inner) {
    client = term.client;
    steps.add(term::run);
    steps.addAll(optional);
    steps.add(this::measure);
    steps.addAll(observers);
    steps.addAll(List.of(this::record, this::findFloods));
    steps.add(end);
    steps.addAll(inner);
    steps.addAll(List.of(watchdog, call));
    workers().forEach(Thread::start);
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
      workers().stream().filter(each -> each != Thread.currentThread()).forEach(Thread::interrupt);
      ended = join(INTERRUPT_TIMEOUT);
    }
    watchdog.logLeftBehind();
    return ended;
  }

  /** Returns whether the calling thread is a worker. */
  public boolean containCurrentThread() {
    return workers().contains(Thread.currentThread());
  }

  /** Waits for all threads but the calling one, which a reconciler may be in. */
  private boolean join(Duration time) {
    List<Thread> threads = workers();
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

  /** Returns why no worker can be added again and again; the others work. */
  public Optional<String> additionProblem() {
    return additionCrashes.problem();
  }

  private List<Thread> workers() {
    lock.lock();
    try {
      return new ArrayList<>(workers);
    } finally {
      lock.unlock();
    }
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
        crashed(crashes, failed, e);
      }
    }
  }

  private void crashed(CrashLog crashes, String failed, Throwable error) {
    crashes.failed(failed, error);
    try {
      metrics.crashed();
    } catch (Throwable uncounted) {
      // No memory to count it.
    }
  }

  private boolean workOnce() throws InterruptedException {
    Optional<WorkItem<R>> next = queue.get();
    if (next.isEmpty()) {
      return false;
    }
    if (range.varies()) {
      busy.incrementAndGet();
      addWorkerIfAllAreBusy();
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
    } finally {
      if (range.varies()) {
        busy.decrementAndGet();
      }
    }
    return !range.varies() || !endsAsSurplus();
  }

  private Thread newWorker(int number) {
    Thread worker = threads.newThread(() -> loop("worker", workerCrashes, this::workOnce));
    worker.setName("controller-" + controller + "-worker-" + number);
    return worker;
  }

  /** Starts one more worker, for the next request, if all are busy. */
  private void addWorkerIfAllAreBusy() {
    int number;
    lock.lock();
    try {
      if (busy.get() < workers.size() + added) {
        return;
      }
      lastShortage = clock.nanoTime();
      if (workers.size() + added == range.most()) {
        return;
      }
      added++;
      number = nextWorker++;
    } finally {
      lock.unlock();
    }
    Thread worker = null;
    try {
      worker = newWorker(number);
    } catch (Throwable e) { // Of the user's thread factory.
      crashed(additionCrashes, notAdded, e);
    }
    lock.lock();
    try {
      added--;
      if (worker != null && !closing) {
        worker.start();
        workers.add(worker);
        additionCrashes.succeeded();
      }
    } catch (Throwable e) { // No memory for a thread.
      crashed(additionCrashes, notAdded, e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the calling worker if fewer are enough, and have been for a while. One that is not busy
   * remains: a worker is added only by one that takes a request.
   */
  private boolean endsAsSurplus() {
    if (queue.size() > 0 || clock.nanoTime() - lastShortage < SURPLUS_AFTER.toNanos()) {
      return false;
    }
    lock.lock();
    try {
      return workers.size() > range.least()
          && busy.get() < workers.size() - 1
          && workers.remove(Thread.currentThread());
    } finally {
      lock.unlock();
    }
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
