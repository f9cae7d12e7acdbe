package dev.clientgo.remotecommand.portforward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.remotecommand.FakeKubelet;
import dev.clientgo.remotecommand.PassingTime;
import dev.clientgo.rest.RESTClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that break, and servers that break rules. */
@Timeout(300)
final class BrokenForwardTest {

  private static final int HOSTILE = Integer.getInteger("forward.hostile", 40);

  private interface Use {
    void use(PortForward forward) throws Exception;
  }

  private interface SpdyScript {
    void handle(PortServer.Spdy client) throws Exception;
  }

  private static void with(FakeKubelet.Script script, Use use) throws Exception {
    try (FakeKubelet kubelet = new FakeKubelet(script);
        RESTClient client = RESTClient.create(kubelet.config())) {
      use.use(PortForward.toPod(client, "default", "p"));
    }
  }

  /** Serves SPDY after both streams have been opened. */
  private static void withSpdy(SpdyScript script, Use use) throws Exception {
    with(
        connection -> {
          connection.upgrade(PortServer.SPDY);
          PortServer.Spdy client = new PortServer.Spdy(connection);
          client.synStream(1);
          client.synStream(3);
          script.handle(client);
        },
        use);
  }

  private static void assertBreaks(PortForward forward, Kind kind, String text) throws Exception {
    try (Socket socket = forward.connect(80)) {
      assertThatThrownBy(() -> socket.getInputStream().readAllBytes())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(text)
          .cause()
          .isInstanceOfSatisfying(
              TransportException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
  }

  @Test
  void spdy_thatEndsWithoutTheEndOfTheData_isLost() throws Exception {
    withSpdy(
        client -> client.data(3, 0, new byte[10]),
        forward ->
            assertBreaks(forward, Kind.CONNECTION_LOST, "the connection to the server broke"));
  }

  @Test
  void channels_thatEndWithoutAClose_areLost() throws Exception {
    with(
        connection -> {
          connection.upgrade(PortServer.V4);
          connection.send(0, new byte[] {80, 0, 1, 2, 3});
        },
        forward ->
            assertBreaks(forward, Kind.CONNECTION_LOST, "the connection to the server broke"));
  }

  @Test
  void channels_thatCloseWithACode_areLost() throws Exception {
    with(
        connection -> {
          connection.upgrade(PortServer.V4);
          connection.frame(0x88, new byte[] {3, (byte) 0xe9, 'g', 'o', 'n', 'e'});
        },
        forward ->
            assertBreaks(forward, Kind.CONNECTION_LOST, "the server has closed it (1001 gone)"));
  }

  @Test
  void channels_withTheirPortsCutAnywhere_carryTheRest() throws Exception {
    with(
        connection -> {
          connection.upgrade(PortServer.V4);
          connection.send(0, new byte[] {80});
          connection.send(7, new byte[] {1}); // There is no such channel.
          connection.send(0, new byte[] {0, 'o'});
          connection.send(0, new byte[0]);
          connection.send(0, new byte[] {'k'});
          connection.frame(0x88, new byte[] {3, (byte) 0xe8});
        },
        forward -> {
          try (Socket socket = forward.connect(80)) {
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).isEqualTo("ok");
          }
        });
  }

  @Test
  void spdy_withOtherFramesBetween_carriesTheData() throws Exception {
    withSpdy(
        client -> {
          client.control(4, new byte[4]); // settings
          client.reply(1);
          client.control(9, new byte[8]); // a window update
          client.control(8, new byte[100]); // headers
          client.control(6, new byte[4]); // a ping
          client.data(3, 0, new byte[0]);
          client.data(3, 0, "ok".getBytes(UTF_8));
          client.control(7, new byte[8]); // go away
          client.data(3, 1, "!".getBytes(UTF_8));
          client.data(1, 1, new byte[0]);
          client.readFrame();
        },
        forward -> {
          try (Socket socket = forward.connect(80)) {
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).isEqualTo("ok!");
          }
        });
  }

  @Test
  void spdy_whoseStreamIsReset_namesTheReason() throws Exception {
    withSpdy(
        client -> {
          client.data(1, 1, new byte[0]);
          client.reset(3);
          client.readFrame();
        },
        forward -> assertBreaks(forward, Kind.CONNECTION_LOST, "the node has reset it: cancelled"));
  }

  @Test
  void spdy_withAnErrorOfManyParts_hasItsWholeText() throws Exception {
    withSpdy(
        client -> {
          client.data(1, 0, "no ".getBytes(UTF_8));
          client.data(1, 1, "luck".getBytes(UTF_8));
          client.reset(3);
          client.readFrame();
        },
        forward -> {
          try (Socket socket = forward.connect(80)) {
            assertThatThrownBy(() -> socket.getInputStream().read())
                .hasCauseInstanceOf(PortForwardException.class)
                .hasMessageContaining("port 80 of the pod default/p: no luck");
          }
        });
  }

