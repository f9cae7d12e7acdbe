package dev.clientgo.rest.discovery;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;

/** Runs several requests at once. */
final class ParallelRequests {

  private static final int AT_ONCE = 8;
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private ParallelRequests() {}

  /** A request about an element. */
  @FunctionalInterface
  interface Question<T, R> {
    /** Sends the request. */
    R ask(T element) throws InterruptedException;
  }

  /**
   * Returns the results, in the order of the elements. When this returns, its threads have ended or
   * are interrupted.
   *
   * @param clock makes the threads and waits for them
   */
  static <T, R> List<R> map(List<T> elements, Question<T, R> question, Clock clock)
      throws InterruptedException {
    List<FutureTask<R>> requests =
        elements.stream().map(element -> new FutureTask<>(() -> question.ask(element))).toList();
    Queue<FutureTask<R>> left = new ConcurrentLinkedQueue<>(requests);
    ThreadFactory factory = clock.threads("client-go-discovery-");
    List<Thread> threads =
        IntStream.range(0, Math.min(AT_ONCE, requests.size()))
            .mapToObj(i -> factory.newThread(() -> runAll(left)))
            .toList();
    threads.forEach(Thread::start);
    try {
      clock.join(threads, FOREVER);
    } finally {
      left.clear();
      threads.forEach(Thread::interrupt); // Does nothing to a thread that has ended.
    }
    return results(requests);
  }

  private static void runAll(Queue<? extends Runnable> left) {
    for (Runnable next = left.poll(); next != null; next = left.poll()) {
      next.run();
    }
  }

  /** Returns the results of requests that have all been answered. */
  private static <R> List<R> results(List<FutureTask<R>> requests) throws InterruptedException {
    List<R> results = new ArrayList<>();
    try {
      for (FutureTask<R> request : requests) {
        results.add(request.get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException("cannot ask the server what it serves", e);
    }
    return results;
  }
}
