package dev.clientgo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.simulation.internal.run.History.Traced;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Compares runs of the plan without faults, which must be equal in each JVM. */
final class Replays {

  /** Numbers the simulations of a JVM. */
  private static final AtomicInteger SIMULATIONS = new AtomicInteger();

  /** Ends the report of what the plan does not decide. */
  static final String OPT_OUT =
      "\n    (if it does not matter, say so by outside(\"a part of this text\"))";

  private final List<Traced> expected;

  Replays(Outcome expected) {
    this.expected = expected.trace();
  }

  /** Returns the first line that differs from that of another run; empty if none does. */
  List<String> differences(List<Traced> other, String which) {
    int both = Math.min(expected.size(), other.size());
    for (int i = 0; i <= both; i++) {
      String one = i < expected.size() ? expected.get(i).text() : "(the end)";
      String two = i < other.size() ? other.get(i).text() : "(the end)";
      if (!one.equals(two)) {
        String stack = i < expected.size() ? expected.get(i).stack() : "";
        String written = stack.isEmpty() ? "" : "\n    which is written" + stack;
        return List.of(
            "the controller does not depend on the plan alone: %s of it has\n      %s\n    instead of\n      %s%s%s"
                .formatted(which, two, one, written, OPT_OUT));
      }
    }
    return List.of();
  }

  /**
   * Compares with the run of an earlier JVM, if the system property {@value
   * ControllerSimulation#HISTORIES} is set. The first JVM writes the file for it.
   */
  List<String> differencesFromOtherJvm() {
    String directory = System.getProperty(ControllerSimulation.HISTORIES, "");
    int number = SIMULATIONS.incrementAndGet();
    if (directory.isEmpty()) {
      return List.of();
    }
    Path file = Path.of(directory, "simulation-" + number + ".txt");
    List<String> lines =
        expected.stream().map(traced -> traced.text().replaceAll("[\r\n]+", " ")).toList();
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(file.getParent());
        Files.write(file, lines, UTF_8);
        return List.of();
      }
      List<Traced> other =
          Files.readAllLines(file, UTF_8).stream().map(line -> new Traced(line, "")).toList();
      return differences(other, "a run in the JVM that has written " + file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compare histories: " + file, e);
    }
  }
}
