package dev.clientgo.benchmarks.controller;

import dev.clientgo.benchmarks.server.BenchServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@link ReconcileBench}, controller-runtime in Go, the Java Operator SDK and the official client's
 * controller in turn, on a server of the same kind: reads, writes and a storm, with one worker and
 * with sixteen. Prints each run and the medians.
 *
 * <p>Arguments: how many pairs of runs, 3 if not given, and how many objects, 100,000 if not given.
 */
public final class Reconcile {

  private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xmx512m");

  /**
   * The workloads of both sides.
   *
   * @param mode {@code read} or {@code write}
   */
  private record Workload(String mode, int objects, int workers, int events) {
    String name() {
      String what = events > 0 ? events + " events" : mode;
      return objects + " objects, " + what + ", workers " + workers;
    }
  }

  private Reconcile() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int pairs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
    int objects = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
    Map<String, List<String>> sides = new LinkedHashMap<>();
    sides.put("java", java(ReconcileBench.class));
    String go = System.getenv("BENCH_CONTROLLER_RUNTIME");
    if (go != null) {
      sides.put("go", List.of(go));
    }
    String others = System.getenv("BENCH_RECONCILE_JAVA");
    if (others != null) {
      sides.put("josdk", java(others, "dev.clientgo.benchmarks.others.JavaOperatorSdk"));
      sides.put("official", java(others, "dev.clientgo.benchmarks.others.OfficialClient"));
    }
    for (int workers : new int[] {1, 16}) {
      compare(sides, pairs, new Workload("read", objects, workers, 0));
      compare(sides, pairs, new Workload("write", objects, workers, 0));
      compare(sides, pairs, new Workload("read", 1000, workers, 2 * objects));
    }
  }

  private static void compare(Map<String, List<String>> sides, int pairs, Workload workload)
      throws IOException, InterruptedException {
    System.out.println(workload.name());
    Map<String, Map<String, List<Double>>> figures = new TreeMap<>();
    for (int pair = 0; pair < pairs; pair++) {
      for (Map.Entry<String, List<String>> side : sides.entrySet()) {
        String line = run(side.getValue(), workload);
        System.out.println("  " + side.getKey() + ": " + line);
        for (String word : line.trim().split(" ")) {
          String[] figure = word.split("=");
          figures
              .computeIfAbsent(figure[0], name -> new LinkedHashMap<>())
              .computeIfAbsent(side.getKey(), name -> new ArrayList<>())
              .add(Double.valueOf(figure[1]));
        }
      }
    }
    figures.forEach(Reconcile::printMedians);
  }

  private static void printMedians(String figure, Map<String, List<Double>> sides) {
    StringBuilder line = new StringBuilder("  median ").append(figure).append(':');
    sides.forEach((side, values) -> line.append(format(" %s %.2f", side, median(values))));
    double ours = median(sides.get("java"));
    sides.forEach(
        (side, values) -> {
          if (!side.equals("java")) {
            line.append(format(", java/%s %.2f", side, ours / median(values)));
          }
        });
    System.out.println(line);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static List<String> java(Class<?> program, String... arguments) {
    return java(System.getProperty("java.class.path"), program.getName(), arguments);
  }

  private static List<String> java(String classPath, String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", classPath, program));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs one side on a new server, and returns its line of figures. */
  private static String run(List<String> program, Workload workload)
      throws IOException, InterruptedException {
    String objects = Integer.toString(workload.objects());
    Process server =
        new ProcessBuilder(java(BenchServer.class, "0", "configmaps", objects, "1")).start();
    try (BufferedReader serverOutput = server.inputReader()) {
      List<String> command = new ArrayList<>(program);
      command.addAll(
          List.of(
              serverOutput.readLine(),
              workload.mode(),
              objects,
              Integer.toString(workload.workers()),
              Integer.toString(workload.events())));
      Process side =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try (BufferedReader output = side.inputReader()) {
        String line = output.readLine();
        if (line == null || side.waitFor() != 0) {
          throw new IOException("it failed; run it alone to see why: " + command);
        }
        return line;
      }
    } finally {
      server.getOutputStream().close(); // By which it ends.
      server.waitFor();
    }
  }
}
