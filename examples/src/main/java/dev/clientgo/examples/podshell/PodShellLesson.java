package dev.clientgo.examples.podshell;

import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.RunningPod;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The lesson of commands in pods. */
@Command(
    name = "pod-shell",
    description =
        "Runs commands in a pod, which needs a shell. Takes a pod of your cluster, or creates"
            + " one.")
public final class PodShellLesson extends Lesson {

  @Option(
      names = {"-n", "--namespace"},
      description = "The namespace of the pod; default by default.")
  private String namespace = "default";

  @Parameters(paramLabel = "POD", arity = "0..1", description = "The pod.")
  private @Nullable String pod;

  /** The command line parser calls this. */
  public PodShellLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    try (RunningPod running =
        RunningPod.require(cluster, client, namespace, pod, "exec sleep 1000")) {
      PodShell shell = new PodShell(client, namespace, running.name(), out);
      shell.runToTheEnd();
      shell.sendInput();
      shell.giveUp();
      shell.talk();
    }
  }
}
