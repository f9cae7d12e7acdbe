package dev.clientgo.benchmarks.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How fast the output of a command in a pod and the bytes of a forwarded port arrive, and how much
 * processor time the client needs, beside kubectl on the same cluster.
 *
 * <p>{@code ./benchmarks/run streams [MEGABYTES [ROUNDS]]}; docs/benchmarks/streams.md says what
 * the figures are.
 */
public final class Streams {

  private static final Pattern FORWARDING = Pattern.compile("Forwarding from 127.0.0.1:(\\d+) .*");
  private static final Pattern MINUTES = Pattern.compile("(\\d+)m([0-9.]+)s");

  private static final String OURS = "client-go-java";

  /** With TLS in native code, and a JVM without the compiler that only the JDK's TLS needs. */
  private static final String CONSCRYPT = "client-go-java-conscrypt";

  private static final String KUBECTL = "kubectl";

  /** The floor for a JVM, {@link TlsSide}. */
  private static final String TLS = "tls-socket";

  private final long bytes;
  private final int rounds;
  private final Path kubeconfig;
  private final Path kubectl;
  private final Path log;
  private final String server;

  private Streams(long bytes, int rounds, Path kubeconfig, Path kubectl, Path log, String server) {
    this.server = server;
    this.bytes = bytes;
    this.rounds = rounds;
    this.kubeconfig = kubeconfig;
    this.kubectl = kubectl;
    this.log = log;
  }

  /** Runs it once and prints one line for each round of each side. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, TimeoutException {
    long megabytes = arguments.length > 0 ? Long.parseLong(arguments[0]) : 500;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    String assets = System.getenv("KUBEBUILDER_ASSETS");
    if (!KubeCluster.isAvailable() || assets == null) {
      System.err.println(
          "It needs the binaries of envtest/kube-apiserver/build, and their folder in"
              + " KUBEBUILDER_ASSETS");
      System.exit(1);
    }
    try (KubeCluster cluster = KubeCluster.start();
        RESTClient client = RESTClient.create(cluster.restConfig())) {
      Path folder = Files.createTempDirectory("streams-");
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
      Path log = folder.resolve("sides.log");
      System.err.println("The errors of both sides are in " + log);
      writePem(folder, cluster.restConfig());
      createPod(client);
      Streams streams =
          new Streams(
              megabytes * 1_000_000,
              rounds,
              kubeconfig,
              Path.of(assets, "kubectl"),
              log,
              cluster.restConfig().server().toString());
      streams.exec();
      streams.forward();
    }
  }

  /** Writes the certificates and the key for {@link TlsSide}. */
  private static void writePem(Path folder, RestConfig config) throws IOException {
    write(folder.resolve("ca"), config.certificateAuthority());
    write(folder.resolve("certificate"), config.clientCertificate());
    write(folder.resolve("key"), config.clientKey());
  }

  private static void write(Path file, @Nullable PemSource content) throws IOException {
    Files.write(file, requireNonNull(content, file.toString()).read(file.toString()));
  }

  private static void createPod(RESTClient client) throws InterruptedException, TimeoutException {
    ResourceClient<Unstructured> pods = client.dynamic(Pod.TYPE.resource()).inNamespace("default");
    pods.create(
        Unstructured.parseYaml(
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers:"
                    + " [{name: c, image: i, command: [sleep, infinity]}]}}")
            .get(0));
    pods.await(
        "p",
        pod -> pod.filter(found -> found.toJson().contains("\"ready\":true")).isPresent(),
        Duration.ofSeconds(60));
  }

  /** Returns the command line of a side, such as {@code kubectl port-forward p 80}. */
  private List<String> command(String side, String... words) {
    List<String> before =
        switch (side) {
          case OURS -> java(List.of(), StreamSide.class, kubeconfig.toString());
          case CONSCRYPT ->
              java(
                  List.of("-Dconscrypt=true", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                  StreamSide.class,
                  kubeconfig.toString());
          default -> List.of(kubectl.toString(), "--kubeconfig", kubeconfig.toString());
        };
    return Stream.concat(before.stream(), Arrays.stream(words)).toList();
  }

  private static List<String> java(List<String> options, Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** The sides take turns. The shell prints the processor time that the side has used. */
  private void exec() throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (String side : List.of(OURS, CONSCRYPT, KUBECTL, TLS)) {
        Path times = Files.createTempFile(log.getParent(), "times", "");
        List<String> command =
            new ArrayList<>(List.of("sh", "-c", "\"$@\"; times >" + times, "sh"));
        command.addAll(exec(side));
        Process process = start(command);
        process.getOutputStream().close();
        Duration time = readAll(process.getInputStream());
        process.waitFor();
        print("exec", side, time, ofChildren(Files.readAllLines(times).get(1)));
      }
    }
  }

