package dev.clientgo.examples.podlogs;

import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.RunningPod;
import dev.clientgo.remotecommand.logs.LogLine;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The lesson of logs. */
@Command(
    name = "pod-logs",
    description =
        "Follows the log of a pod until its container ends, and breaks the connection after each"
            + " third line: no line is lost, none appears twice. Takes a pod of your cluster, or"
            + " creates one.")
public final class PodLogsLesson extends Lesson {

  private static final String TEN_LINES =
      "for i in 1 2 3 4 5 6 7 8 9 10; do echo line $i; sleep 0.2; done";

  @Option(
      names = {"-n", "--namespace"},
      description = "The namespace of the pod; default by default.")
  private String namespace = "default";

  @Parameters(paramLabel = "POD", arity = "0..1", description = "The pod.")
  private @Nullable String pod;

  /** The command line parser calls this. */
  public PodLogsLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    try (RunningPod running = RunningPod.require(cluster, client, namespace, pod, TEN_LINES);
        CuttingProxy proxy = CuttingProxy.to(cluster.config().server());
        RESTClient shaky = RESTClient.create(through(proxy, cluster.config()))) {
      follow(PodLogs.of(shaky, namespace, running.name()).follow(), proxy, out);
    }
  }

  private static RestConfig through(CuttingProxy proxy, RestConfig config) {
    return config.toBuilder().server(proxy.url().toString()).build();
  }

  private static void follow(PodLogs log, CuttingProxy proxy, PrintWriter out)
      throws InterruptedException {
    try (LogLines lines = log.resumedLines(Duration.ofMinutes(1))) {
      int count = 0;
      for (Optional<LogLine> line = lines.next(); line.isPresent(); line = lines.next()) {
        out.println(line.get());
        if (++count % 3 == 0) {
          proxy.cut();
          out.println("(the connection broke)");
        }
      }
    }
    out.println("the container has ended");
  }
}
