package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
