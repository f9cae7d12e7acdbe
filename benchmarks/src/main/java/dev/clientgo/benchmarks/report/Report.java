package dev.clientgo.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A folder with the figures as a table for people, one for programs, and plots. */
final class Report {

  private final Path folder;
  private final Map<String, String> machine;
  private final List<Figure> figures = new ArrayList<>();
  private final List<String> plots = new ArrayList<>();

  Report(Path folder, Map<String, String> machine) {
    this.folder = folder;
    this.machine = machine;
  }

  /** Adds figures, and writes what there is so far, so that nothing is lost if a run is ended. */
  void add(List<Figure> more) throws IOException {
    figures.addAll(more);
    write();
  }

  /** Writes a plot. */
  void plot(String name, String svg) throws IOException {
    Files.writeString(folder.resolve(name + ".svg"), svg);
    plots.add(name);
    write();
  }

  private void write() throws IOException {
    Files.createDirectories(folder);
    Files.write(folder.resolve("figures.csv"), csv());
    Files.write(folder.resolve("report.md"), markdown());
  }

  private List<String> csv() {
    List<String> lines = new ArrayList<>(List.of("benchmark,figure,value"));
    machine.forEach((name, value) -> lines.add("machine," + name + "," + quoted(value)));
    for (Figure figure : figures) {
      lines.add(quoted(figure.benchmark()) + "," + figure.name() + "," + figure.value());
    }
    return lines;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private List<String> markdown() {
    List<String> lines = new ArrayList<>(List.of("# Benchmarks", "", "| | |", "|---|---|"));
    machine.forEach((name, value) -> lines.add("| " + name + " | " + value + " |"));
    String benchmark = "";
    for (Figure figure : figures) {
      if (!figure.benchmark().equals(benchmark)) {
        benchmark = figure.benchmark();
        lines.addAll(List.of("", "**" + benchmark + "**", "", "| figure | |", "|---|---|"));
      }
      lines.add("| " + figure.name() + " | " + figure.text() + " |");
    }
    lines.add("");
    plots.forEach(plot -> lines.add("![" + plot + "](" + plot + ".svg)"));
    return lines;
  }
}
