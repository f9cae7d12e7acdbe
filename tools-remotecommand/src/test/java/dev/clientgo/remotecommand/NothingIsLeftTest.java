package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many commands at once, some of them cut, closed or interrupted, leave neither thread nor socket.
 */
@Timeout(300)
final class NothingIsLeftTest {

  private static final int COMMANDS = 400;

  @Test
  void commands_howeverTheyEnd_leaveNothing() throws Exception {
    long seed = 20261123;
    Random cuts = new Random(seed);
    try (FakeKubelet kubelet =
            new FakeKubelet(
                connection -> {
                  connection.upgrade("v5.channel.k8s.io");
                  synchronized (cuts) {
                    connection.cutAfter(cuts.nextInt(3) == 0 ? cuts.nextInt(20_000) : 1 << 20);
                  }
                  for (int i = 0; i < 10; i++) {
                    connection.send(1 + i % 2, new byte[2000]);
                  }
                  connection.exit(0);
                  connection.awaitEnd(); // Only the client closes this connection.
                });
        RESTClient client = RESTClient.create(kubelet.config())) {
      ExecutorService callers = Executors.newFixedThreadPool(32);
      List<Future<Boolean>> runs =
          IntStream.range(0, COMMANDS)
              .mapToObj(i -> callers.submit(() -> endsKnown(client, i)))
              .toList();
      int complete = 0;
      for (Future<Boolean> run : runs) {
        complete += run.get() ? 1 : 0;
      }
      callers.shutdown();

      assertThat(complete).describedAs("seed %d", seed).isBetween(COMMANDS / 4, COMMANDS);
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("client-go-remotecommand-")) {
          thread.join(30_000);
          assertThat(thread.isAlive()).describedAs(thread.getName()).isFalse();
        }
      }
      kubelet.awaitNoConnections();
    }
  }

  /** As if no thread could be had, or no memory: the caller has no process that it could close. */
  @Test
  void start_thatFailsAfterTheConnectionIsOpen_closesIt() throws Exception {
    try (FakeKubelet kubelet =
            new FakeKubelet(
                connection -> {
                  connection.upgrade("v5.channel.k8s.io");
                  connection.awaitEnd();
                });
        RESTClient client = RESTClient.create(kubelet.config())) {
      RemoteCommand command =
          RemoteCommand.exec(client, "default", "p", "x").withClock(new BrokenClock());

      assertThatThrownBy(command::start).isInstanceOf(OutOfMemoryError.class);
      kubelet.awaitNoConnections();
    }
  }

  /** The clock of a session that cannot start: the first look at the time fails. */
  private static final class BrokenClock implements Clock {
    @Override
    public Instant now() {
      return Clock.system().now();
    }

    @Override
    public long nanoTime() {
      throw new OutOfMemoryError("mine");
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return Clock.system().await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      Clock.system().sleep(duration);
    }
  }

  private static boolean endsKnown(RESTClient client, int number) throws InterruptedException {
    RemoteCommand command = RemoteCommand.exec(client, "default", "p", "x");
    if (number % 4 == 0) {
      try (RemoteProcess process = command.start()) {
        return process.isAlive();
      }
    }
    try {
      CommandResult result = command.run();
      assertThat(result.bytes()).hasSize(10_000);
      assertThat(result.errorBytes()).hasSize(10_000);
      return true;
    } catch (TransportException e) {
      return false;
    }
  }
}
