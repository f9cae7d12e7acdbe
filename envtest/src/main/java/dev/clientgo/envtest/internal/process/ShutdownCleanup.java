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
 * What must not outlive this JVM: the processes of a server and their folder. It ends them when the
 * JVM shuts down, as it does on SIGTERM or Ctrl-C, before somebody has closed the server. Nothing
 * helps if the JVM is killed outright.
 */
public final class ShutdownCleanup {

  private static final int ATTEMPTS = 100;

  private final Thread hook = new Thread(this::endAll, "envtest-last-resort");
  private final Set<Process> processes = ConcurrentHashMap.newKeySet();
  private final Path folder;
  private volatile boolean ending;

  public ShutdownCleanup(Path folder) {
    this.folder = folder;
  }

  /** Begins to watch over the folder and what is added. */
  public void begin() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public void add(Process process) {
    processes.add(process);
    if (ending) {
      process.destroyForcibly(); // It has begun after the others were ended.
    }
  }

  /** Deletes the folder and is needed no more: the processes have ended. */
  public void end() {
    deleteFolder();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, so the hook runs, and finds nothing.
    }
  }

  private void endAll() {
    ending = true;
    for (int attempt = 1; ; attempt++) {
      processes.forEach(Process::destroyForcibly);
      processes.forEach(process -> process.onExit().join());
      try {
        deleteFolder();
        return;
      } catch (UncheckedIOException e) {
        // Whoever starts a server goes on until the JVM has ended, and may have added to it.
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
      throw new AssertionError("nobody interrupts the last thread", e);
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
