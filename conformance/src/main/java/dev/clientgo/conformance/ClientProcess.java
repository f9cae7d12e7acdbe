package dev.clientgo.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A client that runs in a process. */
final class ClientProcess implements Client {

  /** Whether to print what clients log. */
  private static final boolean IS_VERBOSE = Boolean.getBoolean("conformance.verbose");

  private final Process process;
  private final PrintStream commands;
  private volatile String lastWords = "";

  /** Starts a command with arguments. */
  ClientProcess(List<String> command, List<String> arguments, Consumer<String> lines) {
    List<String> words = new ArrayList<>(command);
    words.addAll(arguments);
    try {
      process = new ProcessBuilder(words).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commands = new PrintStream(process.getOutputStream(), true, UTF_8);
    read(process.getInputStream(), lines);
    read(
        process.getErrorStream(),
        line -> {
          if (IS_VERBOSE) {
            System.err.println(line);
          }
          if (line.startsWith("panic:") || line.contains("Exception") || lastWords.isEmpty()) {
            lastWords = line;
          }
        });
  }

  private static void read(InputStream stream, Consumer<String> lines) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader reader =
                  new BufferedReader(new InputStreamReader(stream, UTF_8))) {
                reader.lines().forEach(lines);
              } catch (IOException | UncheckedIOException e) {
                // The process has ended.
              }
            },
            "client-output");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void send(String command) {
    commands.println(command);
  }

  @Override
  public Optional<String> death() {
    return process.isAlive()
        ? Optional.empty()
        : Optional.of("exit code " + process.exitValue() + ": " + lastWords);
  }

  @Override
  public void close() {
    send("quit");
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
