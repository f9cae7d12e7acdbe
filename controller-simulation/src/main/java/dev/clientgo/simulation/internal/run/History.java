package dev.clientgo.simulation.internal.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The history of a run, in simulated time, for a person to read; with the oracles that the run has
 * violated, and the time of the last event that may lead to more.
 */
public final class History {

  private static final int TIME_WIDTH = 9;
  private static final int NAME_WIDTH = 14;

  private final LongSupplier nanos;
  private final List<String> lines = new ArrayList<>();
  private final Set<String> violations = new LinkedHashSet<>();
  private long lastActivity;

  public History(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public void add(String who, String what) {
    long millis = (nanos.getAsLong() + 500_000) / 1_000_000;
    String time = millis / 1000 + "." + String.valueOf(1000 + millis % 1000).substring(1);
    lines.add(
        "["
            + padding(time, TIME_WIDTH)
            + time
            + " s] "
            + who
            + padding(who, NAME_WIDTH)
            + " "
            + what);
  }

  private static String padding(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length()));
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
