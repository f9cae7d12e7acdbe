package dev.clientgo.benchmarks.freshness;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.traffic.CuttingProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * How far informers lag behind if their connections are cut often, and how soon they catch up after
 * the API server was killed, beside informers of client-go on the same server, at the same time and
 * through the same proxy.
 *
 * <p>{@code ./benchmarks/run freshness [SECONDS [KILLS [PAUSE]]]}; docs/benchmarks/freshness.md
 * says what the arguments and the figures are.
 */
public final class Freshness {

  private static final int INFORMERS = 10;
  private static final double[] MEAN_SECONDS = {2, 4, 10};

  private final Path folder;
  private final ApiServer server;
  private final Writer writer;
  private final Path log;

  private Freshness(Path folder, ApiServer server, Writer writer) {
    this.folder = folder;
    this.server = server;
    this.writer = writer;
    this.log = folder.resolve("followers.log");
  }

  /** Runs it once and prints one line for each figure. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    long seconds = arguments.length > 0 ? Long.parseLong(arguments[0]) : 300;
    int kills = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    long pause = arguments.length > 2 ? Long.parseLong(arguments[2]) : 20;
    Path folder = Files.createTempDirectory("freshness-");
    System.err.println("The logs of both sides are in " + folder);
    if (KubeApiServer.isAvailable()) {
      try (KubeApiServer server = KubeApiServer.start();
          Writer writer = new Writer(server.restConfig())) {
        Freshness freshness = new Freshness(folder, server, writer);
        freshness.cuts(seconds);
        freshness.kills(server, kills, pause);
      }
    } else {
      System.err.println("No kube-apiserver is built: the embedded server stands in, unkilled");
      try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start();
          Writer writer = new Writer(server.restConfig())) {
        new Freshness(folder, server, writer).cuts(seconds);
      }
    }
  }

  private List<Side> start(Path kubeconfig) throws IOException {
    List<Side> sides = new ArrayList<>();
    sides.add(
        Side.start(
            "client-go-java",
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Follower.class.getName()),
            kubeconfig,
            INFORMERS,
            log));
    String other = System.getenv("BENCH_CLIENT_GO");
    if (other == null) {
      System.err.println("Without Go there is no client-go to compare with");
    } else {
      sides.add(Side.start("client-go", List.of(other), kubeconfig, INFORMERS, log));
    }
    return sides;
  }

  private static void close(List<Side> sides) throws IOException {
    for (Side side : sides) {
      side.close();
    }
  }

  private void cuts(long seconds) throws IOException, InterruptedException {
    for (double mean : MEAN_SECONDS) {
      try (CuttingProxy proxy = CuttingProxy.to(server.url())) {
        Path kubeconfig = folder.resolve("through-proxy");
        Files.writeString(
            kubeconfig,
            server.kubeconfig().replace(server.url().toString(), proxy.url().toString()));
        List<Side> sides = start(kubeconfig);
        writer.start();
        for (Side side : sides) {
          side.reset();
        }
        int cuts = cut(proxy, mean, seconds);
        long last = writer.stop();
        for (Side side : sides) {
          side.ask(last);
        }
        for (Side side : sides) {
          side.seenAt();
          Side.Figures figures = side.figures();
          System.out.printf(
              Locale.ROOT,
              "cuts every %.0f s, %s: cuts=%d writes=%d percent_far_behind=%.2f longest_s=%.2f%n",
              mean,
              side.name(),
              cuts,
              last,
              100 * figures.shareFarBehind(),
              figures.longestSeconds());
        }
        close(sides);
      }
    }
  }

  /** Breaks all connections at random times for a while, and returns how often it did. */
  private static int cut(CuttingProxy proxy, double meanSeconds, long seconds)
      throws InterruptedException {
    Random random = new Random(1);
    long end = System.nanoTime() + seconds * 1_000_000_000;
    for (int cuts = 0; ; cuts++) {
      long pause = (long) (-Math.log(1 - random.nextDouble()) * meanSeconds * 1e9);
      long left = end - System.nanoTime();
      if (pause > left) {
        Thread.sleep(Math.max(0, left / 1_000_000));
        return cuts;
      }
      Thread.sleep(pause / 1_000_000);
      proxy.cut();
    }
  }

  private void kills(KubeApiServer server, int kills, long pause)
      throws IOException, InterruptedException {
    Path kubeconfig = folder.resolve("direct");
    server.writeKubeconfig(kubeconfig);
    List<Side> sides = start(kubeconfig);
    for (int kill = 1; kill <= kills; kill++) {
      writer.start();
      Thread.sleep(pause * 1000);
      writer.stop();
      long killed = System.currentTimeMillis();
      server.restart();
      long ready = System.currentTimeMillis();
      long sequence = writer.write();
      for (Side side : sides) {
        side.ask(sequence);
      }
      for (Side side : sides) {
        System.out.printf(
            Locale.ROOT,
            "kill %d, %s: ready_s=%.1f caught_up_s=%.1f%n",
            kill,
            side.name(),
            (ready - killed) / 1000.0,
            (side.seenAt() - killed) / 1000.0);
      }
    }
    close(sides);
  }
}
