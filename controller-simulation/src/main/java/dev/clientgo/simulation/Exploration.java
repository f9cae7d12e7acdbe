package dev.clientgo.simulation;

import dev.clientgo.apimachinery.unstructured.Unstructured;

/**
 * Changes an object of a custom resource as its schema allows, field by field and then two fields
 * at a time, and looks whether its controller can follow: what Acto (SOSP 2023) does in clusters.
 * Made by {@link ControllerSimulation#explore}.
 *
 * <p>Each change is tried in two runs without faults. One creates the object, changes it, and
 * changes it back; the other creates the changed object in a fresh cluster, deletes its children
 * and then the object. The controller has failed if
 *
 * <ul>
 *   <li>a specification or an invariant fails, or another oracle of a run without faults;
 *   <li>the state after the change differs from that of the fresh cluster;
 *   <li>the state after the change back differs from the first one, or a reconcile still fails;
 *   <li>a reconcile fails at rest, although the server accepts the object. This may be, if it fails
 *       in both runs, is not an error like a {@link NullPointerException}, and the status differs
 *       from that before;
 *   <li>a child does not come back, or anything remains when the object is deleted.
 * </ul>
 *
 * <p>A change that fails is shrunk to the fewest fields that still do. The same seed leads to the
 * same runs. Not safe for use by many threads.
 */
public final class Exploration {

  private final Settings settings;
  private final ExploredObject object;
  private int runs = 400;
  private long seed = 1;

  Exploration(Settings settings, ExploredObject object) {
    this.settings = settings;
    this.object = object;
  }

  /** Sets after how many runs no more changes are tried. Default: 400. */
  public Exploration runs(int runs) {
    if (runs < 1) {
      throw new IllegalArgumentException("there must be at least one run: " + runs);
    }
    this.runs = runs;
    return this;
  }

  /** Sets what orders the fields and chooses the pairs of them. Default: 1. */
  public Exploration seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Tries changes, until there are enough runs or {@linkplain ControllerSimulation#mostFailures
   * failures}. If the object fails without a change, tries no changes.
   *
   * @throws IllegalStateException if the kind has no definition, as a built-in one
   */
  public ExplorationResult run() {
    return new Explorer(settings, object).explore(runs, seed);
  }

  /**
   * Tries one change, without shrinking it.
   *
   * @param change a JSON merge patch of the object, as in a finding
   */
  public ExplorationResult.Finding replay(String change) {
    return new Explorer(settings, object).replay(Unstructured.parse(change).content());
  }
}
