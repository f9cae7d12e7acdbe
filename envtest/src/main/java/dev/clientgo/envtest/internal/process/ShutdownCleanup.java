package dev.clientgo.envtest.internal.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts the processes of a server, with a shutdown hook that kills them and deletes their folder.
 * The hook runs if the JVM shuts down, for example on SIGTERM or Ctrl-C, before the server is
 * closed. It cannot run if the JVM is killed outright; then only a guard ends the processes.
 */
public final class ShutdownCleanup {

  private static final int ATTEMPTS = 100;

  private final Thread hook = new Thread(this::killAll, "envtest-shutdown-cleanup");
  private final Path folder;
  private final @Nullable Path guard;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<ServerProcess> processes = new ArrayList<>();

  @GuardedBy("lock")
  private boolean shuttingDown;

  /**
   * Creates the cleanup.
   *
   * @param guard the program that ends the processes even if the JVM is killed; null to do without
   */
  public ShutdownCleanup(Path folder, @Nullable Path guard) {
    this.folder = folder;
    this.guard = guard;
  }

  /** Registers the hook. */
  public void register() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a process in the folder. The hook waits for the end of this call, so that it never
   * misses a process that has just been started.
   *
   * @throws IllegalStateException if the JVM is shutting down
   */
  public ServerProcess start(String name, List<String> command) {
    lock.lock();
    try {
      if (shuttingDown) {
        throw new IllegalStateException("cannot start " + name + ": the JVM is shutting down");
      }
      ServerProcess started = ServerProcess.start(name, folder, command, guard);
      processes.add(started);
      return started;
    } finally {
      lock.unlock();
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
    startedProcesses().forEach(ServerProcess::kill);
    for (int attempt = 1; ; attempt++) {
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

  /** Returns the processes that have been started; none can be started from now on. */
  private List<ServerProcess> startedProcesses() {
    lock.lock();
    try {
      shuttingDown = true;
      return List.copyOf(processes);
    } finally {
      lock.unlock();
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
