package dev.clientgo.envtest.internal.process;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server in its own process, with its output in a file. */
public final class ServerProcess {

  private static final int STOP_SECONDS = 20;
  private static final int LOG_TAIL = 2000;

  private final String name;
  private final Path log;
  private final Process process;
  private final boolean guarded;

  private ServerProcess(String name, Path log, Process process, boolean guarded) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.guarded = guarded;
  }

  /**
   * Starts a process and appends its output to {@code NAME.log} in the folder.
   *
   * @param guard the program that kills the process and all that it has started when its standard
   *     input ends, as it does when this JVM is killed; null to do without
   */
  public static ServerProcess start(
      String name, Path folder, List<String> command, @Nullable Path guard) {
    Path log = folder.resolve(name + ".log");
    List<String> all = new ArrayList<>(command);
    if (guard != null) {
      all.addAll(0, List.of(guard.toString(), "--"));
    }
    try {
      ProcessBuilder builder =
          new ProcessBuilder(all)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      // etcd would read these settings, which are meant for another etcd.
      builder.environment().keySet().removeIf(each -> each.startsWith("ETCD_"));
      Process process = builder.start();
      if (guard == null) {
        process.getOutputStream().close();
      }
      return new ServerProcess(name, log, process, guard != null);
    } catch (IOException e) {
      throw new ConfigException("cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns an error with the state and the last output of the process. */
  public IllegalStateException failure(String problem) {
    String state = process.isAlive() ? "" : ", it exited with status " + process.exitValue();
    return new IllegalStateException(
        name + " " + problem + state + ". Its last output:\n" + tail());
  }

  private String tail() {
    try {
      byte[] bytes = Files.readAllBytes(log);
      int from = Math.max(0, bytes.length - LOG_TAIL);
      return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  /** Kills the process, like a power failure. */
  public void kill() {
    if (guarded) {
      process.destroy(); // Closes the standard input of the guard, which then kills the process.
    } else {
      process.destroyForcibly();
    }
    awaitExit();
  }

  private boolean awaitExit() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          // The child process must end even if this thread is interrupted.
          interrupted = true;
          process.destroyForcibly();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
