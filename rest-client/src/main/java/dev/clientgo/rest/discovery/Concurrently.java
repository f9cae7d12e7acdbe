package dev.clientgo.rest.discovery;

import dev.clientgo.clock.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks several questions at once. */
final class Concurrently {

  private static final int AT_ONCE = 8;

  private Concurrently() {}

  /** What is done with each element. */
  @FunctionalInterface
  interface Question<T, R> {
    /** Does it. */
    R ask(T element) throws InterruptedException;
  }

  /**
   * Returns the answers, in the order of the elements. The threads have ended, or have been told
   * to, when this returns.
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
