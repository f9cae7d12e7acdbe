package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.internal.http.DeadlineTimer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the events of a watch meet conditions, one after the other.
 *
 * <p>The event that meets one condition is also the first event for the next condition. An
 * exception of a condition ends the wait. To wait for one object, use {@link ResourceClient#await}.
 * Corresponds to client-go's {@code tools/watch.Until} and {@code UntilWithoutRetry}.
 */
public final class Until {

  /**
   * A condition on an event.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  public interface Condition<T> {
    /** Returns whether an event meets the condition. */
    boolean isMet(WatchEvent<T> event) throws InterruptedException;
  }

  private Until() {}

  /**
   * Waits, and opens another watch when one ends.
   *
   * @param options select the objects, with the resourceVersion after which to begin
   * @param source opens the watches
   * @param conditions in the order in which they must be met
   * @return the event that met the last condition
   * @throws TimeoutException if the timeout expires first
   * @throws InterruptedException if the thread is interrupted
   */
  public static <T extends KubernetesObject> WatchEvent<T> until(
      ListOptions options,
      RetryWatcher.Source<T> source,
      Duration timeout,
      List<Condition<T>> conditions)
      throws InterruptedException, TimeoutException {
    return withoutRetry(RetryWatcher.create(options, source), timeout, conditions);
  }

  /**
   * Waits as long as a watch lasts, and closes it.
   *
   * @param conditions in the order in which they must be met
   * @return the event that met the last condition
   * @throws TimeoutException if the timeout expires first
   * @throws TransportException if the watch ends first
   * @throws InterruptedException if the thread is interrupted
   */
  public static <T> WatchEvent<T> withoutRetry(
      Watch<T> watch, Duration timeout, List<Condition<T>> conditions)
      throws InterruptedException, TimeoutException {
    return withoutRetry(watch, timeout, conditions, Clock.system());
  }

  static <T> WatchEvent<T> withoutRetry(
      Watch<T> watch, Duration timeout, List<Condition<T>> conditions, Clock clock)
      throws InterruptedException, TimeoutException {
    if (conditions.isEmpty()) {
      throw new IllegalArgumentException("nothing to wait for");
    }
    try (watch;
        DeadlineTimer timer = DeadlineTimer.start(clock, timeout, watch::close)) {
      WatchEvent<T> last = null;
      for (Condition<T> condition : conditions) {
        while (last == null || !condition.isMet(last)) {
          Optional<WatchEvent<T>> next = watch.next();
          if (next.isEmpty()) {
            throw ended(timer, timeout, last);
          }
          last = next.get();
        }
      }
      return requireNonNull(last, "last");
    }
  }

  private static RuntimeException ended(
      DeadlineTimer timer, Duration timeout, @Nullable WatchEvent<?> last) throws TimeoutException {
    String seen = last == null ? "there was no event" : "the last event was " + last;
    if (timer.hasExpired()) {
      throw new TimeoutException("what was waited for did not come in " + timeout + "; " + seen);
    }
    return new TransportException(
        TransportException.Kind.CONNECTION_LOST,
        "the watch ended before what was waited for came; " + seen,
        null);
  }
}
