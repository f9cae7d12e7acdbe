package dev.clientgo.examples.podlogs;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.RunningPod;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.remotecommand.logs.LogLine;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.remotecommand.logs.SelectorLogLines;
import dev.clientgo.remotecommand.logs.SelectorLogs;
import dev.clientgo.rest.RESTClient;
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
            + " creates one. With --selector it follows many pods.")
public final class PodLogsLesson extends Lesson {

  private static final String THREE_LINES = "for i in 1 2 3; do echo line $i; sleep 0.2; done";

  private static final String TEN_LINES =
      "for i in 1 2 3 4 5 6 7 8 9 10; do echo line $i; sleep 0.2; done";

  @Option(
      names = {"-n", "--namespace"},
      description = "The namespace of the pod; default by default.")
  private String namespace = "default";

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "LABELS",
      description =
          "Follow all pods with these labels instead, while they come and go. In a cluster of the"
              + " lesson it must be app=web.")
  private @Nullable String selector;

  @Parameters(paramLabel = "POD", arity = "0..1", description = "The pod.")
  private @Nullable String pod;

  /** The command line parser calls this. */
  public PodLogsLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    if (selector != null) {
      followAll(cluster, client, selector, out);
      return;
    }
    try (RunningPod running = RunningPod.require(cluster, client, namespace, pod, TEN_LINES);
        CuttingProxy proxy = CuttingProxy.to(cluster.config().server());
        RESTClient shaky = RESTClient.create(cluster.config(proxy))) {
      follow(PodLogs.of(shaky, namespace, running.name()).follow(), proxy, out);
    }
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

  /** Each line names its pod and its container. */
  private void followAll(Cluster cluster, RESTClient client, String labels, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    if (pod != null) {
      throw new LessonException("name a pod or a --selector, not both");
    }
    try (SelectorLogLines lines =
        SelectorLogs.of(client, namespace, selector(labels)).tail(10).follow().lines()) {
      if (!cluster.isOwn()) {
        followAll(lines, out);
      } else if (labels.equals("app=web")) {
        followTwo(cluster, client, lines, out);
      } else {
        throw new LessonException("the pods of this lesson have the label app=web");
      }
    }
  }

  private static Selector selector(String labels) {
    try {
      return Selector.parse(labels);
    } catch (IllegalArgumentException e) {
      throw new LessonException("--selector: " + e.getMessage());
    }
  }

  private void followAll(SelectorLogLines lines, PrintWriter out) throws InterruptedException {
    try (WorkloadThread printer =
        new WorkloadThread(() -> print(lines, Long.MAX_VALUE, out), out)) {
      printer.start();
      awaitEnd();
    }
  }

  private void followTwo(
      Cluster cluster, RESTClient client, SelectorLogLines lines, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    try (RunningPod first = RunningPod.start(cluster, client, namespace, "web-0", THREE_LINES)) {
      print(lines, 3, out);
      out.println("(" + first.name() + " has ended, another pod starts)");
      try (RunningPod second = RunningPod.start(cluster, client, namespace, "web-1", THREE_LINES)) {
        print(lines, 3, out);
        out.println("(" + second.name() + " has ended)");
      }
    }
  }

  private static void print(SelectorLogLines lines, long count, PrintWriter out)
      throws InterruptedException {
    for (long i = 0; i < count; i++) {
      Optional<LogLine> line = lines.next();
      if (line.isEmpty()) {
        return;
      }
      out.println(line.get());
    }
  }
}
