package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that break, and servers that break rules. */
@Timeout(300)
final class BrokenConnectionTest {

  private interface Use {
    void use(RemoteCommand command, FakeKubelet kubelet) throws Exception;
  }

  private static void with(FakeKubelet.Script script, Use use) throws Exception {
    FakeKubelet.Script upgrading =
        connection -> {
          connection.upgrade("v5.channel.k8s.io");
          script.handle(connection);
        };
    try (FakeKubelet kubelet = new FakeKubelet(upgrading);
        RESTClient client = RESTClient.create(kubelet.config())) {
      use.use(RemoteCommand.exec(client, "default", "p", "x"), kubelet);
    }
  }

  private static void assertKind(Kind kind, RemoteCommand command) {
    assertThatThrownBy(command::run)
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void connection_thatEndsWithoutAStatus_isLost() throws Exception {
    with(
        connection -> connection.stdout("all is well"),
        (command, kubelet) -> {
          assertKind(Kind.CONNECTION_LOST, command);
          try (RemoteProcess process = command.start()) {
            byte[] read = new byte[11];
            assertThat(process.inputStream().readNBytes(read, 0, 11)).isEqualTo(11);
            assertThatThrownBy(() -> process.inputStream().read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the end of the command is not known");
          }
        });
  }

  @Test
  void close_withoutAStatus_isNoSuccess() throws Exception {
    with(
        connection -> connection.frame(0x88, new byte[] {3, (byte) 0xe8, 'b', 'y', 'e'}),
        (command, kubelet) ->
            assertThatThrownBy(command::run)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("the server has closed the connection (1000 bye)"));
  }

  @Test
  void connection_thatBreaksAfterTheStatus_hasTheExitCode() throws Exception {
    with(
        connection -> connection.status("{\"status\":\"Success\"}"),
        (command, kubelet) -> assertThat(command.run().exitCode()).isZero());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"status\":\"Failure\"}",
        "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\"}",
        "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"0\"}]}}",
        "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"x\"}]}}",
        "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"256\"}]}}"
      })
  void status_withoutAnExitCode_isAnError(String status) throws Exception {
    with(
        connection -> {
          connection.status(status);
          connection.exit(0); // The second status does not make the first one right.
        },
        (command, kubelet) ->
            assertThatThrownBy(command::run).isInstanceOf(KubernetesException.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"it is done", "{\"status\":\"Success\"}{\"status\":\"Failure\"}"})
  void status_thatIsNotOneJson_isAnError(String status) throws Exception {
    with(
        connection -> {
          connection.status(status);
          connection.frame(0x88, new byte[] {3, (byte) 0xe8});
        },
        (command, kubelet) ->
            assertThatThrownBy(command::run)
                .isInstanceOf(KubernetesException.class)
                .hasMessageContaining("in an unknown form"));
  }

  @Test
  void connection_thatBreaksWithinTheStatus_isLost() throws Exception {
    with(
        connection -> connection.status("{\"metadata\":{},\"status\":\"Succ"),
        (command, kubelet) -> assertKind(Kind.CONNECTION_LOST, command));
  }

  @Test
  void frames_thatBreakTheRules_areErrors() throws Exception {
    int[][] frames = {
      {0xc2, 1, 1}, // an extension
      {0x82, 0x81, 0, 0, 0, 0, 1}, // masked
      {0x83, 1, 1}, // unknown
      {0x8b, 0},
      {0x09, 0}, // a control frame in pieces
      {0x89, 126, 0, 126},
      {0x80, 1, 1}, // continues nothing
      {0x82, 127, 0xff, 0, 0, 0, 0, 0, 0, 0}, // negative
    };
    for (int[] frame : frames) {
      byte[] bytes = new byte[frame.length];
      for (int i = 0; i < frame.length; i++) {
        bytes[i] = (byte) frame[i];
      }
      with(
          connection -> {
            connection.raw(bytes);
            connection.awaitEnd();
          },
          (command, kubelet) ->
              assertThatThrownBy(command::run)
                  .describedAs(Arrays.toString(frame))
                  .isInstanceOf(TransportException.class)
                  .hasMessageContaining("breaks the rules of WebSockets"));
    }
  }

  @Test
  void message_ofAnyLength_isNotHeldInMemory() throws Exception {
    with(
        connection -> {
          connection.raw(new byte[] {(byte) 0x82, 127, 0x7f, -1, -1, -1, -1, -1, -1, -1, 1});
          connection.raw(new byte[5_000_000]);
        },
        (command, kubelet) -> {
          try (RemoteProcess process = command.start()) {
            assertThat(process.inputStream().readNBytes(5_000_000)).hasSize(5_000_000);
            assertThatThrownBy(() -> process.inputStream().read()).isInstanceOf(IOException.class);
          }
        });
  }

  @Test
  void message_inFragments_withAPingBetween_isOneMessage() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    with(
        connection -> {
          connection.frame(0x02, new byte[] {1, 'a'});
          connection.frame(0x89, "are you there".getBytes(UTF_8));
          FakeKubelet.Message pong = connection.read();
          if (pong.channel() == 1010 && new String(pong.bytes(), UTF_8).equals("are you there")) {
            answered.countDown();
          }
          connection.frame(0x00, new byte[] {'b'});
          connection.frame(0x80, new byte[] {'c'});
          connection.exit(0);
        },
        (command, kubelet) -> {
          assertThat(command.run().text()).isEqualTo("abc");
          assertThat(answered.getCount()).isZero();
        });
  }

  @Test
  void server_thatIsSilent_isLostAfterAMinute() throws Exception {
    FakeClock clock = FakeClock.create();
    with(
        connection -> connection.awaitEnd(),
        (command, kubelet) -> {
          try (RemoteProcess process = command.withClock(clock).start()) {
            PassingTime.during(
                clock,
                Duration.ofSeconds(5),
                () ->
                    assertThatThrownBy(process::waitFor)
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("nothing has arrived for 60 s"));
          }
        });
  }

  @Test
  void server_thatAnswersPings_isAlive() throws Exception {
    FakeClock clock = FakeClock.create();
    Semaphore answers = new Semaphore(0);
    with(
        connection -> {
          for (int i = 0; i < 30; i++) {
            FakeKubelet.Message ping = connection.read();
            connection.frame(0x8a, ping.bytes());
            connection.frame(0x89, new byte[0]);
            connection.read(); // The client responds to this ping after it has seen the pong.
            answers.release();
          }
          connection.exit(3);
          connection.awaitEnd();
        },
        (command, kubelet) -> {
          try (RemoteProcess process = command.withClock(clock).start()) {
            for (int i = 0; i < 30; i++) {
              clock.awaitWaiters(1);
              clock.advance(Duration.ofSeconds(5));
              assertThat(answers.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(process.waitFor()).isEqualTo(3);
          }
        });
  }

  @Test
  void server_thatDoesNotReadTheInput_stopsTheWriterUntilClose() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    with(
        connection -> end.await(),
        (command, kubelet) -> {
          RemoteProcess process = command.withInput().start();
          Thread writer =
              new Thread(
                  () -> {
                    try {
                      while (true) {
                        process.outputStream().write(new byte[1 << 20]);
                      }
                    } catch (IOException e) {
                      // Closed.
                    }
                  });
          writer.start();
          // Nothing tells that a thread waits for a socket, so give it time to get there.
          writer.join(500);
          assertThat(writer.isAlive()).isTrue();

          process.close();

          writer.join(30_000);
          assertThat(writer.isAlive()).isFalse();
          end.countDown();
        });
  }

  @Test
  void client_thatIsClosed_endsItsProcesses() throws Exception {
    try (FakeKubelet kubelet =
        new FakeKubelet(
            connection -> {
              connection.upgrade("v5.channel.k8s.io");
              connection.awaitEnd();
            })) {
      RESTClient client = RESTClient.create(kubelet.config());
      RemoteProcess process = RemoteCommand.exec(client, "default", "p", "x").start();

      client.close();

      assertThatThrownBy(process::waitFor).isInstanceOf(TransportException.class);
    }
  }

  @Test
  void refusal_isTheErrorOfTheServer() throws Exception {
    try (FakeKubelet kubelet =
            new FakeKubelet(
                connection ->
                    connection.respond(
                        503,
                        "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"ServiceUnavailable\",\"code\":503,\"message\":\"no"
                            + " kubelet\"}"));
        RESTClient client = RESTClient.create(kubelet.config())) {
      assertThatThrownBy(() -> RemoteCommand.exec(client, "default", "p", "x").run())
          .isInstanceOf(ApiStatusException.class)
          .hasMessageContaining("no kubelet");
    }
  }

  @Test
  void proxy_thatDropsTheUpgrade_isNamed() throws Exception {
    try (FakeKubelet kubelet = new FakeKubelet(connection -> connection.respond(200, "{}"));
        RESTClient client = RESTClient.create(kubelet.config())) {
      assertThatThrownBy(() -> RemoteCommand.exec(client, "default", "p", "x").run())
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("did not switch to websocket but responded with status 200");
    }
  }

  /** Each run has all bytes and its exit code, or an error. */
  @Test
  void connections_cutAnywhere_neverLoseOutputSilently() throws Exception {
    long seed = 20261122;
    Random random = new Random(seed);
    byte[] output = new byte[100_000];
    random.nextBytes(output);
    Random cuts = new Random(seed + 1);
    int[] completed = new int[1];
    with(
        connection -> {
          synchronized (cuts) {
            connection.cutAfter(cuts.nextInt(115_000));
          }
          for (int sent = 0; sent < output.length; sent += 10_000) {
            connection.send(1, Arrays.copyOfRange(output, sent, sent + 10_000));
          }
          connection.exit(4);
        },
        (command, kubelet) -> {
          for (int i = 0; i < 300; i++) {
            try {
              CommandResult result = command.run();
              assertThat(result.exitCode()).describedAs("seed %d, run %d", seed, i).isEqualTo(4);
              assertThat(result.bytes()).isEqualTo(output);
              completed[0]++;
            } catch (TransportException e) {
              assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
            }
          }
          assertThat(completed[0]).isBetween(10, 290);
        });
  }
}
