package dev.clientgo.benchmarks.freshness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process with informers, of this library or of client-go; see {@link Follower}. */
final class Side implements AutoCloseable {

  /** The counts of one side. */
  record Figures(double shareFarBehind, double longestSeconds) {}

  private final String name;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private Side(String name, Process process) {
    this.name = name;
    this.process = process;
    this.commands = process.outputWriter();
    this.answers = process.inputReader();
  }

  /** Starts informers and waits until they are synced. */
  static Side start(String name, List<String> program, Path kubeconfig, int informers, Path log)
      throws IOException {
    List<String> command = new ArrayList<>(program);
    command.add(kubeconfig.toString());
    command.add(Integer.toString(informers));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Side side = new Side(name, builder.start());
    side.expect("synced");
    return side;
  }

  String name() {
    return name;
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException(name + " has ended; its log says why");
    }
    return line;
  }

  private void expect(String answer) throws IOException {
    String line = answer();
    if (!line.equals(answer)) {
      throw new IOException(name + " said: " + line);
    }
  }

  private void send(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
  }

  /** Begins to count. */
  void reset() throws IOException {
    send("reset");
    expect("ok");
  }

  /** Asks when all informers have seen a write; {@link #seenAt} waits for the answer. */
  void ask(long sequence) throws IOException {
    send("await " + sequence);
  }

  /** Returns the time at which all informers had seen what was asked for. */
  long seenAt() throws IOException {
    return Long.parseLong(answer());
  }

  /** Returns what was counted. */
  Figures figures() throws IOException {
    send("figures");
    String[] numbers = answer().split(" ");
    return new Figures(
        Double.parseDouble(numbers[0]) / Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]) / 1000);
  }

  /** Ends its input, by which it ends, and waits for that. */
  @Override
  public void close() throws IOException {
    commands.close();
    process.onExit().join();
  }
}
