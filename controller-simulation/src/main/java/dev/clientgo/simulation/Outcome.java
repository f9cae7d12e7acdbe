package dev.clientgo.simulation;

import dev.clientgo.simulation.internal.run.History.Traced;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The outcome of one run.
 *
 * @param plan the plan
 * @param violations the oracles that it violates by itself, one a line
 * @param history the history
 * @param trace the history with its details
 * @param rests the state after each step; empty while an event was hidden
 * @param changesByStep how many changes there were until the end of each step
 * @param failing the errors of reconciles that have failed at last, by handler and key
 * @param failingAtRest the same after each step, without those that may fail by the settings
 * @param creates how many objects of each key the controller has created
 * @param deletes how many objects of each key the controller has deleted
 * @param requests how many requests of the controller have reached the server
 * @param writes how many of them were writes
 * @param events how many events have left the server for the controller
 * @param reconciles how many reconciles were observed
 * @param calls how many calls of external services there were
 * @param stops whether the controller does something when it is asked to stop
 * @param elects whether the controller has used a lease
 * @param changes the resource version after each change, in order
 * @param children the objects that the controller had created and that existed after each step
 * @param points where several threads could run; none if they were not recorded
 * @param early the step that has failed because it began before all was at rest; 0 if none
 */
record Outcome(
    Plan plan,
    List<String> violations,
    List<String> history,
    List<Traced> trace,
    List<Optional<Snapshot>> rests,
    List<Integer> changesByStep,
    Map<String, String> failing,
    List<Map<String, String>> failingAtRest,
    Map<String, Integer> creates,
    Map<String, Integer> deletes,
    int requests,
    int writes,
    int events,
    int reconciles,
    int calls,
    boolean stops,
    boolean elects,
    List<String> changes,
    List<List<String>> children,
    List<Orders.Point> points,
    int early) {

  Outcome {
    violations = List.copyOf(violations);
    history = List.copyOf(history);
    rests = List.copyOf(rests);
    changesByStep = List.copyOf(changesByStep);
    failing = new TreeMap<>(failing);
    failingAtRest = List.copyOf(failingAtRest);
    creates = new TreeMap<>(creates);
    deletes = new TreeMap<>(deletes);
    changes = List.copyOf(changes);
  }

  /** Returns the run as its user sees it. */
  SimulatedRun described(List<String> allViolations) {
    return new SimulatedRun(plan, allViolations, history);
  }
}
