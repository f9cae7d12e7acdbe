package dev.clientgo.examples.lesson;

import dev.clientgo.clock.Clock;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options of every lesson: its duration and its API server, which is an embedded one by
 * default.
 */
public final class LessonOptions {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser handles the option.
  private boolean help;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "End after this time, such as 10s or 1m30s; without it, on Ctrl-C.")
  private @Nullable Duration time;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private @Nullable Choice choice;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Follow the cluster of this context of the kubeconfig.")
  private @Nullable String context;

  /** The command line parser calls this. */
  public LessonOptions() {}

  /** The alternatives to the embedded server. */
  static final class Choice {
    @Option(
        names = "--kubeconfig",
        paramLabel = "FILE",
        description = "Follow the cluster of this kubeconfig.")
    private @Nullable Path kubeconfig;

    @Option(
        names = "--kube-apiserver",
        description = "Start a real kube-apiserver and follow that.")
    private boolean kubeApiServer;

    @Option(
        names = "--kube-cluster",
        description = "Start a whole cluster, with controllers and a node, and follow that.")
    private boolean kubeCluster;

    /** Returns the option that starts a server, if one was given. */
    private @Nullable String started() {
      return kubeApiServer ? "--kube-apiserver" : kubeCluster ? "--kube-cluster" : null;
    }
  }

  /**
   * Connects to the chosen API server; starts the server if it is not an existing cluster.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public Cluster connect() throws InterruptedException {
    @Nullable String started = choice == null ? null : choice.started();
    if (choice != null && started != null) {
      if (context != null) {
        throw new LessonException("--context goes with a kubeconfig, not with " + started);
      }
      return choice.kubeCluster ? Cluster.kubeCluster() : Cluster.kubeApiServer();
    }
    if (choice != null || context != null) {
      return Cluster.kubeconfig(choice == null ? null : choice.kubeconfig, context);
    }
    return Cluster.embedded();
  }

  /**
   * Waits for the end of the lesson.
   *
   * @throws InterruptedException on Ctrl-C, which is the only end without a duration
   */
  public void awaitEnd() throws InterruptedException {
    if (time != null) {
      Clock.system().sleep(time);
    } else {
      Thread.currentThread().join(); // A thread that joins itself waits until it is interrupted.
    }
  }
}
