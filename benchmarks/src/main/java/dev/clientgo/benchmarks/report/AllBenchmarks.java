package dev.clientgo.benchmarks.report;

import dev.clientgo.benchmarks.informer.InformerBench;
import dev.clientgo.benchmarks.informer.ScaleBench;
import dev.clientgo.benchmarks.requests.Requests;
import dev.clientgo.benchmarks.server.BenchServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.Main;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs all benchmarks, one after the other, each in a separate process, and writes a folder of
 * tables and plots.
 *
 * <p>{@code ./benchmarks/run all FOLDER [--quick]}
 */
public final class AllBenchmarks {

  private static final List<String> SERVER_OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx700m");

  /** Some of the hand-overs; all of them would be two thirds of the time. */
  private static final String JMH = "-f 1 -wi 3 -i 5 -w 1 -r 1 -p workers=1,4,16 -p producers=1,16";

  /** So short that the scores say no more than that they run. */
  private static final String QUICK_JMH =
      "-f 1 -wi 1 -i 1 -w 200ms -r 200ms -p workers=1,16 -p producers=1,16";

  private final Path folder;
  private final boolean quick;
  private final Report report;

  private AllBenchmarks(Path folder, boolean quick) {
    this.folder = folder;
    this.quick = quick;
    this.report = new Report(folder, Machine.describe());
  }

  /** Runs them. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    boolean quick = arguments.length == 2 && arguments[1].equals("--quick");
    if (arguments.length != 1 && !quick) {
      System.err.println("usage: all FOLDER [--quick]");
      System.exit(2);
    }
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    AllBenchmarks all = new AllBenchmarks(folder, quick);
    all.informer();
    all.objects();
    all.informers();
    all.handlers();
    all.requests();
    all.jmh();
    System.out.println("Written: " + folder.resolve("report.md"));
  }

  private void informer() throws IOException, InterruptedException {
    informer("one informer, cold start", 100, 0);
    informer("one informer", quick ? 5_000 : 20_000, quick ? 10_000 : 100_000);
  }

  /** With the options of {@code ./benchmarks/run informer-bench}, but for what is for TLS. */
  private void informer(String name, int pods, int storm) throws IOException, InterruptedException {
    say(name + ", " + pods + " pods");
    Path archive = folder.resolve("informer.jsa");
    try (Child server = server("pods", pods, 1)) {
      String url = server.firstLine();
      String heap = "-Xmx" + (96 + pods / 128) + "m";
      List<String> options = List.of("-XX:+UseSerialGC", heap, "-Xmn16m", "-XX:FreqInlineSize=60");
      run(
          with(options, "-XX:ArchiveClassesAtExit=" + archive),
          InformerBench.class,
          List.of(url, pods, 0, 0, 0));
      options = with(options, "-XX:SharedArchiveFile=" + archive);
      List<Object> arguments = List.of(url, pods, storm, 1000, quick ? 2 : 5);
      report.add(figures(name, run(options, InformerBench.class, arguments)));
    }
    Files.delete(archive);
  }

  private static List<String> with(List<String> options, String another) {
    return Stream.concat(options.stream(), Stream.of(another)).toList();
  }

  private void objects() throws IOException, InterruptedException {
    Growth growth = new Growth("objects", "objects in one informer");
    for (int count :
        quick ? new int[] {1_000, 10_000, 100_000} : new int[] {10_000, 100_000, 1_000_000}) {
      growth.add(count, scale(count, 1, 1, quick ? 10_000 : 100_000));
    }
    growth.plot("sync_ms", "ms until it is synced");
    growth.plot("sync_cpu_us_per_obj", "processor time for each object, µs");
    growth.plot("heap_bytes_per_obj", "heap for each object, bytes");
    growth.plot("cpu_us_per_event", "processor time for each event, µs");
  }

  private void informers() throws IOException, InterruptedException {
    Growth growth = new Growth("informers", "informer(s) in one process, of 20 objects each");
    for (int count : quick ? new int[] {1, 10, 100} : new int[] {1, 50, 500}) {
      growth.add(count, scale(count * 20, count, 1, Math.max(100, 50_000 / count)));
    }
    growth.plot("sync_ms", "ms until all are synced");
    growth.plot("heap_kb_per_informer", "heap for each informer, kB");
    growth.plot("threads", "threads");
    growth.plot("cpu_us_per_event", "processor time for each event, µs");
  }

