package dev.clientgo.rest.discovery;

import dev.clientgo.clock.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several requests at once. */
final class ParallelRequests {

  private static final int AT_ONCE = 8;

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
   */
  static <T, R> List<R> map(List<T> elements, Question<T, R> question) throws InterruptedException {
    if (elements.isEmpty()) {
      return List.of();
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(AT_ONCE, elements.size()), DaemonThreads.named("client-go-discovery-"));
    try {
      List<Future<R>> futures = new ArrayList<>();
      for (T element : elements) {
        futures.add(threads.submit(() -> question.ask(element)));
      }
      List<R> answers = new ArrayList<>();
      for (Future<R> future : futures) {
        answers.add(future.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException("cannot ask the server what it serves", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
