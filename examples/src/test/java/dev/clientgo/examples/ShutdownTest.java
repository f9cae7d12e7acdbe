package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.WorkQueue;
import dev.clientgo.workqueue.Workers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The order of shutdown in docs/concurrency.md ends, whatever the server does. */
final class ShutdownTest {

  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final ObjectName WEB = new ObjectName("default", "web");

  @Test
  void shutdown_serverAcceptsAndNeverAnswers_endsWithinItsBound() throws Exception {
    try (SilentServer server = SilentServer.start()) {
      RESTClient client = RESTClient.create(RestConfig.builder(server.url()).build());
      InformerFactory informers = InformerFactory.create(client);
      RateLimitingQueue<ObjectName> queue =
          RateLimitingQueue.create(RateLimiter.defaultController());
      Clientset clients = Clientset.of(client);
      CountDownLatch inHandler = new CountDownLatch(1);
      Workers workers =
          Workers.start(
              queue,
              2,
              name -> {
                inHandler.countDown();
                clients.core().v1().pods(name.namespace()).get(name.name());
              });
      informers
          .core()
          .v1()
          .pods()
          .informer()
          .addEventHandler(ResourceEventHandler.keys(queue::add));
      informers.start();
      queue.add(WEB);
      assertThat(inHandler.await(30, TimeUnit.SECONDS)).isTrue();
      server.awaitTwoConnections(); // The informer's list and the handler's get.

      assertTimeoutPreemptively(
          BOUND,
          () -> {
            WorkQueue.Unfinished<?> left = workers.drain(Duration.ofMillis(200));
            assertThat(left).hasToString("1 (default/web) in process, none queued");
            assertThat(workers.close(Duration.ofSeconds(10))).isEmpty();
            informers.close();
            client.close();
          });
    }
  }

  /** Accepts connections, and neither reads nor writes. */
  private static final class SilentServer implements AutoCloseable {

    private final ServerSocket socket;
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final CountDownLatch two = new CountDownLatch(2);

    private SilentServer(ServerSocket socket) {
      this.socket = socket;
    }

    static SilentServer start() throws IOException {
      SilentServer server =
          new SilentServer(
              new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
      Thread thread = new Thread(server::accept, "silent-server");
      thread.setDaemon(true);
      thread.start();
      return server;
    }

    private void accept() {
      try {
        while (true) {
          accepted.add(socket.accept());
          two.countDown();
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    String url() {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }

    void awaitTwoConnections() throws InterruptedException {
      assertThat(two.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws IOException {
      socket.close();
      for (Socket each : accepted) {
        each.close();
      }
    }
  }
}
