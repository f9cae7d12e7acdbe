package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.internal.process.ServerBinaries;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs kubectl as the administrator of a cluster. */
record Kubectl(Path binary, Path kubeconfig) {

  /** The exit status, and the output with that for errors. */
  record Result(int status, String output) {}

  static Kubectl of(KubeCluster cluster) {
    Path kubeconfig = cluster.logs().resolve("kubectl.kubeconfig");
    cluster.writeKubeconfig(kubeconfig);
    return new Kubectl(ServerBinaries.locate().folder().resolve("kubectl"), kubeconfig);
  }

  /**
   * Returns a kubectl for any server.
   *
   * @param folder where the kubeconfig is written
   */
  static Kubectl of(ApiServer server, Path folder) {
    Path kubeconfig = folder.resolve("kubectl.kubeconfig");
    server.writeKubeconfig(kubeconfig);
    return new Kubectl(ServerBinaries.locate().folder().resolve("kubectl"), kubeconfig);
  }

  static boolean isAvailable() {
    return KubeApiServer.isAvailable()
        && Files.isExecutable(ServerBinaries.locate().folder().resolve("kubectl"));
  }

  /** Starts kubectl; the caller ends it. Its errors go where those of the test go. */
  Process start(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(binary.toString(), "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  Result run(String... arguments) throws Exception {
    return runWithInput("", arguments);
  }

  Result runWithInput(String input, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(binary.toString(), "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), output);
  }
}
