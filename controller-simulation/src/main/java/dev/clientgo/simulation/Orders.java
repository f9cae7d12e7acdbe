package dev.clientgo.simulation;

import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;

/** Chooses the thread that runs next, and records where there was a choice. */
final class Orders {

  /**
   * A moment at which several threads could run.
   *
   * @param threads how many
   * @param state a hash of the cluster and of all that each process has done and seen
   */
  record Point(int threads, int state) {}

  private final Plan plan;
  private final Random random;
  private final boolean records;
  private final IntSupplier state;
  private final FaultPlan faults;
  private final List<Point> points = new ArrayList<>();
  private boolean begun;
  private int number;

  Orders(Plan plan, FaultPlan faults, Random random, boolean records, IntSupplier state) {
    this.plan = plan;
    this.random = random;
    this.records = records;
    this.state = state;
    this.faults = faults;
  }

  /** Counts from now on: the first step begins. */
  void begin() {
    begun = true;
  }

  /** Returns the moments at which there was a choice; none if they are not recorded. */
  List<Point> points() {
    return List.copyOf(points);
  }

  /** Returns which of some threads runs next. */
  int choose(int threads) {
    int usual = plan.seed() == 0 ? 0 : random.nextInt(threads);
    if (!begun || threads < 2) {
      return usual;
    }
    number++;
    if (records) {
      points.add(new Point(threads, state.getAsInt()));
    }
    return faults
        .find(Kind.ORDER, number)
        .map(Fault::view)
        .map(other -> Math.min(other, threads - 1))
        .orElse(usual);
  }
}
