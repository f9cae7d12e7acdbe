package dev.clientgo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.simulation.plan.Plan;
import java.util.List;
import java.util.zip.CRC32;

/**
 * One run of a simulation.
 *
 * @param plan the plan; {@link ControllerSimulation#replay} runs it again
 * @param violations the descriptions of the oracles that were violated, none if the run has passed
 * @param history the history of the run, one event a line
 */
public record SimulatedRun(Plan plan, List<String> violations, List<String> history) {

  public SimulatedRun {
    violations = List.copyOf(violations);
    history = List.copyOf(history);
  }

  /** Returns whether no oracle was violated. */
  public boolean passed() {
    return violations.isEmpty();
  }

  /** Returns a checksum of the history: the same for each replay, on each machine. */
  public String fingerprint() {
    CRC32 checksum = new CRC32();
    history.forEach(line -> checksum.update((line + "\n").getBytes(UTF_8)));
    return String.format("%08x", checksum.getValue());
  }

  /**
   * Does nothing if the run has passed.
   *
   * @throws AssertionError if it has not; its message is that of {@link #describe}
   */
  public void assertPassed() {
    if (!passed()) {
      throw new AssertionError(describe());
    }
  }

  /** Returns the violations, the plan and the history. */
  public String describe() {
    StringBuilder text = new StringBuilder("Plan \"" + plan + '"');
    text.append(passed() ? " passes.\n" : " breaks the controller:\n");
    violations.forEach(violation -> text.append("  - ").append(violation).append('\n'));
    text.append("Replay it by simulation.replay(\"").append(plan).append("\").\n");
    text.append("History, in simulated time:\n");
    history.forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }
}
