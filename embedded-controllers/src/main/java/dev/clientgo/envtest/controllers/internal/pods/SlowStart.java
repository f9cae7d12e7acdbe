package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.errors.KubernetesException;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a step in batches that double: 1, 2, 4 and so on. If a step of a batch fails, the later
 * batches are left out, so that a quota that is used up is not asked a hundred times.
 *
 * <p>Corresponds to upstream's {@code slowStartBatch}; the steps of a batch come one after the
 * other.
 */
public final class SlowStart {

  /** A step, such as the creation of one pod. */
  @FunctionalInterface
  public interface Step {

    /**
     * Takes the step.
     *
     * @param index the number of the step, from 0
     */
    void run(int index) throws InterruptedException;
  }

  private SlowStart() {}

  /**
   * Takes that many steps, unless a batch fails.
   *
   * @throws KubernetesException the first failure
   */
  public static void run(int count, Step step) throws InterruptedException {
    int done = 0;
    for (int batch = 1; done < count; batch *= 2) {
      @Nullable KubernetesException failure = null;
      int end = Math.min(count, done + batch);
      for (; done < end; done++) {
        try {
          step.run(done);
        } catch (KubernetesException e) {
          failure = failure == null ? e : failure;
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }
}
