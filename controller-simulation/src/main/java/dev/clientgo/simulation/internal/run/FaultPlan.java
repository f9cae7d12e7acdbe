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

  /** Returns whether a fault happens here, and uses it up. */
  public boolean strikes(Kind kind, int at) {
    return left.remove(Fault.of(kind, at));
  }

  /** Returns the stale restart that happens after a step, and uses it up. */
  public Optional<Fault> staleRestart(int step) {
    Optional<Fault> found =
        left.stream()
            .filter(fault -> fault.kind() == Kind.STALE_RESTART && fault.at() == step)
            .findFirst();
    found.ifPresent(left::remove);
    return found;
  }
}
