package dev.clientgo.examples;

import dev.clientgo.clock.Clock;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options of every lesson: how long it goes on, and which API server it talks to: an embedded
 * one, unless an option names another.
 */
public final class LessonOptions {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Say what this does.")
  @SuppressWarnings("UnusedVariable") // The parser acts on it.
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

  /** Made by the command line parser. */
  public LessonOptions() {}

  /** The two ways to leave the embedded server. */
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
  }

  /**
   * Connects to the server that was chosen, and starts it if it is ours.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public Cluster connect() throws InterruptedException {
    if (choice != null && choice.kubeApiServer) {
      if (context != null) {
        throw new LessonException("--context goes with a kubeconfig, not with --kube-apiserver");
      }
      return Cluster.kubeApiServer();
    }
    if (choice != null || context != null) {
      return Cluster.kubeconfig(choice == null ? null : choice.kubeconfig, context);
    }
    return Cluster.embedded();
  }

  /**
   * Waits for the end of the lesson.
   *
   * @throws InterruptedException on Ctrl-C, which is the only end if the options name no time
   */
  public void awaitEnd() throws InterruptedException {
    if (time != null) {
      Clock.system().sleep(time);
    } else {
      Thread.currentThread().join(); // It waits for itself.
    }
  }
}
