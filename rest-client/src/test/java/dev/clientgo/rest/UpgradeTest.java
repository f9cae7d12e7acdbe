package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.config.RestConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that switch to another protocol. */
@Timeout(300)
final class UpgradeTest {

  private static final String SWITCHING =
      String.join(
          "\r\n",
          "HTTP/1.1 101 Switching Protocols",
          "Connection: Upgrade",
          "Upgrade: echo",
          "X-Name: x",
          "",
          "");

  private static final RawServer.Misbehaviour ECHO =
      socket -> {
        RawServer.send(SWITCHING).on(socket);
        socket.getInputStream().transferTo(socket.getOutputStream());
      };

  private interface Use {
    void use(RESTClient client) throws Exception;
  }

  private static void with(RawServer.Misbehaviour server, Use use) throws Exception {
    try (RawServer raw = RawServer.start(server);
        RESTClient client = RESTClient.create(RestConfig.builder(raw.url()).build())) {
      use.use(client);
    }
  }

  private static UpgradedConnection open(RESTClient client) throws InterruptedException {
    return client.get().absPath("echo").upgrade("echo");
  }

  @Test
  void connection_thatSwitches_isTwoStreams() throws Exception {
    with(
        ECHO,
        client -> {
          UpgradedConnection connection = open(client);
          assertThat(connection.header("x-name")).contains("x");
          assertThat(connection.header("none")).isEmpty();
          for (String word : new String[] {"one", "two"}) {
            connection.outputStream().write(word.getBytes(UTF_8));
            assertThat(connection.inputStream().readNBytes(3)).asString(UTF_8).isEqualTo(word);
          }
          assertThat(client.transport().openResponses()).isEqualTo(1);

          connection.close();
          connection.close();

          assertThat(client.transport().openResponses()).isZero();
          assertThat(client.transport().connections()).isZero();
          assertThatThrownBy(() -> connection.inputStream().read()).isInstanceOf(IOException.class);
          assertThatThrownBy(() -> connection.outputStream().write(1))
              .isInstanceOf(IOException.class);
        });
  }

  /** OkHttp reads up to 8 KiB at once, and so more than the head of the response. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4000, 8190, 8192, 8193, 50_000})
  void bytes_thatArriveWithTheResponse_areRead(int size) throws Exception {
    byte[] sent = new byte[size];
    new Random(size).nextBytes(sent);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(SWITCHING.getBytes(UTF_8));
    both.writeBytes(sent);
    with(
        socket -> {
          socket.getOutputStream().write(both.toByteArray());
          socket.getInputStream().transferTo(socket.getOutputStream());
        },
        client -> {
          UpgradedConnection connection = open(client);
          assertThat(connection.inputStream().readNBytes(size)).isEqualTo(sent);

          connection.outputStream().write(sent);

          assertThat(connection.inputStream().readNBytes(size)).isEqualTo(sent);
        });
  }

  @Test
  void reader_ofAConnectionThatIsClosed_wakes() throws Exception {
    with(
        ECHO,
        client -> {
          UpgradedConnection connection = open(client);
          TestThread<Integer> reader = TestThread.start(() -> connection.inputStream().read());
          reader.awaitIn("read");

          connection.close();

          assertThat(reader.failure()).isInstanceOf(IOException.class);
          assertThat(client.transport().connections()).isZero();
        });
  }

  @Test
  void reader_thatIsInterrupted_endsTheConnection() throws Exception {
    with(
        ECHO,
        client -> {
          UpgradedConnection connection = open(client);
          TestThread<Integer> reader = TestThread.start(() -> connection.inputStream().read());
          reader.awaitIn("read");

          reader.interrupt();

          assertThat(reader.failure()).isInstanceOf(InterruptedIOException.class);
          connection.close();
          assertThat(client.transport().connections()).isZero();
        });
  }

  @Test
  void writer_ofAServerThatDoesNotRead_wakesAtInterruptionAndClose() throws Exception {
    for (boolean interrupts : new boolean[] {true, false}) {
      with(
          socket -> {
            RawServer.send(SWITCHING).on(socket);
            socket.getOutputStream().write('x');
            // Read nothing until the client is gone, which a write notices.
            try {
              while (true) {
                socket.getOutputStream().write(new byte[1 << 16]);
              }
            } catch (IOException e) {
              return;
            }
          },
          client -> {
            UpgradedConnection connection = open(client);
            TestThread<Void> writer =
                TestThread.start(
                    () -> {
                      while (true) {
                        connection.outputStream().write(new byte[1 << 20]);
                      }
                    });
            writer.awaitIn("write");

            if (interrupts) {
              writer.interrupt();
              assertThat(writer.failure()).isInstanceOf(InterruptedIOException.class);
            }
            connection.close();

            assertThat(writer.failure()).isInstanceOf(IOException.class);
            assertThat(client.transport().connections()).isZero();
          });
    }
  }

  @Test
  void client_thatIsClosed_closesTheConnection() throws Exception {
    with(
        ECHO,
        client -> {
          UpgradedConnection connection = open(client);

          client.close();

          assertThatThrownBy(() -> connection.inputStream().read())
              .isInstanceOf(IOException.class)
              .hasMessage("the client was closed");
        });
  }

  @Test
  void refusal_isTheErrorOfTheServer() throws Exception {
    with(
        RawServer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
        client ->
            assertThatThrownBy(() -> open(client))
                .isInstanceOfSatisfying(
                    ApiStatusException.class, e -> assertThat(e.isForbidden()).isTrue()));
  }

  @Test
  void server_thatDoesNotSwitch_isNamed() throws Exception {
    with(
        RawServer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
        client ->
            assertThatThrownBy(() -> open(client))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(
                    "/echo: the server, or a proxy on the way, did not switch to echo but responded"
                        + " with status 200"));
    with(
        RawServer.send("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
        client -> assertThatThrownBy(() -> open(client)).isInstanceOf(TransportException.class));
  }
}
