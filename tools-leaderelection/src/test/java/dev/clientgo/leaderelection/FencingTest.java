package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.UpgradedConnection;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The clients of a term, when it ends while they are in use. */
@Timeout(300)
final class FencingTest {

  private final FakeClock clock = FakeClock.at(Instant.parse("2026-03-01T12:00:00Z"));
  private EmbeddedApiServer server;
  private RESTClient client;
  private LeadershipTerm term;
  private ResourceClient<ConfigMap> maps;
  private ConfigMap map;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    map =
        client
            .resource(ConfigMap.TYPE)
            .inNamespace("default")
            .create(ConfigMap.of("default", "map", m -> m.data(Map.of())));
    term =
        new LeadershipTerm(
            client,
            LeaseLock.of("shop", "cart"),
            "a",
            clock,
            clock.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    maps = term.client().resource(ConfigMap.TYPE).inNamespace("default");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Runs an update in another thread. */
  private CompletableFuture<ConfigMap> update() {
    CompletableFuture<ConfigMap> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(maps.update(map));
              } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    thread.start();
    return result;
  }

  @Test
  void write_afterTheDeadline_isRefusedWithoutAnyThread() throws InterruptedException {
    maps.update(map);
    clock.advance(Duration.ofSeconds(10));
    server.clearRequests();

    assertThatThrownBy(() -> maps.delete("map"))
        .isInstanceOf(LeadershipLostException.class)
        .hasMessage(
            "DELETE /api/v1/namespaces/default/configmaps/map was not sent: \"a\" has not led by"
                + " the lease shop/cart since 2026-03-01T12:00:10Z (the lease was not renewed in"
                + " time)");
    assertThat(server.requests()).isEmpty();
    assertThat(maps.find("map")).isPresent();
  }

  @Test
  void write_afterARenewal_isSent() throws InterruptedException {
    clock.advance(Duration.ofSeconds(9));
    assertThat(term.renew(clock.nanoTime() + TimeUnit.SECONDS.toNanos(10))).isTrue();
    clock.advance(Duration.ofSeconds(9));

    maps.update(map);
  }

  @Test
  void write_inFlight_isCancelled() throws InterruptedException {
    server.faults().on(request -> request.matches("update", "configmaps")).ignore();
    CompletableFuture<ConfigMap> write = update();
    server.awaitRequests(1, request -> request.matches("update", "configmaps"));

    term.end("the elector was stopped");

    assertThatThrownBy(() -> write.get(30, TimeUnit.SECONDS))
        .cause()
        .asInstanceOf(type(LeadershipLostException.class))
        .satisfies(
            lost -> {
              assertThat(lost.mayHaveReachedServer()).isTrue();
              assertThat(lost).hasMessageContaining("the server may have acted on it");
              assertThat(lost.identity()).isEqualTo("a");
              assertThat(lost.lock()).isEqualTo(LeaseLock.of("shop", "cart"));
              assertThat(lost.since()).isEqualTo(clock.now());
            });
  }

  @Test
  void end_cancelsAllWrites_thoughEachCancelThrows() {
    AtomicInteger cancelled = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      term.guard()
          .started(
              "PUT",
              "/api",
              () -> {
                cancelled.incrementAndGet();
                throw new IllegalStateException("injected");
              });
    }

    term.end("the elector was stopped");

