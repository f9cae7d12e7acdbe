package dev.clientgo.benchmarks.shards;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.traffic.CuttingProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of {@link ShardReplica} or {@link GroupReplica}, behind its own proxy that counts its
 * bytes.
 */
final class Replica implements AutoCloseable {

  /**
   * Figures of a replica.
   *
   * @param objects how many pods it has
   * @param heap the bytes of the heap that they take
   * @param cpuMillis the processor time since the start of the process
   * @param shard selects its pods
   * @param bytes what it has received since the figures before, as it is on the wire
   */
  record Figures(long objects, long heap, long cpuMillis, ShardSelector shard, long bytes) {}

  private final CuttingProxy proxy;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;
  private long counted;

  private Replica(CuttingProxy proxy, Process process) {
    this.proxy = proxy;
    this.process = process;
    this.commands = process.outputWriter();
    this.answers = process.inputReader();
  }

  /**
   * Starts a replica; {@link #figures} waits until it has its pods.
   *
   * @param program the class to run
   * @param arguments its arguments after the kubeconfig
   */
  static Replica start(ApiServer server, Path log, Class<?> program, List<String> arguments)
      throws IOException {
    CuttingProxy proxy = CuttingProxy.to(server.url());
    Path kubeconfig = Files.createTempFile(log.getParent(), "replica-", ".kubeconfig");
    Files.writeString(
        kubeconfig, server.kubeconfig().replace(server.url().toString(), proxy.url().toString()));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                kubeconfig.toString()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new Replica(proxy, process);
  }

  /** Waits until the replica has its pods, or the version that it was asked for. */
  Figures figures() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("a replica has ended; its log says why");
    }
    String[] fields = line.split(" ", 4);
    long received = proxy.receivedBytes();
    long bytes = received - counted;
    counted = received;
    return new Figures(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        ShardSelector.parse(fields[3]),
        bytes);
  }

  /** Asks for the figures once the replica has seen a version of its shard. */
  void await(String resourceVersion) throws IOException {
    commands.write(resourceVersion + "\n");
    commands.flush();
  }

  /** Ends the input of the process, by which it ends, and waits for that. */
  @Override
  public void close() throws IOException {
    commands.close();
    process.onExit().join();
    proxy.close();
  }
}
