package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many commands at once, some of whose connections are cut at a random byte. {@code
 * -Dexec.runs=10000} makes it a load test.
 */
@Timeout(1800)
final class ExecLoadTest {

  private static final int RUNS = Integer.getInteger("exec.runs", 300);
  private static final long SEED = Long.getLong("exec.seed", 20261123);
  private static final int AT_ONCE = 64;
  private static final int CUTS = 32;
  private static final int LARGEST = 1 << 20;

  /** Output, error output and input of one run, by the numbers of its command. */
  private record Job(long seed, int output, int error, int input, int exitCode, int cut) {

    static Job random(Random random) {
      return new Job(
          random.nextLong(),
          size(random),
          size(random) / 4,
          random.nextInt(4) == 0 ? size(random) : 0,
          random.nextInt(3) == 0 ? 1 + random.nextInt(255) : 0,
          random.nextInt(4) == 0 ? random.nextInt(CUTS) : -1);
    }

    private static int size(Random random) {
      return switch (random.nextInt(20)) {
        case 0 -> random.nextInt(LARGEST);
        case 1, 2, 3, 4 -> random.nextInt(100_000);
        case 5 -> 0;
        default -> random.nextInt(2_000);
      };
    }

    static Job of(List<String> command) {
      return new Job(
          Long.parseLong(command.get(0)),
          Integer.parseInt(command.get(1)),
          Integer.parseInt(command.get(2)),
          Integer.parseInt(command.get(3)),
          Integer.parseInt(command.get(4)),
          Integer.parseInt(command.get(5)));
    }

    String[] command() {
      return new String[] {
        Long.toString(seed),
        Integer.toString(output),
        Integer.toString(error),
        Integer.toString(input),
        Integer.toString(exitCode),
        Integer.toString(cut)
      };
    }

    byte[] bytes(int salt, int length) {
      byte[] bytes = new byte[length];
      new Random(seed + salt).nextBytes(bytes);
      return bytes;
    }

    /** The program of the container. */
    int run(ContainerProgram.Io io) throws IOException {
      byte[] read = io.stdin().readNBytes(input);
      if (!Arrays.equals(read, bytes(3, input))) {
        throw new IOException("the input has " + read.length + " other bytes");
      }
      byte[] out = bytes(1, output);
      int half = out.length / 2;
      io.stdout().write(out, 0, half);
      io.stderr().write(bytes(2, error));
      io.stdout().write(out, half, out.length - half);
      return exitCode;
    }
  }

  @Test
  void commands_cutAnywhere_areExactOrErrors_andLeaveNothing() throws Exception {
    Random random = new Random(SEED);
    AtomicLong transferred = new AtomicLong();
    long start = Clock.system().nanoTime();
    int complete = 0;
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.kubelet().runPod("default", "p", "c");
      server.kubelet().container("c", io -> Job.of(io.command()).run(io));
      for (int i = 0; i < CUTS; i++) {
        String cut = Integer.toString(i);
        server
            .faults()
            .on(request -> cut.equals(last(request.query().getOrDefault("command", List.of()))))
            .always()
            .cutAfter(random.nextInt(random.nextBoolean() ? 200 : 50_000));
      }
      ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE);
      try {
        List<Future<Boolean>> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
          Job job = Job.random(random);
          runs.add(callers.submit(() -> isComplete(client, job, transferred)));
        }
        for (Future<Boolean> run : runs) {
          complete += get(run) ? 1 : 0;
        }
      } finally {
        callers.shutdownNow();
      }

      assertThat(complete).describedAs("seed %d", SEED).isBetween(RUNS / 2, RUNS);
      awaitNoThread();
      awaitNone(server);
    }
    double seconds = (Clock.system().nanoTime() - start) / 1e9;
    System.out.printf(
        "%d commands, %d complete, %.1f MB, %.1f s, seed %d%n",
        RUNS, complete, transferred.get() / 1e6, seconds, SEED);
  }

  private static String last(List<String> words) {
    return words.isEmpty() ? "" : words.get(words.size() - 1);
  }

  private static boolean get(Future<Boolean> run) throws InterruptedException {
    try {
      return run.get();
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + SEED, e.getCause());
    }
  }

  private static boolean isComplete(RESTClient client, Job job, AtomicLong transferred)
      throws InterruptedException {
    RemoteCommand command = RemoteCommand.exec(client, "default", "p", job.command());
    try {
      CommandResult result = job.input == 0 ? command.run() : command.run(job.bytes(3, job.input));
      assertThat(result.exitCode()).isEqualTo(job.exitCode);
      assertThat(result.bytes()).isEqualTo(job.bytes(1, job.output));
      assertThat(result.errorBytes()).isEqualTo(job.bytes(2, job.error));
      transferred.addAndGet((long) job.output + job.error + job.input);
      return true;
    } catch (TransportException e) {
      if (e.kind() == TransportException.Kind.OTHER) {
        assertThat(e).hasMessageContaining("whether the output is complete is not known");
        assertThat(job.input).isPositive(); // Only then the protocol is v5.
        assertThat(job.exitCode).isZero();
        assertThat(job.output + job.error).isGreaterThan(32 << 10);
        return false;
      }
      assertThat(job.cut).as(job + ": " + e).isNotNegative();
      assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_LOST);
      return false;
    }
  }

  private static void awaitNoThread() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("client-go-remotecommand-")) {
        thread.join(30_000);
        assertThat(thread.isAlive()).describedAs(thread.getName()).isFalse();
      }
    }
  }

  private static void awaitNone(EmbeddedApiServer server) throws InterruptedException {
    for (int i = 0; i < 3_000 && server.connections() > 0; i++) {
      Clock.system().sleep(Duration.ofMillis(10));
    }
    assertThat(server.connections()).isZero();
  }

  /** The command must wait; otherwise what it has written is on the heap of this JVM. */
  @Test
  void output_thatIsNotRead_isNotHeld() throws Exception {
    AtomicLong written = new AtomicLong();
    long most = 64L << 20;
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.kubelet().runPod("default", "p", "c");
      server
          .kubelet()
          .container(
              "c",
              io -> {
                byte[] piece = new byte[32 * 1024];
                while (written.get() < most) {
                  io.stdout().write(piece);
                  written.addAndGet(piece.length);
                }
                return 0;
              });
      try (RemoteProcess process =
          RemoteCommand.exec(client, "default", "p", "x").withReadAhead(0).start()) {
        assertThat(process.inputStream().readNBytes(1)).hasSize(1); // The command writes now.
        long before = 0;
        for (int i = 0; i < 100 && before < written.get(); i++) {
          before = written.get();
          process.waitFor(Duration.ofMillis(300));
        }

        assertThat(written.get()).isLessThan(most / 2);
        System.out.printf("a command has written %.1f MB to nobody%n", written.get() / 1e6);
        assertThat(process.inputStream().readNBytes(1 << 20)).hasSize(1 << 20);
      }
    }
  }
}
