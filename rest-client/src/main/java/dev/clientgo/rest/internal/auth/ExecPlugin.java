package dev.clientgo.rest.internal.auth;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.PluginPolicy;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RequestMetrics.PluginResult;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a credential plugin.
 *
 * <p>The calling thread waits while another thread reads the output, so that a timeout or an
 * interruption can end the wait. The plugin and its child processes are then killed.
 */
public final class ExecPlugin implements AutoCloseable {

  /** No virtual threads: those of the program may occupy all carriers, and a renewal waits. */
  private static final ThreadFactory READERS =
      DaemonThreads.platform("client-go-credential-plugin-");

  private static final int MAX_OUTPUT = 1 << 20;

  private final ExecConfig config;
  private final PluginPolicy policy;
  private final ExecCluster cluster;
  private final ExecutableFinder programs;
  private final Map<String, String> environment;
  private final BooleanSupplier terminal;
  private final InstallHint hint;
  private final RequestPolicies policies;

  /** The current run. */
  private volatile @Nullable Process running;

  private volatile boolean closed;

  /**
   * Creates a plugin, without running it.
   *
   * @param environment the environment of this program
   * @param terminal returns whether standard input is a terminal
   * @param policies receives the metrics of each run
   */
  ExecPlugin(
      ExecConfig config,
      PluginPolicy policy,
      ExecCluster cluster,
      Map<String, String> environment,
      BooleanSupplier terminal,
      Clock clock,
      RequestPolicies policies) {
    this.config = config;
    this.policy = policy;
    this.cluster = cluster;
    this.programs = new ExecutableFinder(environment);
    this.environment = environment;
    this.terminal = terminal;
    this.hint = new InstallHint(config.installHint(), clock);
    this.policies = policies;
  }

  static ExecPlugin of(ExecConfig exec, RestConfig config, Clock clock, RequestPolicies policies) {
    return new ExecPlugin(
        exec,
        config.pluginPolicy(),
        ExecCluster.of(config, exec.clusterConfig()),
        System.getenv(),
        Terminal::isStandardInput,
        clock,
        policies);
  }

  ExecConfig config() {
    return config;
  }

  /**
   * Runs the plugin.
   *
   * @throws ConfigException if it cannot be run, fails, times out or prints no credential
   * @throws InterruptedException if the thread is interrupted
   */
  ExecCredential run() throws InterruptedException {
    boolean interactive = isInteractive();
    Path program = program();
    byte[] output = run(program, interactive, ExecCredential.request(config, cluster, interactive));
    try {
      ExecCredential credential = ExecCredential.parse(output, config);
      called(PluginResult.NO_ERROR, 0);
      return credential;
    } catch (ConfigException e) {
      called(PluginResult.CLIENT_INTERNAL_ERROR, 0);
      throw e;
    }
  }

  void measure(Consumer<RequestMetrics> event) {
    policies.measure(event);
  }

  private void called(PluginResult result, int exitCode) {
    measure(metrics -> metrics.pluginCalled(result, exitCode));
  }

  /** Returns the program that the policy allows. It is not looked up again, and run as it is. */
  private Path program() {
    Optional<Path> program = programs.find(config.command());
    try {
      policy.check(config, program, programs::find);
      measure(metrics -> metrics.pluginChecked(true));
    } catch (ConfigException e) {
      measure(metrics -> metrics.pluginChecked(false));
      throw e;
    }
    if (program.isEmpty()) {
      called(PluginResult.PLUGIN_NOT_FOUND_ERROR, 1);
      throw failure("cannot be run: " + programs.describe(config.command()) + hint.next(), null);
    }
    return program.get();
  }

  private boolean isInteractive() {
    return switch (config.interactiveMode()) {
      case NEVER -> false;
      case IF_AVAILABLE -> !config.stdinUnavailable() && terminal.getAsBoolean();
      case ALWAYS -> {
        if (!terminal.getAsBoolean()) {
          throw notInteractive("standard input is not a terminal");
        }
        if (config.stdinUnavailable()) {
          String what = config.stdinUnavailableMessage();
          throw notInteractive(
              "standard input is unavailable" + (what.isEmpty() ? "" : ": " + what));
        }
        yield true;
      }
    };
  }

  private ConfigException notInteractive(String reason) {
    return failure("must ask the user (interactiveMode Always), but " + reason, null);
  }

  private byte[] run(Path program, boolean interactive, String request)
      throws InterruptedException {
    Process process = start(program, interactive, request);
    running = process;
    try {
      if (closed) {
        throw failure("was not run: the client was closed", null);
      }
      FutureTask<byte[]> output = new FutureTask<>(() -> read(process.getInputStream()));
      READERS.newThread(output).start();
      long nanos = TimeUnit.NANOSECONDS.convert(config.timeout());
      byte[] bytes = output.get(nanos, TimeUnit.NANOSECONDS);
      if (!process.waitFor(nanos, TimeUnit.NANOSECONDS)) {
        throw new TimeoutException();
      }
      if (process.exitValue() != 0) {
        called(PluginResult.PLUGIN_EXECUTION_ERROR, process.exitValue());
        throw failure(
            "failed with exit code "
                + process.exitValue()
                + ": see what it wrote to standard error, or run it by hand",
            null);
      }
      return bytes;
    } catch (TimeoutException e) {
      called(PluginResult.PLUGIN_EXECUTION_ERROR, 1);
      throw failure(
          "did not finish within "
              + config.timeout().toSeconds()
              + " s and was killed: does it wait for a login?",
          e);
    } catch (ExecutionException e) {
      called(PluginResult.CLIENT_INTERNAL_ERROR, 1);
      throw failure("printed output that cannot be read: " + e.getMessage(), e);
    } finally {
      running = null;
      kill(process);
    }
  }

  /** Kills a process and its descendants. */
  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Ends the current run; it and all later ones fail. */
  @Override
  public void close() {
    closed = true;
    Process process = running;
    if (process != null) {
      kill(process);
    }
  }

  private static byte[] read(InputStream in) throws IOException {
    try (in) {
      byte[] bytes = in.readNBytes(MAX_OUTPUT);
      if (in.read() >= 0) {
        throw new IOException("it is longer than " + MAX_OUTPUT + " bytes");
      }
      return bytes;
    }
  }

  private Process start(Path program, boolean interactive, String request) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(config.args());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    Map<String, String> env = builder.environment();
    env.clear();
    env.putAll(environment);
    env.putAll(config.env());
    env.put(ExecCredential.VARIABLE, request);
    if (interactive) {
      builder.redirectInput(Redirect.INHERIT);
    }
    try {
      Process process = builder.start();
      if (!interactive) {
        process.getOutputStream().close();
      }
      return process;
    } catch (IOException e) {
      called(PluginResult.CLIENT_INTERNAL_ERROR, 1);
      throw failure("cannot be run: " + e.getMessage(), e);
    }
  }

  private ConfigException failure(String problem, @Nullable Throwable cause) {
    return new ConfigException(config.describe() + " " + problem, cause);
  }
}
