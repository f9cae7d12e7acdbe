package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The threads that process the items of a queue, as every controller has them.
 *
 * <p>Each takes an item, has it handled, and marks it done. If the handler returns, the failures of
 * the item are forgotten; if it throws, that is counted, logged and told to {@link
 * Builder#onFailure}, and the item is added again after the delay that its rate limiter asks for,
 * with the priority that it had. So a handler says how it went by returning or throwing, and an
 * item is never lost, never forgotten to be marked done, and never without a backoff.
 *
 * <pre>{@code
 * RateLimitingQueue<String> queue = RateLimitingQueue.create(RateLimiter.defaultController());
 * Workers workers = Workers.start(queue, 4, key -> reconcile(key));
 * ...
 * workers.drain(Duration.ofSeconds(15)); // an orderly end: lets the workers finish
 * }</pre>
 *
 * <p><b>The log.</b> An unchecked exception or an error of the JDK, such as a {@link
 * NullPointerException}, is taken for a bug: it is a warning with its trace, each time. All other
 * failures, such as an error of the API, are a warning of one line from the second in a row of an
 * item on; what the first retry mends is only logged at DEBUG, where the traces are. With {@link
 * Builder#routine} a program names failures that may repeat a little longer, conflicts in
 * particular. An item that is given up is always a warning.
 *
 * <p>The workers end when the queue is shut down and holds no more, or when this is closed. Safe
 * for use by many threads.
 *
 * <p>Corresponds to the {@code runWorker} and {@code processNextWorkItem} that client-go's sample
 * controller asks everybody to write.
 */
public final class Workers implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Workers.class.getName());
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final RateLimitingQueue<?> queue;
  private final List<Worker<?>> workers = new ArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private final CrashLog crashes = new CrashLog(LOG);
  private final Duration closeTimeout;
  private final Clock clock;
  private volatile boolean closing;

  private Workers(Builder<?> builder) {
    this.queue = builder.queue;
    this.closeTimeout = builder.closeTimeout;
    this.clock = builder.clock;
  }

  /** Starts workers on threads of their own: virtual on Java 21 and later, else daemons. */
  public static <T> Workers start(
      RateLimitingQueue<T> queue, int count, ItemHandler<? super T, ?> handler) {
    return builder(queue, handler).count(count).start();
  }

  /**
   * Starts workers.
   *
   * @param count how many items may be processed at the same time
   * @throws IllegalArgumentException if {@code count} is less than 1
   */
  public static <T> Workers start(
      RateLimitingQueue<T> queue,
      int count,
      ItemHandler<? super T, ?> handler,
      ThreadFactory threadFactory) {
    return builder(queue, handler).count(count).threadFactory(threadFactory).start();
  }

  /** Returns a builder of workers for a queue: one worker by default. */
  public static <T> Builder<T> builder(
      RateLimitingQueue<T> queue, ItemHandler<? super T, ?> handler) {
    return new Builder<>(queue, handler);
  }

  /**
   * Returns the last failure of the queue or its rate limiter if several came in a row: for the
   * health of the program. The workers continue.
   */
  public Optional<String> problem() {
    return crashes.problem();
  }

  /** Returns how often the handler has thrown. */
  public long failures() {
    return failures.get();
  }

  /**
   * Ends the workers and their queue as a program ends: shuts the queue down, lets the workers
   * finish what it holds, but no longer than {@code timeout}, and closes both. A handler that still
   * runs is interrupted then, and awaited as long as {@link Builder#closeTimeout} says.
   *
   * <pre>{@code
   * WorkQueue.Unfinished<?> left = workers.drain(Duration.ofSeconds(15));
   * }</pre>
   *
   * <p>May be called more than once; a handler must not call it, since the queue would wait for
   * that handler. If the calling thread is interrupted, this waits for nothing, and the thread
   * stays interrupted.
   *
   * @param timeout the longest wait for the queue; with zero or less this does not wait for it
   * @return the items that were left when the time was up; none if all have been processed
   */
  public WorkQueue.Unfinished<?> drain(Duration timeout) {
    WorkQueue.Unfinished<?> left = null;
    boolean interrupted = false;
    while (left == null) {
      try {
        left = queue.shutDownWithDrain(interrupted ? Duration.ZERO : timeout);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    queue.close();
    close();
    return left;
  }

  /**
   * Ends the workers as {@link #close(Duration)} does, within the time that {@link
   * Builder#closeTimeout} has set. Items that handlers do not give back are logged as a warning.
   */
  @Override
  public void close() {
    List<Object> left = close(closeTimeout);
    if (!left.isEmpty()) {
      LOG.log(
          WARNING,
          "Handlers did not come back when the workers were closed; their threads are left behind."
              + " timeout="
              + closeTimeout
              + " items="
              + left);
    }
  }

  /**
   * Ends the workers: interrupts them, and waits for handlers to come back, but no longer than
   * {@code timeout}. An item whose handler throws on being interrupted is added to the queue again.
   * Does not shut the queue down; {@link #drain} does, and lets the workers finish what there is.
   *
   * <p>May be called more than once, and by a handler, which is not waited for. If the calling
   * thread is interrupted, it stops waiting, and stays interrupted.
   *
   * @return the items whose handlers have not come back: none if all workers have ended. Their
   *     threads end as soon as the handlers return.
   */
  public List<Object> close(Duration timeout) {
    closing = true;
    List<Worker<?>> others = new ArrayList<>(workers);
    others.removeIf(worker -> worker.thread == Thread.currentThread()); // A handler may call this.
    others.forEach(worker -> worker.thread.interrupt());
    try {
      clock.join(others.stream().<Thread>map(worker -> worker.thread).toList(), timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<Object> items = new ArrayList<>();
    for (Worker<?> worker : others) {
      Object item = worker.item;
      if (item != null) {
        items.add(item);
      }
    }
    return List.copyOf(items);
  }

  /** One worker: a thread, and the item that it has in hand. */
  private static final class Worker<T> {

    private final Workers all;
    private final RateLimitingQueue<T> queue;
    private final ItemHandler<? super T, ?> handler;
    private final Consumer<? super WorkFailure<T>> onFailure;
    private final FailureLog log;
    private final int maxRetries;

    /** Our own count, of all workers: that of the queue is only as good as its rate limiter. */
    private final ConcurrentMap<T, Integer> failuresInARow;

    final Thread thread;

    volatile @Nullable T item;

    Worker(
        Workers all,
        Builder<T> builder,
        FailureLog log,
        ConcurrentMap<T, Integer> failuresInARow,
        ThreadFactory threadFactory) {
      this.all = all;
      this.queue = builder.queue;
      this.handler = builder.handler;
      this.onFailure = builder.onFailure;
      this.maxRetries = builder.maxRetries;
      this.log = log;
      this.failuresInARow = failuresInARow;
      this.thread = threadFactory.newThread(this::run);
    }

    private void run() {
      while (!all.closing && !all.clock.isStopped()) {
        try {
          Optional<WorkItem<T>> next = queue.get();
          if (next.isEmpty()) {
            return;
          }
          try (WorkItem<T> work = next.get()) {
            item = work.value();
            process(work);
          } finally {
            item = null;
          }
        } catch (InterruptedException e) {
          // Ours if we are closing. If not, a handler has left it behind, and the next item is not
          // to suffer for that.
        } catch (Throwable e) {
          // Of the queue, or of an item that cannot be hashed: another item may do better.
          all.crashes.failed("A queue has failed; its worker continues after a second.", e);
          pause();
        }
      }
    }

    private void pause() {
      try {
        all.clock.sleep(PAUSE);
      } catch (InterruptedException e) {
        // The loop sees whether this is closing.
      }
    }

    @SuppressWarnings("InterruptedExceptionSwallowed") // Of a handler: a failure like any other.
    private void process(WorkItem<T> work) {
      try {
        handler.handle(work.value());
        forget(work.value());
      } catch (Throwable e) {
        // An Error too: were the worker to die of it, one bad item would kill one after the other.
        all.failures.incrementAndGet();
        failed(work, e);
      }
    }

    private void failed(WorkItem<T> work, Throwable error) {
      boolean closing = all.closing;
      int requeues = failuresInARow.merge(work.value(), 1, Integer::sum) - 1;
      boolean dropped = requeues >= maxRetries && !closing;
      if (dropped) {
        forget(work.value());
      } else {
        addAgain(work);
      }
      WorkFailure<T> failure = new WorkFailure<>(work.value(), error, requeues, dropped);
      tell(() -> log.log(failure, closing));
      tell(() -> onFailure.accept(failure));
    }

    /**
     * Calls code of the caller's, the toString of an item or the hook: it must not cost a worker.
     */
    private static void tell(Runnable call) {
      try {
        call.run();
      } catch (Throwable e) {
        CrashLog.log(LOG, WARNING, "A failure of a handler could not be told", e);
      }
    }

    private void forget(T value) {
      failuresInARow.remove(value);
      try {
        queue.forget(value);
        all.crashes.succeeded();
      } catch (RuntimeException | Error e) {
        all.crashes.failed("A rate limiter has failed to forget an item.", e);
      }
    }

    private void addAgain(WorkItem<T> work) {
      try {
        addRateLimited(work);
        all.crashes.succeeded();
      } catch (RuntimeException | Error e) {
        all.crashes.failed("A rate limiter has failed, the item waits for a second.", e);
        queue.addAfter(work.value(), PAUSE);
      }
    }

    private void addRateLimited(WorkItem<T> work) {
      if (queue instanceof PriorityQueue<T> priorityQueue) {
        priorityQueue.add(
            work.value(), AddOptions.create().priority(work.priority()).rateLimited());
      } else {
        queue.addRateLimited(work.value());
      }
    }
  }

  /**
   * Builds {@link Workers}. Not safe for use by many threads.
   *
   * @param <T> the type of items
   */
  public static final class Builder<T> {

    private final RateLimitingQueue<T> queue;
    private final ItemHandler<? super T, ?> handler;
    private int count = 1;
    private int maxRetries = Integer.MAX_VALUE;
    private Duration closeTimeout = Duration.ofSeconds(10);
    private Predicate<? super Throwable> routine = error -> false;
    private Consumer<? super WorkFailure<T>> onFailure = failure -> {};
    private @Nullable ThreadFactory threadFactory;
    private Clock clock = Clock.system();

    private Builder(RateLimitingQueue<T> queue, ItemHandler<? super T, ?> handler) {
      this.queue = requireNonNull(queue, "queue");
      this.handler = requireNonNull(handler, "handler");
    }

    /**
     * Sets how many items may be processed at the same time; 1 by default.
     *
     * @throws IllegalArgumentException if {@code count} is less than 1
     */
    public Builder<T> count(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("there must be at least one worker: " + count);
      }
      this.count = count;
      return this;
    }

    /**
     * Sets how often an item is tried again after it has failed. An item that fails once more is
     * dropped: its failures are forgotten, {@link #onFailure} is called, and a warning is logged.
     * The next {@code add} of the item starts from zero failures. By default, an item is retried
     * without limit.
     *
     * @throws IllegalArgumentException if {@code maxRetries} is negative
     */
    public Builder<T> maxRetries(int maxRetries) {
      if (maxRetries < 0) {
        throw new IllegalArgumentException("maxRetries must not be negative: " + maxRetries);
      }
      this.maxRetries = maxRetries;
      return this;
    }

    /**
     * Sets the listener for each failure, called after the item has been added again or dropped and
     * before its worker takes the next one. It is called by the worker, so it should be quick; what
     * it throws is logged.
     */
    public Builder<T> onFailure(Consumer<? super WorkFailure<T>> onFailure) {
      this.onFailure = requireNonNull(onFailure, "onFailure");
      return this;
    }

    /**
     * Sets which failures are part of a controller's normal work. They are logged at DEBUG until an
     * item has failed six times in a row. For a controller of Kubernetes objects this is {@code
     * ApiStatusException::isConflictOrNotFound}: the object has changed, or is gone, since the
     * cache was read.
     */
    public Builder<T> routine(Predicate<? super Throwable> routine) {
      this.routine = requireNonNull(routine, "routine");
      return this;
    }

    /** Sets how long {@link Workers#close()} waits for handlers to come back; 10 s by default. */
    public Builder<T> closeTimeout(Duration closeTimeout) {
      this.closeTimeout = requireNonNull(closeTimeout, "closeTimeout");
      return this;
    }

    /** Sets what makes the threads: by default virtual ones on Java 21 and later, else daemons. */
    public Builder<T> threadFactory(ThreadFactory threadFactory) {
      this.threadFactory = requireNonNull(threadFactory, "threadFactory");
      return this;
    }

    /**
     * Sets the clock that waits for the ends of threads, for simulations; the system's by default.
     */
    public Builder<T> clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Starts the workers. */
    public Workers start() {
      Workers workers = new Workers(this);
      FailureLog log = new FailureLog(LOG, routine);
      ConcurrentMap<T, Integer> failuresInARow = new ConcurrentHashMap<>();
      ThreadFactory factory =
          threadFactory == null ? DaemonThreads.named("workqueue-worker-") : threadFactory;
      for (int i = 0; i < count; i++) {
        workers.workers.add(new Worker<>(workers, this, log, failuresInARow, factory));
      }
      workers.workers.forEach(worker -> worker.thread.start());
      return workers;
    }
  }
}
