package dev.clientgo.benchmarks.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A program in a separate JVM, which has done nothing before and is measured alone. */
final class Child implements AutoCloseable {

  /** How the lines begin that hold figures; the others are the log. */
  private static final Pattern FIGURES =
      Pattern.compile("^(scale|client-go-java|at sync:|in the storm:) ");

  private final Process process;
  private final BufferedReader output;

  private Child(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts a program with the class path of this one. */
  static Child start(List<String> options, Class<?> program, List<?> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    arguments.forEach(argument -> command.add(argument.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("BENCH_DETAILS", "1");
    return new Child(builder.start());
  }

  /** Returns the first line that it prints. */
  String firstLine() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IOException("it ended without a word: " + process.info().commandLine());
    }
    return line;
  }

  /**
   * Waits for the end and returns what it printed in the form {@code name=number}.
   *
   * @throws IOException if it failed; the message is what it printed
   */
  Map<String, Double> figures() throws IOException, InterruptedException {
    return figures(
        printed().lines().filter(FIGURES.asPredicate()).collect(Collectors.joining(" ")));
  }

  /**
   * Waits for the end and returns what it printed in lines of the form {@code title: name=number},
   * by title; of two with the same title the first.
   *
   * @throws IOException if it failed; the message is what it printed
   */
  Map<String, Map<String, Double>> titledFigures() throws IOException, InterruptedException {
    Map<String, Map<String, Double>> titled = new LinkedHashMap<>();
    printed()
        .lines()
        .filter(line -> line.contains(": "))
        .forEach(line -> titled.putIfAbsent(line.split(": ", 2)[0], figures(line)));
    return titled;
  }

  private String printed() throws IOException, InterruptedException {
    String printed = String.join("\n", output.lines().toList());
    if (process.waitFor() != 0) {
      throw new IOException(printed);
    }
    return printed;
  }

  private static Map<String, Double> figures(String line) {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String word : line.split(" ")) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        try {
          figures.putIfAbsent(
              word.substring(0, equals), Double.valueOf(word.substring(equals + 1)));
        } catch (NumberFormatException e) {
          // Something that is no figure.
        }
      }
    }
    return figures;
  }

  /** Ends its input, by which it ends, and waits for that. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