  @Test
  void frames_thatBreakTheRulesOfSpdy_areErrors() throws Exception {
    byte[][] frames = {
      {(byte) 0x80, 2, 0, 2, 0, 0, 0, 4, 0, 0, 0, 3}, // another version
      {(byte) 0x80, 3, 0, 2, 0, 0, 0, 0}, // too short
      {(byte) 0x80, 3, 0, 3, 0, 0, 0, 4, 0, 0, 0, 3},
      {0, 0, 0, 5, 0, 0, 0, 1, 1}, // an unknown stream
    };
    for (byte[] frame : frames) {
      withSpdy(
          client -> {
            client.raw(frame);
            client.readFrame();
          },
          forward -> assertBreaks(forward, Kind.OTHER, "breaks the rules of the protocol"));
    }
  }

  @Test
  void bytes_ofAHostileServer_giveDocumentedErrorsOnly() throws Exception {
    long seed = 20261124;
    Random random = new Random(seed);
    for (String protocol : new String[] {PortServer.SPDY, PortServer.V4}) {
      with(
          connection -> {
            connection.upgrade(protocol);
            byte[] bytes;
            synchronized (random) {
              bytes = new byte[random.nextInt(300)];
              random.nextBytes(bytes);
              if (random.nextBoolean() && bytes.length > 8) {
                byte[] header = {(byte) 0x80, 3, 0, (byte) random.nextInt(10), 0, 0};
                System.arraycopy(header, 0, bytes, 0, header.length);
              }
            }
            for (int i = 0; i < bytes.length; i += 50) {
              connection.frame(0x82, Arrays.copyOfRange(bytes, i, Math.min(i + 50, bytes.length)));
            }
          },
          forward -> {
            for (int i = 0; i < HOSTILE; i++) {
              try (Socket socket = forward.connect(80)) {
                assertThat(socket.getInputStream().readAllBytes().length)
                    .describedAs("seed %d, connection %d of %s", seed, i, protocol)
                    .isLessThan(300);
              } catch (IOException e) {
                assertThat(e.getCause())
                    .isInstanceOfAny(TransportException.class, PortForwardException.class);
              }
            }
          });
    }
  }

  @Test
  void write_beforeTheStreamIsAccepted_waits() throws Exception {
    CountDownLatch opened = new CountDownLatch(1); // A ping before it would be answered.
    CountDownLatch pinged = new CountDownLatch(1);
    withSpdy(
        client -> {
          opened.countDown();
          do {
            client.readFrame();
          } while (!client.isPing());
          pinged.countDown();
          client.reply(3);
          do {
            client.readFrame();
          } while (!client.isData());
          client.data(1, 1, new byte[0]);
          client.data(3, 1, client.payload());
          client.readFrame();
        },
        forward -> {
          FakeClock clock = FakeClock.create();
          try (Socket socket = forward.withClock(clock).connect(80)) {
            Thread writer =
                PodProgram.daemon(
                    () -> {
                      try {
                        socket.getOutputStream().write(9);
                      } catch (IOException e) {
                        throw new IllegalStateException(e);
                      }
                    });
            opened.await();
            boolean isPinged = false;
            // A beat sends no ping while the receiver still holds the lock of the last stream.
            for (int beat = 0; beat < 10 && !isPinged; beat++) {
              clock.awaitWaiters(1);
              clock.advance(Duration.ofSeconds(5));
              isPinged = pinged.await(1, TimeUnit.SECONDS);
            }
            assertThat(socket.getInputStream().readAllBytes()).containsExactly(9);
            writer.join();
          }
        });
  }

  @Test
  void server_thatIsSilent_isLostAfterAMinute() throws Exception {
    CountDownLatch opened = new CountDownLatch(1); // A ping before it would be answered.
    withSpdy(
        client -> {
          opened.countDown();
          try {
            while (true) {
              client.readFrameWithoutAnswer();
            }
          } catch (EOFException e) {
            // The client has given up.
          }
        },
        forward -> {
          FakeClock clock = FakeClock.create();
          try (Socket socket = forward.withClock(clock).connect(80)) {
            opened.await();
            PassingTime.during(
                clock,
                Duration.ofSeconds(5),
                () ->
                    assertThatThrownBy(() -> socket.getInputStream().read())
                        .hasMessageContaining("nothing has arrived for 60 s"));
          }
        });
  }

  /** A server that has closed its end would reset the connection. */
  @Test
  void ping_isNotSentWhileTheReceiverIsBusy() throws Exception {
    CompletableFuture<List<Integer>> got = new CompletableFuture<>();
    with(
        connection -> {
          connection.upgrade(PortServer.V4);
          connection.send(0, new byte[200_000]);
          connection.frame(0x88, new byte[] {3, (byte) 0xe8});
          List<Integer> channels = new ArrayList<>();
          try {
            while (true) {
              channels.add(connection.read().channel());
            }
          } catch (IOException e) {
            got.complete(channels);
          }
        },
        forward -> {
          FakeClock clock = FakeClock.create();
          try (Socket socket = forward.withClock(clock).connect(80)) {
            while (socket.getInputStream().available() < 64 * 1024) {
              Thread.onSpinWait();
            }
            for (int i = 0; i < 3; i++) {
              clock.awaitWaiters(1);
              clock.advance(Duration.ofSeconds(5));
            }
            clock.awaitWaiters(1);
            assertThat(socket.getInputStream().readAllBytes()).hasSize(200_000 - 2);
          }
          assertThat(got.get()).isEmpty();
        });
  }
}
