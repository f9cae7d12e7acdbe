package dev.clientgo.envtest.internal.process;

import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A shutdown hook that kills the processes of a server and deletes their folder. It runs if the JVM
 * shuts down, for example on SIGTERM or Ctrl-C, before the server is closed. It cannot run if the
 * JVM is killed outright.
 */
public final class ShutdownCleanup {

  private static final int ATTEMPTS = 100;

  private final Thread hook = new Thread(this::killAll, "envtest-shutdown-cleanup");
  private final Set<Process> processes = ConcurrentHashMap.newKeySet();
  private final Path folder;
  private volatile boolean shuttingDown;

  public ShutdownCleanup(Path folder) {
    this.folder = folder;
  }

  /** Registers the hook. */
  public void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public void add(Process process) {
    processes.add(process);
    if (shuttingDown) {
      process.destroyForcibly(); // The process has started after the hook killed the others.
    }
  }

  /** Deletes the folder and removes the hook, after the processes have ended. */
  public void finish() {
    deleteFolder();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, so the hook runs and finds nothing.
    }
  }

  private void killAll() {
    shuttingDown = true;
    for (int attempt = 1; ; attempt++) {
      processes.forEach(Process::destroyForcibly);
      processes.forEach(process -> process.onExit().join());
      try {
        deleteFolder();
        return;
      } catch (UncheckedIOException e) {
        // A thread that starts a server continues until the JVM ends, and may have added files.
        if (attempt == ATTEMPTS) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Clock.system().sleep(Duration.ofMillis(20));
    } catch (InterruptedException e) {
      throw new AssertionError("the shutdown hook was interrupted", e);
    }
  }

  private void deleteFolder() {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
