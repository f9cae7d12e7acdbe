package dev.clientgo.liveview;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The gate of each stage. Safe for use by many threads. */
final class Gates {

  private final Map<Stage, Gate> gates = new EnumMap<>(Stage.class);

  Gates(Clock clock) {
    for (Stage stage : Stage.values()) {
      gates.put(stage, new Gate(clock));
    }
  }

  Gate of(Stage stage) {
    return requireNonNull(gates.get(requireNonNull(stage, "stage")));
  }

  /** Opens all gates permanently. */
  void close() {
    gates.values().forEach(Gate::close);
  }

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    gates.forEach((stage, gate) -> tree.put(stage.name().toLowerCase(Locale.ROOT), gate.tree()));
    return tree;
  }
}
