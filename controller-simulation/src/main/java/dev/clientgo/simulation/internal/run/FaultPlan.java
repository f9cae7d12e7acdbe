package dev.clientgo.simulation.internal.run;

import dev.clientgo.simulation.plan.Plan;
import dev.clientgo.simulation.plan.Plan.Fault;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The faults of one run, each of which happens once. */
public final class FaultPlan {

  private final List<Fault> left;

  /** Creates an instance of which no fault has happened yet. */
  public FaultPlan(Plan plan) {
    left = new ArrayList<>(plan.faults());
  }

  /** Returns the faults that have not happened. */
  public List<Fault> left() {
    return List.copyOf(left);
  }

  /**
   * Returns whether a fault happens here, and uses it up.
   *
   * @param at counted from 1; none happens at 0
   */
  public boolean strikes(Kind kind, int at) {
    return find(kind, at).isPresent();
  }

  /** Returns the fault that happens here, and uses it up. */
  public Optional<Fault> find(Kind kind, int at) {
    Optional<Fault> found =
        left.stream().filter(fault -> fault.kind() == kind && fault.at() == at).findFirst();
    found.ifPresent(left::remove);
    return found;
  }
}
