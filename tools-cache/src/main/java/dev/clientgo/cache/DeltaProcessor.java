package dev.clientgo.cache;

import java.util.List;

/**
 * The consumer of a {@link Queue}: processes the deltas that are taken from it.
 *
 * <p>Corresponds to client-go's {@code tools/cache.PopProcessFunc} and {@code ProcessBatchFunc}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface DeltaProcessor<T> {

  /**
   * Processes deltas, the oldest first. They are out of the queue whether or not this succeeds.
   *
   * @param deltas the deltas, never empty
   * @param isInInitialList whether they belong to the first list of the collection
   * @throws InterruptedException if the thread is interrupted
   * @throws RuntimeException if it fails; the call that took the deltas from the queue throws the
   *     same
   */
  void process(List<Delta<T>> deltas, boolean isInInitialList) throws InterruptedException;
}
