package dev.clientgo.cache.watch;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a collection meets some conditions. It uses an informer of its own, so it survives
 * the loss of the connection, and an expired version costs only another list. It may miss an object
 * that is created and deleted during the loss, so a condition should test a state, not a change.
 *
 * <pre>{@code
 * UntilWithSync.until(
 *     ListWatch.of(pods::list, pods::watch),
 *     Duration.ofMinutes(1),
 *     indexer -> false,
 *     List.of(event -> event instanceof WatchEvent.Added<Pod> added && isReady(added.value())));
 * }</pre>
 *
 * <p>Corresponds to client-go's {@code tools/watch.UntilWithSync}.
 */
public final class UntilWithSync {

  private UntilWithSync() {}

  /**
   * Waits until the conditions are met, one after the other. The event that meets one condition is
   * the first that the next condition sees. An exception of a condition ends the wait.
   *
   * @param precondition called once, when the cache has its first list; if it returns true, the
   *     wait ends
   * @param conditions the conditions in the order in which they must be met
   * @return the event that met the last condition; empty if the precondition was met
   * @throws TimeoutException if they are not met in time, or the client is closed
   * @throws InterruptedException if the thread is interrupted
   */
  public static <T extends KubernetesObject> Optional<WatchEvent<T>> until(
      ListerWatcher<T> source,
      Duration timeout,
      Predicate<? super Indexer<T>> precondition,
      List<? extends Predicate<? super WatchEvent<T>>> conditions)
      throws InterruptedException, TimeoutException {
    return until(source, ReflectorOptions.defaults(), timeout, precondition, conditions);
  }

  /** Waits in the same way, with the given options of the informer. */
  public static <T extends KubernetesObject> Optional<WatchEvent<T>> until(
      ListerWatcher<T> source,
      ReflectorOptions options,
      Duration timeout,
      Predicate<? super Indexer<T>> precondition,
      List<? extends Predicate<? super WatchEvent<T>>> conditions)
      throws InterruptedException, TimeoutException {
    if (conditions.isEmpty()) {
      throw new IllegalArgumentException("nothing to wait for");
    }
    Clock clock = options.clock();
    long start = clock.nanoTime();
    try (InformerWatch<T> watch = InformerWatch.open(source, options)) {
      if (!watch.informer().awaitSynced(timeout)) {
        throw new TimeoutException(
            "the collection could not be read in %s: %s"
                .formatted(timeout, watch.informer().health()));
      }
      if (precondition.test(watch.informer().indexer())) {
        return Optional.empty();
      }
      WatchEvent<T> last = null;
      for (Predicate<? super WatchEvent<T>> condition : conditions) {
        while (last == null || !condition.test(last)) {
          WatchEvent<T> seen = last;
          last =
              watch
                  .next(timeout.minusNanos(clock.nanoTime() - start))
                  .orElseThrow(() -> timedOut(timeout, seen));
        }
      }
      return Optional.ofNullable(last);
    }
  }

  private static TimeoutException timedOut(Duration timeout, @Nullable WatchEvent<?> last) {
    return new TimeoutException(
        "the condition was not met in %s; %s"
            .formatted(
                timeout, last == null ? "there was no event" : "the last event was " + last));
  }
}
