package dev.clientgo.benchmarks.coldsync;

import dev.clientgo.benchmarks.server.BenchServer;
import dev.clientgo.benchmarks.server.EtcdObjects;
import dev.clientgo.envtest.KubeApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * How long an informer needs until it is synced, in a new process and in one that has done it
 * before, on one core and on two, beside client-go. Prints tables in Markdown.
 *
 * <p>{@code ./benchmarks/run cold-sync [ROUNDS [PODS [CONFIG_MAPS]]]}; docs/cold-start.md says what
 * the figures are.
 */
public final class ColdSync {

  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final int NAMESPACES = 10;

  /** Of each process: this many further syncs, fewer if they take longer than this. */
  private static final int REPEATS = 8;

  private static final int LEAST_REPEATS = 3;
  private static final double REPEAT_SECONDS = 4;

  private static final int[] CORES = {1, 2};

  /**
   * A collection on a server.
   *
   * @param server a kubeconfig or a URL
   */
  private record Collection(
      String title, String server, String contentType, String resource, int count) {}

  /**
   * A program, and the name of its column.
   *
   * @param command what comes before the arguments
   * @param isListed whether the informer lists its objects, instead of the stream that is the
   *     default of both sides
   */
  private record Side(String name, List<String> command, boolean isListed) {}

  /** The costs of the first sync of a process, and of a late one. */
  private record Run(SyncProcess.Cost cold, SyncProcess.Cost warm) {}

  private final int rounds;
  private final Path folder;
  private final List<String> names = new ArrayList<>();
  private final Map<Integer, List<String>> rows = new LinkedHashMap<>();

  private ColdSync(int rounds, Path folder) {
    this.rounds = rounds;
    this.folder = folder;
    for (int cores : CORES) {
      rows.put(cores, new ArrayList<>());
    }
  }

  /** Runs it. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
    int pods = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10_000;
    int configMaps = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 100_000;
    Path folder = Files.createTempDirectory("cold-sync-");
    System.err.println("The errors of both sides are in " + folder);
    ColdSync bench = new ColdSync(rounds, folder);
    if (KubeApiServer.isAvailable()) {
      bench.onRealServer(pods, configMaps);
    } else {
      System.err.println("No kube-apiserver is built, so only the bench server is measured");
    }
    bench.onBenchServer("pods", pods);
    bench.onBenchServer("configmaps", configMaps);
    bench.print();
  }

  private void onRealServer(int pods, int configMaps) throws IOException, InterruptedException {
    try (KubeApiServer server = KubeApiServer.start()) {
      String kubeconfig = folder.resolve("kubeconfig").toString();
      server.writeKubeconfig(Path.of(kubeconfig));
      EtcdObjects.write(server.etcdUrl(), "pods", pods, NAMESPACES);
      EtcdObjects.write(server.etcdUrl(), "configmaps", configMaps, NAMESPACES);
      for (String encoding : List.of(PROTOBUF, JSON)) {
        String name = encoding.equals(JSON) ? "JSON" : "protobuf";
        measure(new Collection("pods, " + name, kubeconfig, encoding, "pods", pods));
        measure(
            new Collection("config maps, " + name, kubeconfig, encoding, "configmaps", configMaps));
      }
    }
  }

  private void onBenchServer(String resource, int count) throws IOException, InterruptedException {
    List<String> command =
        java(System.getProperty("java.class.path"), List.of("-XX:+UseSerialGC"), BenchServer.class);
    command.addAll(List.of("0", resource, Integer.toString(count), Integer.toString(NAMESPACES)));
    Process server =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader output = server.inputReader()) {
      String title = (resource.equals("pods") ? "pods" : "config maps") + ", JSON, bench server";
      measure(new Collection(title, output.readLine(), JSON, resource, count));
    } finally {
      server.getOutputStream().close(); // By which it ends.
      server.waitFor();
    }
  }

  private static List<String> java(String classPath, List<String> options, Class<?> program) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, program.getName()));
    return command;
  }

  /** Returns the sides. */
  private List<Side> sides(Collection collection) throws IOException {
    String classPath = System.getenv("BENCH_SIDE_CLASS_PATH");
    List<Side> sides = new ArrayList<>();
    String other = System.getenv("BENCH_CLIENT_GO");
    if (other != null) {
      sides.add(new Side("client-go", List.of(other), false));
    }
    sides.add(new Side("this library", java(classPath, List.of(), SyncProgram.class), false));
    sides.add(withSettings("with the settings", classPath, collection, false));
    sides.add(withSettings("and listed", classPath, collection, true));
    return sides;
  }

