package dev.clientgo.simulation.internal.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The history of a run, in simulated time, for a person to read; with the oracles that the run has
 * violated, and the time of the last event that may lead to more.
 */
public final class History {

  /**
   * A line of the history, or a detail of it.
   *
   * @param text the same for each run of a plan
   * @param stack where it comes from, to show if the texts of two runs differ; empty if unknown
   */
  public record Traced(String text, String stack) {}

  private final LongSupplier nanos;
  private final List<Traced> trace = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final Set<String> violations = new LinkedHashSet<>();
  private final Map<String, Integer> knowledge = new TreeMap<>();
  private long lastActivity;

  public History(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public void add(String who, String what) {
    long millis = (nanos.getAsLong() + 500_000) / 1_000_000;
    String time = millis / 1000 + "." + String.valueOf(1000 + millis % 1000).substring(1);
    lines.add("[%9s s] %-14s %s".formatted(time, who, what));
    trace.add(new Traced(lines.get(lines.size() - 1), ""));
    learns(who, what.hashCode());
  }

  /** Notes that somebody knows something from now on. */
  public void learns(String who, int what) {
    knowledge.merge(who, what, (before, now) -> 31 * before + now);
  }

  /** Returns a hash of what each process has done and seen, whatever the time was. */
  public int knowledge() {
    return knowledge.hashCode();
  }

  /** Adds to the trace alone what the last line does not tell, such as the body of a request. */
  public void detail(String what, String stack) {
    trace.add(new Traced(what, stack));
  }

  /** Returns the lines and their details. */
  public List<Traced> trace() {
    return List.copyOf(trace);
  }

  /** Notes that an oracle is violated, once for each text. */
  public void violate(String violation) {
    if (violations.add(violation)) {
      add("VIOLATION", violation);
    }
  }

  /** Notes that something has happened that may lead to more. */
  public void activity() {
    lastActivity = nanos.getAsLong();
  }

  /** Returns for how many nanoseconds nothing has happened that may lead to more. */
  public long quietNanos() {
    return nanos.getAsLong() - lastActivity;
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  public List<String> violations() {
    return List.copyOf(violations);
  }
}
