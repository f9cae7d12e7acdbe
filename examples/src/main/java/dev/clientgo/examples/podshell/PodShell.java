package dev.clientgo.examples.podshell;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.remotecommand.CommandResult;
import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.remotecommand.RemoteProcess;
import dev.clientgo.rest.RESTClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.time.Duration;

/** Runs commands in one pod. */
final class PodShell {

  private final RESTClient client;
  private final String namespace;
  private final String pod;
  private final PrintWriter out;

  PodShell(RESTClient client, String namespace, String pod, PrintWriter out) {
    this.client = client;
    this.namespace = namespace;
    this.pod = pod;
    this.out = out;
  }

  private RemoteCommand command(String... command) {
    return RemoteCommand.exec(client, namespace, pod, command).withTimeout(Duration.ofSeconds(30));
  }

  /** Runs a command to its end. */
  void runToTheEnd() throws InterruptedException {
    CommandResult result = command("sh", "-c", "echo to stdout; echo to stderr >&2; exit 3").run();
    out.println("stdout: " + result.text().strip());
    out.println("stderr: " + result.errorText().strip());
    out.println("exit code: " + result.exitCode());
  }

  /** Sends input, and reads what becomes of it. */
  void sendInput() throws InterruptedException {
    byte[] input = "c\na\nb\n".getBytes(UTF_8);
    String sorted = command("sort").run(input).orThrow().text();
    out.println("sorted: " + sorted.strip().replace('\n', ' '));
  }

  /** A command that does not end in time is no exit code, but an error. */
  void giveUp() throws InterruptedException {
    try {
      command("sleep", "600").withTimeout(Duration.ofSeconds(1)).run();
    } catch (TransportException e) {
      out.println("gave up: " + e.kind());
    }
  }

  /** Talks to a shell, line by line. */
  void talk() throws IOException, InterruptedException {
    try (RemoteProcess shell = command("sh").withInput().start()) {
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(shell.inputStream(), UTF_8));
      for (int i = 1; i <= 3; i++) {
        shell.outputStream().write("echo $((%d * %d))\n".formatted(i, i).getBytes(UTF_8));
        out.println(i + " squared is " + answers.readLine());
      }
      shell.outputStream().close();
      out.println("the shell ended with " + shell.waitFor());
    }
  }
}