  private List<String> exec(String side) {
    String count = Long.toString(bytes);
    if (side.equals(TLS)) {
      return java(
          List.of(),
          TlsSide.class,
          server,
          kubeconfig.resolveSibling("ca").toString(),
          kubeconfig.resolveSibling("certificate").toString(),
          kubeconfig.resolveSibling("key").toString(),
          count);
    }
    return side.equals(KUBECTL)
        ? command(side, "exec", "p", "--", "head", "-c", count, "/dev/zero")
        : command(side, "exec", "p", "head", "-c", count, "/dev/zero");
  }

  /** Reads {@code 0m1.20s 0m0.30s}. */
  private static double ofChildren(String times) {
    double seconds = 0;
    for (Matcher time = MINUTES.matcher(times); time.find(); ) {
      seconds += Integer.parseInt(time.group(1)) * 60 + Double.parseDouble(time.group(2));
    }
    return seconds;
  }

  /** Returns the time from the first byte to the end. */
  private Duration readAll(InputStream in) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    long count = in.read(buffer);
    long start = System.nanoTime();
    for (int read; (read = in.read(buffer)) >= 0; ) {
      count += read;
    }
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    if (count != bytes) {
      throw new IOException("got " + count + " bytes in place of " + bytes + "; see " + log);
    }
    return time;
  }

  /** Each side runs once for all its rounds; the sides take turns. */
  private void forward() throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread sender = new Thread(() -> serve(server), "pod");
      sender.setDaemon(true);
      sender.start();
      String port = Integer.toString(server.getLocalPort());
      Map<String, Process> sides = new LinkedHashMap<>();
      try {
        for (String side : List.of(OURS, CONSCRYPT, KUBECTL)) {
          String forwarded = side.equals(KUBECTL) ? ":" + port : port;
          sides.put(side, start(command(side, "port-forward", "p", forwarded)));
        }
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (Map.Entry<String, Process> side : sides.entrySet()) {
          ports.put(side.getKey(), localPort(side.getValue()));
        }
        for (int round = 0; round < rounds; round++) {
          for (Map.Entry<String, Integer> side : ports.entrySet()) {
            forward(side.getKey(), requireNonNull(sides.get(side.getKey())), side.getValue());
          }
        }
      } finally {
        for (Process side : sides.values()) {
          side.destroy();
          side.waitFor();
        }
      }
    }
  }

  private static int localPort(Process side) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(side.getInputStream(), UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher forwarding = FORWARDING.matcher(line);
      if (forwarding.matches()) {
        return Integer.parseInt(forwarding.group(1));
      }
    }
    throw new IOException("a side has ended before it forwarded");
  }

  /** Kubectl also prints a line for each connection, which a pipe takes without a reader. */
  private void forward(String side, Process process, int port) throws IOException {
    Duration before = process.info().totalCpuDuration().orElse(Duration.ZERO);
    Duration time;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      time = readAll(socket.getInputStream());
    }
    Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO).minus(before);
    print("forward", side, time, used.toMillis() / 1000.0);
  }

  /** The program of the pod, whose ports are those of this machine. */
  private void serve(ServerSocket server) {
    byte[] block = new byte[64 * 1024];
    while (true) {
      try (Socket client = server.accept();
          OutputStream out = client.getOutputStream()) {
        for (long left = bytes; left > 0; left -= block.length) {
          out.write(block, 0, (int) Math.min(left, block.length));
        }
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
        System.err.println("a connection of the pod has broken: " + e);
      }
    }
  }

  private void print(String what, String side, Duration time, double cpuSeconds) {
    double megabytes = bytes / 1e6;
    System.out.printf(
        Locale.ROOT,
        "%s side=%s mb_per_s=%.0f cpu_s_per_gb=%.2f%n",
        what,
        side,
        megabytes / (time.toNanos() / 1e9),
        cpuSeconds / megabytes * 1000);
  }
}
