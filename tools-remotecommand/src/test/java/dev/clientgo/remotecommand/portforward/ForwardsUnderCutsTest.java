package dev.clientgo.remotecommand.portforward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.FakeKubelet;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many connections at once, a third of them cut at random bytes. Each gets all its bytes, or the
 * first of them and then an error; neither a thread nor a socket is left of any.
 *
 * <p>The long run, with ten connections of 100 MB among a thousand: {@code
 * -Dforward.connections=1000 -Dforward.megabytes=100}. {@code -Dforward.seed} repeats one.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class ForwardsUnderCutsTest {

  private static final int CONNECTIONS = Integer.getInteger("forward.connections", 100);
  private static final int LARGE = Integer.getInteger("forward.megabytes", 2) * 1_000_000;
  private static final long SEED = Long.getLong("forward.seed", Clock.system().nanoTime());

  private static final int AT_ONCE = 64;
  private static final int SMALL = 200_000;

  private final Random random = new Random(SEED);

  @Test
  void connections_cutAnywhere_haveAllBytesOrAnError() throws Exception {
    int complete = 0;
    long sockets = sockets();
    FakeKubelet.Script ports = new PortServer();
    try (PodProgram echo = PodProgram.echo();
        FakeKubelet kubelet =
            new FakeKubelet(
                connection -> {
                  connection.cutAfter(nextCut());
                  ports.handle(connection);
                });
        RESTClient client = RESTClient.create(kubelet.config())) {
      PortForward forward =
          PortForward.toPod(client, "default", "p").withListener(new PortForwarder.Listener() {});
      PortForward channels = forward.withProtocols(List.of(PortServer.V4));
      try (PortForwarder local = listen(forward, echo.port());
          PortForwarder localChannels = listen(channels, echo.port())) {
        ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE);
        List<Future<Boolean>> runs = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
          int number = i;
          boolean spdy = i % 2 == 0;
          PortForward direct = spdy ? forward : channels;
          PortForwarder through = spdy ? local : localChannels;
          runs.add(
              callers.submit(
                  () -> {
                    try (Socket socket = open(number, direct, through, echo.port())) {
                      return isComplete(socket, number, spdy);
                    } catch (KubernetesException e) {
                      return false; // Cut before the connection was open.
                    }
                  }));
        }
        for (Future<Boolean> run : runs) {
          complete += run.get() ? 1 : 0;
        }
        callers.shutdown();
      }
      echo.awaitNoConnections();
      kubelet.awaitNoConnections();
    }
    assertThat(complete)
        .describedAs("forward.seed=%d", SEED)
        .isBetween(CONNECTIONS / 3, CONNECTIONS - 1);
    assertNoThreads();
    // The JDK keeps one socket of its own from the first time that it closes a blocked one.
    Poll.every(Duration.ofMillis(20))
        .atMost(Duration.ofSeconds(60))
        .until(() -> sockets() <= sockets + 1);
  }

  /** Returns how many sockets this process has open; 0 where the system does not tell. */
  private static long sockets() throws IOException {
    Path folder = Path.of("/proc/self/fd");
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    long count = 0;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(folder)) {
      for (Path descriptor : descriptors) {
        try {
          count += Files.readSymbolicLink(descriptor).toString().startsWith("socket:") ? 1 : 0;
        } catch (NoSuchFileException e) {
          // It was closed meanwhile.
        }
      }
    }
    return count;
  }

  private int nextCut() {
    synchronized (random) {
      return random.nextInt(3) == 0 ? random.nextInt(SMALL) : Integer.MAX_VALUE;
    }
  }

  /** A first connection checks the server, and may be cut too. */
  private static PortForwarder listen(PortForward forward, int port) throws Exception {
    while (true) {
      try {
        return forward.listen(":" + port);
      } catch (KubernetesException e) {
        assertThat(e).hasMessageContaining("portforward");
      }
    }
  }

  private static Socket open(int number, PortForward direct, PortForwarder through, int port)
      throws IOException, InterruptedException {
    return number / 2 % 2 == 0
        ? direct.connect(port)
        : new Socket(InetAddress.getLoopbackAddress(), through.localPort(port));
  }

  /** Sends random bytes to an echo, and compares what comes back. */
  private static boolean isComplete(Socket socket, int number, boolean spdy) throws Exception {
    Random expected = new Random(number);
    int size = number % 100 < 1 || number % 100 == 51 ? LARGE : expected.nextInt(SMALL);
    Thread sender = PodProgram.daemon(() -> send(socket, number, size, spdy));
    byte[] block = new byte[10_000];
    try {
      InputStream in = socket.getInputStream();
      Random content = new Random(~number);
      for (int left = size; left > 0; ) {
        byte[] got = in.readNBytes(Math.min(left, block.length));
        content.nextBytes(block);
        assertThat(Arrays.equals(got, 0, got.length, block, 0, got.length))
            .describedAs("forward.seed=%d, connection %d: bytes differ", SEED, number)
            .isTrue();
        assertThat(got.length)
            .describedAs("forward.seed=%d, connection %d: an early end", SEED, number)
            .isEqualTo(Math.min(left, block.length));
        left -= got.length;
      }
      if (spdy) {
        assertThat(in.read()).isEqualTo(-1);
      }
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      socket.close();
      sender.join();
    }
  }

  private static void send(Socket socket, int number, int size, boolean spdy) {
    Random content = new Random(~number);
    byte[] block = new byte[10_000];
    try {
      OutputStream out = socket.getOutputStream();
      for (int left = size; left > 0; left -= block.length) {
        content.nextBytes(block);
        out.write(block, 0, Math.min(left, block.length));
      }
      if (spdy) {
        socket.shutdownOutput();
      }
    } catch (IOException e) {
      // The receiver sees it too.
    }
  }

  private static void assertNoThreads() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("client-go-portforward-")
          || thread.getName().startsWith("client-go-remotecommand-ping-")) {
        thread.join(30_000);
        assertThat(thread.isAlive()).describedAs(thread.getName()).isFalse();
      }
    }
  }
}
