package dev.clientgo.controller.internal.reconcile;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.CrashLog;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Calls a user's functions other than the reconciler, such as predicates. Catches what they throw,
 * logs and counts it, and reports a function that fails repeatedly. Safe for use by many threads.
 */
public final class CallbackGuard {

  /** The delay before the next attempt, if the user's code that decides it fails. */
  public static final Duration PAUSE = Duration.ofSeconds(1);

  private final String controller;
  private final BiConsumer<String, Throwable> log;
  private final Runnable counter;
  private final Map<String, CrashLog> crashes = new ConcurrentHashMap<>();

  /** Creates an instance; {@code counter} counts each failure. */
  public CallbackGuard(String controller, BiConsumer<String, Throwable> log, Runnable counter) {
    this.controller = controller;
    this.log = log;
    this.counter = counter;
  }

  /**
   * Returns the result of a function, or the other value if it throws.
   *
   * @param name of the function, of which failures in a row are a problem
   * @param subject what it is called for
   */
  public <R> R call(String name, Supplier<?> subject, R otherwise, Callable<R> function) {
    Supplier<String> failed =
        () -> {
          counter.run();
          return name + " has failed: controller=" + controller + " for=" + subject.get();
        };
    return crashes
        .computeIfAbsent(name, any -> new CrashLog(log))
        .call(failed, otherwise, function);
  }

  /** Forgets the failures of a function that is not called any more. */
  public void forget(String name) {
    crashes.remove(name);
  }

  /** Returns the last failure of a function that fails again and again. */
  public Optional<String> problem() {
    return crashes.values().stream().flatMap(each -> each.problem().stream()).findFirst();
  }

  /** Returns a limiter that lets a request wait for {@link #PAUSE} if the user's limiter fails. */
  public <R> RateLimiter<R> limiter(RateLimiter<? super R> user) {
    String name = "The rate limiter's ";
    return new RateLimiter<R>() {
      @Override
      public Duration delayFor(R item) {
        return call(
            name + "delayFor", () -> item, PAUSE, () -> requireNonNull(user.delayFor(item)));
      }

      @Override
      public void forget(R item) {
        call(name + "forget", () -> item, 0, Executors.callable(() -> user.forget(item), 0));
      }

      @Override
      public int numRequeues(R item) {
        return call(name + "numRequeues", () -> item, 0, () -> user.numRequeues(item));
      }
    };
  }
}
