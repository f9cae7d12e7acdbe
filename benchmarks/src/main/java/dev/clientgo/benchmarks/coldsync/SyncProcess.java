package dev.clientgo.benchmarks.coldsync;

import dev.clientgo.benchmarks.informer.ProcessFigures;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A {@link SyncProgram} of one side, measured from outside, so that both sides are measured alike.
 */
final class SyncProcess implements AutoCloseable {

  /**
   * The cost of one sync.
   *
   * @param millis how long it took; with the first sync, from before the process was started
   * @param cpuSeconds the processor time of the whole process
   * @param peakMegabytes the most memory that the process has had until then
   */
  record Cost(double millis, double cpuSeconds, double peakMegabytes) {}

  private final Process process;
  private final BufferedReader output;
  private final Writer input;
  private long begin;
  private Duration cpuBefore = Duration.ZERO;

  private SyncProcess(Process process, long begin) {
    this.process = process;
    this.begin = begin;
    this.output = process.inputReader();
    this.input = process.outputWriter();
  }

  /** Starts the program, and with it the first sync. */
  static SyncProcess start(List<String> command, boolean isListed, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    if (isListed) {
      builder.environment().put("KUBE_FEATURE_WatchListClient", "false");
    }
    long begin = System.nanoTime();
    return new SyncProcess(builder.start(), begin);
  }

  /** Waits until the sync is done. */
  Cost awaitSynced() throws IOException {
    expect("synced");
    long end = System.nanoTime();
    return new Cost(
        (end - begin) / 1e6,
        cpu().minus(cpuBefore).toNanos() / 1e9,
        ProcessFigures.status(process.pid(), "VmHWM") / 1024.0);
  }

  /** Starts the next sync when everything of the last one is gone. */
  void next() throws IOException {
    send();
    expect("ready");
    cpuBefore = cpu();
    begin = System.nanoTime();
    send();
  }

  private void send() throws IOException {
    input.write("\n");
    input.flush();
  }

  private void expect(String expected) throws IOException {
    String line = output.readLine();
    if (!expected.equals(line)) {
      throw new IOException("a side printed " + line + " in place of " + expected);
    }
  }

  private Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Ends its input, by which it ends, and waits for that. */
  @Override
  public void close() throws IOException {
    input.close();
    process.onExit().join();
  }
}