  private void handlers() throws IOException, InterruptedException {
    Growth growth = new Growth("handlers", "handler(s) on one informer");
    for (int count : new int[] {1, 3, 10}) {
      growth.add(count, scale(10_000, 1, count, quick ? 20_000 : 100_000));
    }
    growth.plot("cpu_us_per_event", "processor time for each event, µs");
    growth.plot("events_per_s", "events a second");
  }

  private void requests() throws IOException, InterruptedException {
    say("requests");
    addTitled("small GETs, ", Requests.class, List.of(quick ? 1 : 5));
  }

  private void addTitled(String title, Class<?> program, List<Object> arguments)
      throws IOException, InterruptedException {
    try (Child child = Child.start(List.of(), program, arguments)) {
      for (Map.Entry<String, Map<String, Double>> way : child.titledFigures().entrySet()) {
        report.add(figures(title + way.getKey(), way.getValue()));
      }
    }
  }

  private Map<String, Double> scale(int objects, int informers, int handlers, int events)
      throws IOException, InterruptedException {
    say(objects + " objects, " + informers + " informers, " + handlers + " handlers");
    // A namespace for each informer; one informer sees all.
    try (Child server = server("configmaps", objects, informers)) {
      // 1.5 kB for each object, 200 kB for each informer: the collector has room.
      int megabytes = 96 + objects / 680 + informers / 5;
      return run(
          List.of("-XX:+UseSerialGC", "-Xmx" + megabytes + "m"),
          ScaleBench.class,
          List.of(server.firstLine(), informers, handlers, events));
    }
  }

  private static Child server(String kind, int objects, int namespaces) throws IOException {
    return Child.start(SERVER_OPTIONS, BenchServer.class, List.of(0, kind, objects, namespaces));
  }

  private static Map<String, Double> run(List<String> options, Class<?> program, List<?> arguments)
      throws IOException, InterruptedException {
    try (Child child = Child.start(options, program, arguments)) {
      return child.figures();
    }
  }

  private static List<Figure> figures(String benchmark, Map<String, Double> values) {
    List<Figure> figures = new ArrayList<>();
    values.forEach((name, value) -> figures.add(new Figure(benchmark, name, value)));
    return figures;
  }

  private static void say(String what) {
    System.out.println(what + " ...");
  }

  /** How the figures of one program grow with one of its arguments. */
  private final class Growth {
    private final String name;
    private final String description;
    private final Map<Integer, Map<String, Double>> runs = new TreeMap<>();

    Growth(String name, String description) {
      this.name = name;
      this.description = description;
    }

    void add(int size, Map<String, Double> figures) throws IOException {
      runs.put(size, figures);
      report.add(figures(String.format(Locale.ROOT, "%,d %s", size, description), figures));
    }

    void plot(String figure, String figureName) throws IOException {
      List<LinePlot.Point> points = new ArrayList<>();
      runs.forEach((size, run) -> points.add(new LinePlot.Point(size, run.get(figure))));
      String title = figureName + ", by " + name;
      report.plot(name + "-" + figure, new LinePlot(title, description, figureName, points).svg());
    }
  }

  private void jmh() throws IOException, InterruptedException {
    say("JMH");
    Path results = folder.resolve("jmh.json");
    List<String> arguments = new ArrayList<>(List.of("-rf", "json", "-rff", results.toString()));
    arguments.addAll(List.of((quick ? QUICK_JMH : JMH).split(" ")));
    run(List.of(), Main.class, arguments);
    Map<String, List<Figure>> suites = new TreeMap<>();
    for (JsonNode result : JsonMapper.shared().readTree(Files.readString(results))) {
      String[] path = result.get("benchmark").asString().split("\\.");
      StringBuilder label = new StringBuilder(path[path.length - 1]);
      for (Map.Entry<String, JsonNode> parameter : result.path("params").properties()) {
        label.append(' ').append(parameter.getKey()).append('=');
        label.append(parameter.getValue().asString());
      }
      JsonNode metric = result.get("primaryMetric");
      String unit = metric.get("scoreUnit").asString();
      suites
          .computeIfAbsent(path[path.length - 2] + " (" + unit + ")", suite -> new ArrayList<>())
          .add(new Figure(label.toString(), unit, metric.get("score").asDouble()));
    }
    for (Map.Entry<String, List<Figure>> suite : suites.entrySet()) {
      String title = suite.getKey();
      report.add(
          suite.getValue().stream()
              .map(score -> new Figure("JMH " + title, score.benchmark(), score.value()))
              .toList());
      report.plot(
          "jmh-" + title.replaceAll("\\W+", "-"), new BarChart(title, suite.getValue()).svg());
    }
  }
}
