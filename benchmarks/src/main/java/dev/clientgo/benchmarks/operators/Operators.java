package dev.clientgo.benchmarks.operators;

import dev.clientgo.benchmarks.report.Machine;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The operator of examples/website-operator beside the same on controller-runtime in Go and on the
 * Java Operator SDK. The sides take turns, each on a new kube-apiserver. Prints each run, and a
 * table of medians and ranges.
 *
 * <p>{@code ./benchmarks/run operators [SITES [ROUNDS]]}; docs/benchmarks/operators.md explains the
 * figures.
 */
public final class Operators {

  private static final Duration IDLE = Duration.ofSeconds(20);

  /** How long after the last reconcile the work on sites is counted: late events, compilers. */
  private static final Duration SETTLE = Duration.ofSeconds(5);

  private static final int CHANGES = 3;

  private final Path crd;
  private final int count;
  private final Path folder = Files.createTempDirectory("operators-");

  /** The children of the first side, which the others must have, too. */
  private List<Object> children = List.of();

  private Operators(Path crd, int count) throws IOException {
    this.crd = crd;
    this.count = count;
  }

  /** Runs it. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, TimeoutException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    if (!KubeApiServer.isAvailable()) {
      System.err.println("It needs the binaries of envtest/kube-apiserver/build");
      System.exit(1);
    }
    Map<String, List<String>> sides = sides();
    Operators operators = new Operators(Path.of(System.getenv("BENCH_WEBSITE_CRD")), count);
    System.err.println("The logs of the operators are in " + operators.folder);
    Machine.describe().forEach((fact, value) -> System.out.println(fact + ": " + value));
    Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (Map.Entry<String, List<String>> side : sides.entrySet()) {
        System.out.println("round " + round + ", " + side.getKey());
        Map<String, Double> run = operators.run(side.getKey(), side.getValue());
        run.forEach(
            (figure, value) ->
                figures
                    .computeIfAbsent(figure, name -> new LinkedHashMap<>())
                    .computeIfAbsent(side.getKey(), name -> new ArrayList<>())
                    .add(value));
      }
    }
    System.out.println("load after: " + Machine.describe().get("load before"));
    printTable(sides.keySet(), figures);
  }

  /** Returns the commands of the operators by their names in the table. */
  private static Map<String, List<String>> sides() {
    Map<String, List<String>> sides = new LinkedHashMap<>();
    sides.put(
        "this library",
        java(System.getenv("BENCH_WEBSITE_OPERATOR"), "dev.clientgo.examples.website.Main"));
    String go = System.getenv("BENCH_CONTROLLER_RUNTIME");
    if (go != null) {
      sides.put("controller-runtime", List.of(go));
    }
    String others = System.getenv("BENCH_RECONCILE_JAVA");
    if (others != null) {
      sides.put(
          "Java Operator SDK", java(others, "dev.clientgo.benchmarks.others.WebsiteOperator"));
    }
    return sides;
  }

  private static List<String> java(String classPath, String program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getenv("BENCH_SIDE_JAVA_OPTS").split(" ")));
    command.addAll(List.of("-cp", classPath, program));
    return command;
  }

  /** Runs one side on a new server, and returns its figures in the order of the table. */
  private Map<String, Double> run(String side, List<String> command)
      throws IOException, InterruptedException, TimeoutException {
    Path log = folder.resolve(side.replace(' ', '-') + ".log");
    Path kubeconfig = folder.resolve("kubeconfig");
    // A Service needs an address; by default there are 254.
    String addresses = "--service-cluster-ip-range=10.0.0.0/16";
    try (KubeApiServer server = KubeApiServer.builder().flag(addresses).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.installCrds(crd);
      server.writeKubeconfig(kubeconfig);
      try (Sites sites = new Sites(client)) {
        sites.create(1);
        long begin = System.nanoTime();
        try (OperatorProcess operator = OperatorProcess.start(command, kubeconfig, log)) {
          sites.awaitReconciled(operator);
          return measure(operator, sites, begin);
        }
      }
    }
  }

  private Map<String, Double> measure(OperatorProcess operator, Sites sites, long begin)
      throws InterruptedException, TimeoutException {
    Figures figures = new Figures();
    figures.put("start: time, s", secondsSince(begin));
    figures.put("start: processor time, s", operator.cpuMillis() / 1000);
    figures.putIdle("idle with one site", operator);

    double before = operator.cpuMillis();
    begin = System.nanoTime();
    sites.create(count);
    sites.awaitReconciled(operator);
    figures.put(count + " new sites: time, s", secondsSince(begin));
    Thread.sleep(SETTLE.toMillis());
    figures.put(
        count + " new sites: processor time a site, ms", (operator.cpuMillis() - before) / count);
    requireSameChildren(sites);

    for (int change = 1; change <= CHANGES; change++) {
      String name = "change " + change + " of all";
      before = operator.cpuMillis();
      begin = System.nanoTime();
      sites.change();
      sites.awaitReconciled(operator);
      figures.put(name + ": time, s", secondsSince(begin));
      Thread.sleep(SETTLE.toMillis());
      figures.put(name + ": processor time a site, ms", (operator.cpuMillis() - before) / count);
    }
    figures.putIdle("idle with all sites", operator);
    figures.put("peak memory, MB", operator.peakMegabytes());
    return figures.values;
  }

  /** The figures of a run in the order of the table, printed as they come. */
  private static final class Figures {
    private final Map<String, Double> values = new LinkedHashMap<>();

    void put(String figure, double value) {
      values.put(figure, value);
      System.out.println("  " + figure + ": " + text(value));
    }

    void putIdle(String name, OperatorProcess operator) throws InterruptedException {
      Thread.sleep(SETTLE.toMillis());
      double before = operator.cpuMillis();
      Thread.sleep(IDLE.toMillis());
      double used = operator.cpuMillis() - before;
      put(name + ": memory, MB", operator.residentMegabytes());
      put(name + ": threads", operator.threads());
      put(name + ": processor time, ms a second", used / IDLE.toSeconds());
    }
  }

  private static double secondsSince(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private void requireSameChildren(Sites sites) throws InterruptedException {
    List<Object> found = sites.children();
    if (children.isEmpty()) {
      children = found;
    } else if (!children.equals(found)) {
      throw new IllegalStateException("the children differ:\n" + children + "\n" + found);
    }
  }

  private static void printTable(
      Iterable<String> sides, Map<String, Map<String, List<Double>>> figures) {
    StringBuilder table = new StringBuilder("| |");
    StringBuilder line = new StringBuilder("|---|");
    for (String side : sides) {
      table.append(' ').append(side).append(" |");
      line.append("---:|");
    }
    table.append('\n').append(line).append('\n');
    figures.forEach(
        (figure, values) -> {
          table.append("| ").append(figure).append(" |");
          for (String side : sides) {
            List<Double> sorted = values.get(side).stream().sorted().toList();
            table.append(' ').append(text(sorted.get(sorted.size() / 2))).append(" (");
            table.append(text(sorted.get(0))).append(" to ");
            table.append(text(sorted.get(sorted.size() - 1))).append(") |");
          }
          table.append('\n');
        });
    System.out.print(table);
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }
}
