package dev.clientgo.examples.minikubectl;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs {@link MiniKubectl} against a cluster, or commands against a server that it starts. */
@Command(
    name = "mini-kubectl",
    description =
        "Runs a command of kubectl, such as get pods -A, against the cluster of the kubeconfig."
            + " Without a command, it starts an embedded API server and reads commands from the"
            + " standard input.")
public final class MiniKubectlLesson implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser handles the option.
  private boolean help;

  @Unmatched private List<String> command = new ArrayList<>();

  /** The command line parser calls this. */
  public MiniKubectlLesson() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (!command.isEmpty()) {
      try (RESTClient client = RESTClient.create(KubeConfigLoader.standard().load())) {
        return run(client, out, err, command.toArray(String[]::new));
      }
    }
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      out.println(
          "An embedded API server at " + server.url() + "; write commands, such as: get ns");
      return runAll(client, new BufferedReader(new InputStreamReader(System.in, UTF_8)), out, err);
    }
  }

  /** Runs the commands of a text, one of each line, and returns the status of the last one. */
  static int runAll(RESTClient client, BufferedReader commands, PrintWriter out, PrintWriter err)
      throws IOException {
    int status = 0;
    for (String line; (line = commands.readLine()) != null; ) {
      if (!line.isBlank()) {
        status = run(client, out, err, line.strip().split("\\s+"));
      }
    }
    return status;
  }

  private static int run(RESTClient client, PrintWriter out, PrintWriter err, String... command) {
    int status = MiniKubectl.run(client, out, err, command);
    out.flush();
    err.flush();
    return status;
  }
}
