package dev.clientgo.conformance;

import static java.util.Objects.requireNonNull;

import dev.clientgo.conformance.ScriptRun.Outcome;
import dev.clientgo.conformance.ScriptRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of the last run of all scripts with all clients, kept in a file of tabs. */
final class Results {

  private static final Path FILE = Path.of("results.txt");

  private final Map<String, String> versions;
  private final Map<List<String>, Result> results;

  /**
   * Holds results.
   *
   * @param versions the versions of the clients, by their names
   * @param results the results by the names of a script and a client
   */
  Results(Map<String, String> versions, Map<List<String>, Result> results) {
    this.versions = versions;
    this.results = results;
  }

  /** Reads the file. */
  static Results read() throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    Map<List<String>, Result> results = new LinkedHashMap<>();
    for (String line : Files.readAllLines(FILE)) {
      String[] cells = line.split("\t", -1);
      if (cells[0].equals("version")) {
        versions.put(cells[1], cells[2]);
      } else {
        results.put(List.of(cells[0], cells[1]), new Result(Outcome.valueOf(cells[2]), cells[3]));
      }
    }
    return new Results(versions, results);
  }

  /** Writes the file. */
  void write() throws IOException {
    List<String> lines = new ArrayList<>();
    versions.forEach((client, version) -> lines.add("version\t" + client + "\t" + version));
    results.forEach(
        (cell, result) ->
            lines.add(
                String.join("\t", cell)
                    + ("\t" + result.outcome())
                    + ("\t" + result.evidence().replaceAll("\\s+", " "))));
    Files.write(FILE, lines);
  }

  /** Returns the versions of the clients, by their names. */
  Map<String, String> versions() {
    return versions;
  }

  Result of(Script script, String client) {
    List<String> cell = List.of(script.name(), client);
    return requireNonNull(results.get(cell), "no result of " + cell);
  }

  long count(String client, Outcome outcome) {
    return results.entrySet().stream()
        .filter(entry -> entry.getKey().get(1).equals(client))
        .filter(entry -> entry.getValue().outcome() == outcome)
        .count();
  }
}