  /** Makes the archive of classes in a run that is not measured. */
  private Side withSettings(String name, String classPath, Collection collection, boolean isListed)
      throws IOException {
    boolean isAot = Runtime.version().feature() >= 25;
    Path archive = folder.resolve(isListed ? "archive-list" : "archive-stream");
    Files.deleteIfExists(archive);
    List<String> settings = List.of(System.getenv("BENCH_SIDE_JAVA_OPTS").strip().split(" "));
    List<String> options = new ArrayList<>(settings);
    options.add((isAot ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + archive);
    // The JVM lists the classes that it leaves out.
    options.addAll(List.of("-Xlog:disable", "-Xlog:all=warning:stderr"));
    Side training = new Side(name, java(classPath, options, SyncProgram.class), isListed);
    run(training, collection, /* cores= */ 2, /* repeats= */ 0);
    List<String> withArchive = new ArrayList<>(settings);
    withArchive.add((isAot ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
    return new Side(name, java(classPath, withArchive, SyncProgram.class), isListed);
  }

  private void measure(Collection collection) throws IOException {
    List<Side> measured = sides(collection);
    names.clear();
    measured.forEach(side -> names.add(side.name()));
    for (int cores : CORES) {
      Map<String, List<Run>> runs = new LinkedHashMap<>();
      for (int round = 0; round < rounds; round++) {
        for (Side side : measured) {
          Run run = run(side, collection, cores, REPEATS);
          System.err.printf("%s, cores %d, %s: %s%n", collection.title(), cores, side.name(), run);
          runs.computeIfAbsent(side.name(), name -> new ArrayList<>()).add(run);
        }
      }
      rows.get(cores).add(row(collection, "cold", runs, Run::cold));
      rows.get(cores).add(row(collection, "warm", runs, Run::warm));
    }
  }

  private Run run(Side side, Collection collection, int cores, int repeats) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("taskset", "-c", cores == 1 ? "0" : "0-" + (cores - 1)));
    command.addAll(side.command());
    command.addAll(
        List.of(
            collection.server(),
            collection.contentType(),
            collection.resource(),
            Integer.toString(collection.count())));
    Path log = folder.resolve("sides.log");
    try (SyncProcess process = SyncProcess.start(command, side.isListed(), log)) {
      SyncProcess.Cost cold = process.awaitSynced();
      List<SyncProcess.Cost> warm = new ArrayList<>();
      double millis = 0;
      while (warm.size() < repeats
          && (warm.size() < LEAST_REPEATS || millis < REPEAT_SECONDS * 1000)) {
        process.next();
        SyncProcess.Cost cost = process.awaitSynced();
        warm.add(cost);
        millis += cost.millis();
      }
      return new Run(cold, median(warm.subList(Math.max(0, warm.size() - 3), warm.size()), cold));
    }
  }

  private static SyncProcess.Cost median(List<SyncProcess.Cost> costs, SyncProcess.Cost none) {
    return costs.isEmpty()
        ? none
        : new SyncProcess.Cost(
            median(costs, SyncProcess.Cost::millis),
            median(costs, SyncProcess.Cost::cpuSeconds),
            median(costs, SyncProcess.Cost::peakMegabytes));
  }

  private static double median(
      List<SyncProcess.Cost> costs, ToDoubleFunction<SyncProcess.Cost> figure) {
    return costs.stream().mapToDouble(figure).sorted().skip(costs.size() / 2).findFirst().orElse(0);
  }

  private static String row(
      Collection collection,
      String when,
      Map<String, List<Run>> runs,
      Function<Run, SyncProcess.Cost> which) {
    String begin =
        String.format(Locale.ROOT, "| %,d %s, %s ", collection.count(), collection.title(), when);
    return runs.values().stream()
        .map(each -> cell(each.stream().map(which).toList()))
        .collect(Collectors.joining(" | ", begin + "| ", " |"));
  }

  private static String cell(List<SyncProcess.Cost> costs) {
    double[] millis = costs.stream().mapToDouble(SyncProcess.Cost::millis).sorted().toArray();
    String range =
        millis.length == 1
            ? ""
            : String.format(Locale.ROOT, " (%,.0f–%,.0f)", millis[0], millis[millis.length - 1]);
    return String.format(
        Locale.ROOT,
        "%,.0f%s | %.2f | %.0f",
        median(costs, SyncProcess.Cost::millis),
        range,
        median(costs, SyncProcess.Cost::cpuSeconds),
        median(costs, SyncProcess.Cost::peakMegabytes));
  }

  private void print() {
    String head =
        names.stream()
            .map(name -> name + ", ms | CPU s | MB")
            .collect(Collectors.joining(" | ", " | ", " |"));
    String line = "|---|" + "---:|".repeat(3 * names.size());
    rows.forEach(
        (cores, lines) -> {
          System.out.println();
          System.out.println("| " + cores + (cores == 1 ? " core" : " cores") + head);
          System.out.println(line);
          lines.forEach(System.out::println);
        });
  }
}
