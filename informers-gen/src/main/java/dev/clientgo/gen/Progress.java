package dev.clientgo.gen;

/** Receives how far a run of the generator has come. */
@FunctionalInterface
public interface Progress {

  /**
   * Called at the start of a step.
   *
   * @param step the action and its object, such as {@code generating com.example.v1.CronTab}
   * @param number how many such steps have begun, this one among them
   * @param total how many there are
   */
  void step(String step, int number, int total);
}
