package dev.clientgo.simulation.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All that one run depends on: the seed of its schedule and its faults. Immutable. The text form,
 * such as {@code 17+crash-after-write:3}, replays the run: {@code ControllerSimulation.replay}.
 *
 * @param seed decides which thread runs next and how long each request takes; 0 for a run in which
 *     all requests take the same time and threads run in turn
 * @param faults the faults
 */
public record Plan(long seed, List<Fault> faults) {

  public Plan {
    faults = List.copyOf(faults);
  }

  /** Returns a plan. */
  public static Plan of(long seed, Fault... faults) {
    return new Plan(seed, List.of(faults));
  }

  /**
   * Parses the text form.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Plan parse(String text) {
    List<String> parts = new ArrayList<>(List.of(text.trim().split("\\+", -1)));
    try {
      long seed = Long.parseLong(parts.remove(0));
      return new Plan(seed, parts.stream().map(Fault::parse).toList());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "not a plan: \"" + text + "\"; one looks like 17+crash-after-write:3", e);
    }
  }

  /** Returns the plan without one of its faults. */
  public Plan without(int index) {
    List<Fault> fewer = new ArrayList<>(faults);
    fewer.remove(index);
    return new Plan(seed, fewer);
  }

  @Override
  public String toString() {
    return seed + faults.stream().map(fault -> "+" + fault).collect(Collectors.joining());
  }
}
