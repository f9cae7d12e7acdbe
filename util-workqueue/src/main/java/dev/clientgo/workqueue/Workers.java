package dev.clientgo.workqueue;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads that process the items of a queue, as every controller has them.
 *
 * <p>Each takes an item, has it handled, and marks it done. If the handler returns, the failures of
 * the item are forgotten; if it throws, that is logged and counted, and the item is added again
 * after the delay that its rate limiter asks for, with the priority that it had. So a handler says
 * how it went by returning or throwing, and an item is never lost, never forgotten to be marked
 * done, and never without a backoff.
 *
 * <pre>{@code
 * try (RateLimitingQueue<String> queue = RateLimitingQueue.create(RateLimiter.defaultController());
 *     Workers workers = Workers.start(queue, 4, key -> reconcile(key))) {
 *   ...
 *   queue.shutDownWithDrain(); // an orderly end: let the workers finish
 * }
 * }</pre>
 *
 * <p>The workers end when the queue is shut down and holds no more, or when this is closed. Safe
 * for use by many threads.
 *
 * <p>Corresponds to the {@code runWorker} and {@code processNextWorkItem} that client-go's sample
 * controller asks everybody to write.
 */
public final class Workers implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(Workers.class.getName());

  /** How long {@link #close} waits for handlers to come back. */
  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean closing;

  private Workers() {}

  /** Starts workers on threads of their own: virtual on Java 21 and later, else daemons. */
  public static <T> Workers start(
      RateLimitingQueue<T> queue, int count, ItemHandler<? super T, ?> handler) {
    return start(queue, count, handler, WorkerThreads.named("workqueue-worker-"));
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
    requireNonNull(queue, "queue");
    requireNonNull(handler, "handler");
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least one worker: " + count);
    }
    Workers workers = new Workers();
    for (int i = 0; i < count; i++) {
      workers.threads.add(threadFactory.newThread(() -> workers.run(queue, handler)));
    }
    workers.threads.forEach(Thread::start);
    return workers;
  }

  /** Returns how often the handler has thrown. */
  public long failures() {
    return failures.get();
  }

  private <T> void run(RateLimitingQueue<T> queue, ItemHandler<? super T, ?> handler) {
    while (!closing) {
      try {
        Optional<WorkItem<T>> next = queue.get();
        if (next.isEmpty()) {
          return;
        }
        try (WorkItem<T> work = next.get()) {
          process(queue, work, handler);
        }
      } catch (InterruptedException e) {
        // Ours if we are closing. If not, a handler has left it behind, and the next item is not to
        // suffer for that.
      }
    }
  }

  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a handler: a failure like any other.
  private <T> void process(
      RateLimitingQueue<T> queue, WorkItem<T> work, ItemHandler<? super T, ?> handler) {
    try {
      handler.handle(work.value());
      queue.forget(work.value());
    } catch (Throwable e) {
      // An Error too: were the worker to die of it, one bad item would kill one after the other.
      failures.incrementAndGet();
      LOGGER.log(WARNING, "A handler failed; the item is tried again. item=" + work.value(), e);
      retry(queue, work);
    }
  }

  private static <T> void retry(RateLimitingQueue<T> queue, WorkItem<T> work) {
    if (queue instanceof PriorityQueue<T> priorityQueue) {
      priorityQueue.add(work.value(), AddOptions.create().priority(work.priority()).rateLimited());
    } else {
      queue.addRateLimited(work.value());
    }
  }

  /**
   * Ends the workers: interrupts them, and waits for up to ten seconds for handlers to come back.
   * An item whose handler throws on being interrupted is added to the queue again. Does not shut
   * the queue down; to let the workers finish what there is, call {@link
   * WorkQueue#shutDownWithDrain} before.
   */
  @Override
  public void close() {
    closing = true;
    List<Thread> others = new ArrayList<>(threads);
    others.remove(Thread.currentThread()); // A handler may call this.
    others.forEach(Thread::interrupt);
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    try {
      for (Thread thread : others) {
        long left = JOIN_NANOS - (clock.nanoTime() - start);
        if (left > 0) {
          TimeUnit.NANOSECONDS.timedJoin(thread, left);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
