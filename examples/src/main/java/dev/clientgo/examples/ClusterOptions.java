package dev.clientgo.examples;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which API server a lesson talks to: an embedded one, unless an option names another. */
public final class ClusterOptions {

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private @Nullable Choice choice;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Follow the cluster of this context of the kubeconfig.")
  private @Nullable String context;

  /** Made by the command line parser. */
  public ClusterOptions() {}

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
}
