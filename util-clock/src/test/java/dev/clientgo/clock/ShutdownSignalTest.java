package dev.clientgo.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that is told to end closes what it has opened, within a bound. */
@Timeout(300)
public final class ShutdownSignalTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** Reports when it is opened and closed. */
  private static final class Resource implements AutoCloseable {
    void open() {
      System.out.println("ready");
    }

    @Override
    public void close() {
      System.out.println("closed");
    }
  }

  /** Waits in the way that its argument names, and reports when its resources are closed. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Duration bound = Duration.ofMillis(Long.parseLong(arguments[1]));
      System.getLogger("program").log(System.Logger.Level.INFO, "starting");
      try (ShutdownSignal signal =
              arguments[0].equals("faulty")
                  ? ShutdownSignal.install(bound, Program::fail)
                  : ShutdownSignal.install(bound);
          Resource resource = new Resource()) {
        resource.open();
        switch (arguments[0]) {
          case "await" -> signal.await();
          case "elsewhere" -> waitElsewhere();
          case "exit" -> System.exit(128 + 15);
          default -> waitDeafly();
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e); // Not from await().
      }
      System.getLogger("program").log(System.Logger.Level.WARNING, "closing");
      LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
      System.out.println("last");
    }

    private static void fail() {
      throw new AssertionError("a broken action");
    }

    /** Reports the interruption within the block: the JVM may end as soon as the block does. */
    private static void waitElsewhere() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        System.out.println("interrupted");
      }
    }

    private static void waitDeafly() {
      while (true) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          System.out.println("deaf");
        }
      }
    }
  }

  /** Also the lines after the block run, and the JVM does not wait for a thread that ends it. */
  @ParameterizedTest
  @CsvSource({
    "await, 60000, closed last",
    "elsewhere, 60000, interrupted closed last",
    "exit, 60000, ''",
    "deaf, 2000, deaf"
  })
  void sigterm_closesTheResources(String how, String bound, String expected) throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                place(ShutdownSignal.class) + File.pathSeparator + place(Program.class),
                Program.class.getName(),
                how,
                bound)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output = program.inputReader()) {
      assertThat(output.readLine()).isEqualTo("ready");
      program.toHandle().destroy(); // SIGTERM; Process.destroy() would also close the output.

      assertThat(String.join(" ", output.lines().toList())).isEqualTo(expected);
      assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(128 + 15);
    } finally {
      program.destroyForcibly();
    }
  }

  /** Keeps its handlers when the JVM shuts down, as docs/controllers.md shows. */
  public static final class LastingLogManager extends LogManager {
    /** Called by the JDK. */
    public LastingLogManager() {}

    @Override
    public void reset() {}
  }

  /** The JDK's own log manager drops the line. An action that fails does not keep the JVM alive. */
  @ParameterizedTest
  @CsvSource({"await, WARNING: closing", "faulty, AssertionError: a broken action"})
  void logManagerThatDoesNotReset_letsTheLastLinesBeSeen(
      String how, String line, @TempDir Path folder) throws Exception {
    Path log = folder.resolve("log");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.util.logging.manager=" + LastingLogManager.class.getName(),
                "-cp",
                place(ShutdownSignal.class) + File.pathSeparator + place(Program.class),
                Program.class.getName(),
                how,
                "60000")
            .redirectError(log.toFile())
            .start();
    try (BufferedReader output = program.inputReader()) {
      assertThat(output.readLine()).isEqualTo("ready");
      program.toHandle().destroy();

      assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(log).content().contains(line);
    } finally {
      program.destroyForcibly();
    }
  }

  private static String place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  @Test
  void await_returnsOnTheSignal_withoutAnInterruption() throws Exception {
    AtomicReference<@Nullable Boolean> interrupted = new AtomicReference<>();
    CountDownLatch started = new CountDownLatch(1);
    AtomicReference<@Nullable ShutdownSignal> installed = new AtomicReference<>();
    Thread program =
        new Thread(
            () -> {
              try (ShutdownSignal signal = ShutdownSignal.install(LONG)) {
                installed.set(signal);
                started.countDown();
                signal.await();
                interrupted.set(Thread.currentThread().isInterrupted());
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
            });
    program.start();
    started.await();
    while (program.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    installed.get().shutDown(); // Returns when the program has closed the signal.
    program.join();

    assertThat(interrupted).hasValue(false);
  }

  @Test
  void await_interruptedByAnother_throws() {
    try (ShutdownSignal signal = ShutdownSignal.install(LONG)) {
      Thread.currentThread().interrupt();

      assertThatThrownBy(signal::await).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void close_unregistersTheThread() {
    ShutdownSignal signal = ShutdownSignal.install(LONG);
    signal.close();
    signal.close();

    signal.shutDown(); // Waits for nothing.
    assertThat(Thread.interrupted()).isTrue();
  }
}