    assertThat(cancelled).hasValue(3);
  }

  @Test
  void write_thatTheServerPutsOff_isNotRetriedAfterTheDeadline() throws InterruptedException {
    server
        .faults()
        .on(
            request -> {
              boolean matches = request.matches("update", "configmaps");
              if (matches) {
                clock.advance(Duration.ofSeconds(10));
              }
              return matches;
            })
        .answerTooManyRequests(Duration.ofSeconds(1));

    assertThatThrownBy(() -> maps.update(map))
        .asInstanceOf(type(LeadershipLostException.class))
        .satisfies(lost -> assertThat(lost.mayHaveReachedServer()).isFalse());
    assertThat(server.requests(request -> request.matches("update", "configmaps"))).hasSize(1);
  }

  @Test
  void read_inFlight_isNotCancelled() throws InterruptedException {
    try (Watch<ConfigMap> watch = maps.watch()) {
      assertThat(watch.next()).isPresent();
      term.end("the elector was stopped");

      client.resource(ConfigMap.TYPE).inNamespace("default").delete("map");

      assertThat(watch.next()).isPresent();
    }
    assertThat(maps.list().items()).isEmpty();
  }

  @Test
  void fence_ofAnotherClient_refusesItsWrites() throws InterruptedException {
    try (RESTClient other = RESTClient.create(server.restConfig())) {
      ResourceClient<ConfigMap> fenced =
          term.fence(other).resource(ConfigMap.TYPE).inNamespace("default");
      fenced.update(map);
      term.end("the elector was stopped");

      assertThatThrownBy(() -> fenced.update(map)).isInstanceOf(LeadershipLostException.class);
      other.resource(ConfigMap.TYPE).inNamespace("default").delete("map");
    }
  }

  @Test
  void close_ofAFencedClient_leavesTheOthersOpen() throws InterruptedException {
    term.client().close();

    maps.update(map);
  }

  /** The second check of an attempt comes when the connection is open. */
  @Test
  void guard_thatRefusesOnTheConnection_leavesNothingOpen() throws InterruptedException {
    AtomicInteger checks = new AtomicInteger();
    ResourceClient<ConfigMap> guarded =
        client
            .guardedBy(
                (method, path) -> {
                  if (checks.incrementAndGet() % 2 == 0) {
                    throw new IllegalStateException("refused " + method + ' ' + path);
                  }
                })
            .resource(ConfigMap.TYPE)
            .inNamespace("default");
    server.clearRequests();

    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> guarded.get("map"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("refused GET /api/v1/namespaces/default/configmaps/map");
    }

    assertThat(checks).hasValue(40);
    assertThat(server.requests()).isEmpty();
    maps.get("map");
    assertThat(server.connections()).isLessThan(5);
  }

  @Test
  void awaitEnd_returnsWhenTheTermEnds() throws InterruptedException {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                term.awaitEnd();
                ended.complete(null);
              } catch (InterruptedException e) {
                ended.completeExceptionally(e);
              }
            });
    thread.start();
    clock.awaitWaiters(1);

    clock.advance(Duration.ofSeconds(10));

    assertThat(ended).succeedsWithin(Duration.ofSeconds(30));
    thread.join();
  }

  static Stream<Arguments> connections() {
    return Stream.of("pods/web/exec", "pods/web/attach", "pods/web/portforward")
        .map(path -> argumentSet(path, "/api/v1/namespaces/default/" + path));
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers each request with a switch of the protocol, and then sends nothing. */
  private static void serveUpgrades(ServerSocket socket) {
    List<Socket> open = new ArrayList<>();
    try {
      while (true) {
        Socket accepted = socket.accept();
        open.add(accepted);
        InputStream in = accepted.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          head.append((char) in.read());
        }
        accepted
            .getOutputStream()
            .write(
                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      open.forEach(FencingTest::close); // The test is over.
    }
  }

  @ParameterizedTest
  @MethodSource("connections")
  void connectionToAProgram_endsWithTheTerm_andNoneBeginsAfterwards(String path) throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RESTClient other =
            RESTClient.create(
                RestConfig.builder("http://127.0.0.1:" + socket.getLocalPort()).build())) {
      DaemonThreads.platform("test-upgrades-").newThread(() -> serveUpgrades(socket)).start();
      RESTClient fenced = term.fence(other);
      UpgradedConnection connection = fenced.get().requestURI(path).upgrade("x");
      CompletableFuture<Integer> read = new CompletableFuture<>();
      DaemonThreads.platform("test-reader-")
          .newThread(
              () -> {
                try {
                  read.complete(connection.inputStream().read());
                } catch (IOException e) {
                  read.completeExceptionally(e);
                }
              })
          .start();

      term.end("the elector was stopped");

      assertThat(read).failsWithin(Duration.ofSeconds(30));
      assertThatThrownBy(() -> connection.outputStream().write(1)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> fenced.get().requestURI(path).upgrade("x"))
          .isInstanceOf(LeadershipLostException.class)
          .hasMessageStartingWith("CONNECT " + path + " was not sent");
    }
  }

  /** The program reads nothing, so the writer waits until a buffer has room. */
  @Test
  void writeToAProgram_thatWaitsForRoom_endsWithTheTerm() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        RESTClient other =
            RESTClient.create(
                RestConfig.builder("http://127.0.0.1:" + socket.getLocalPort()).build())) {
      DaemonThreads.platform("test-upgrades-").newThread(() -> serveUpgrades(socket)).start();
      UpgradedConnection connection =
          term.fence(other)
              .get()
              .requestURI("/api/v1/namespaces/default/pods/web/exec")
              .upgrade("x");
      CompletableFuture<Void> written = new CompletableFuture<>();
      AtomicLong count = new AtomicLong();
      DaemonThreads.platform("test-writer-")
          .newThread(
              () -> {
                try {
                  while (true) {
                    connection.outputStream().write(new byte[1 << 16]);
                    count.incrementAndGet();
                  }
                } catch (IOException e) {
                  written.completeExceptionally(e);
                }
              })
          .start();
      for (long before = -1; before != count.get(); ) {
        before = count.get();
        Clock.system().sleep(Duration.ofMillis(300));
      }

      term.end("the elector was stopped");

      assertThat(written).failsWithin(Duration.ofSeconds(30));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/namespaces/default/pods/web/proxy",
        "/api/v1/namespaces/default/pods/http:web:80/proxy/delete?all=1",
        "/api/v1/namespaces/default/services/web/proxy/",
        "/api/v1/nodes/node/proxy/run"
      })
  void proxiedRead_afterTheTerm_isRefused(String path) {
    term.end("the elector was stopped");
    server.clearRequests();

    assertThatThrownBy(() -> term.client().get().requestURI(path).execute())
        .isInstanceOf(LeadershipLostException.class);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void read_ofAnObjectNamedLikeASubresource_isNoWrite() throws InterruptedException {
    term.end("the elector was stopped");

    assertThat(maps.find("proxy")).isEmpty();
    assertThat(maps.find("exec")).isEmpty();
  }
}
