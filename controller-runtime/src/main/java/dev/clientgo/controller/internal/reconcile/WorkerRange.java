package dev.clientgo.controller.internal.reconcile;

/**
 * How many workers a controller has.
 *
 * @param least those that it always has
 * @param most those that it has while requests wait
 */
public record WorkerRange(int least, int most) {

  public WorkerRange {
    if (least < 1) {
      throw new IllegalArgumentException("there must be at least one worker: " + least);
    }
    if (most < least) {
      throw new IllegalArgumentException(
          "the largest number of workers is less than the least: " + most + " < " + least);
    }
  }

  /** Returns whether the number follows the load. */
  boolean varies() {
    return most > least;
  }
}
