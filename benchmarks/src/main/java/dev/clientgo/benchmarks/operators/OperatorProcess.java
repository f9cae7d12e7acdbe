package dev.clientgo.benchmarks.operators;

import dev.clientgo.benchmarks.informer.ProcessFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An operator in a process, measured from outside, so that all sides are measured alike. */
final class OperatorProcess implements AutoCloseable {

  private final Process process;

  private OperatorProcess(Process process) {
    this.process = process;
  }

  /** Starts an operator with the addresses of its pages left to the system. */
  static OperatorProcess start(List<String> command, Path kubeconfig, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> environment = builder.environment();
    environment.put("KUBECONFIG", kubeconfig.toString());
    environment.put("HTTP_PORT", "0");
    environment.put("METRICS_PORT", "0");
    // By default, fabric8's client takes each key of PKCS#8 for one of RSA.
    environment.put("KUBERNETES_CERTS_CLIENT_KEY_ALGO", "EC");
    return new OperatorProcess(builder.start());
  }

  /** Returns whether it still runs. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the processor time that it has used, in milliseconds. */
  double cpuMillis() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e6;
  }

  double residentMegabytes() {
    return ProcessFigures.status(process.pid(), "VmRSS") / 1024.0;
  }

  double peakMegabytes() {
    return ProcessFigures.status(process.pid(), "VmHWM") / 1024.0;
  }

  double threads() {
    return ProcessFigures.status(process.pid(), "Threads");
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
