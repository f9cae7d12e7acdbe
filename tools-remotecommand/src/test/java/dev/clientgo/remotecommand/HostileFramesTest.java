package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that sends frames of all kinds, most of them legal: the client returns what was sent, or
 * a documented error. {@code -Dframes.count=10000000} makes it long.
 */
@Timeout(1800)
final class HostileFramesTest {

  private static final long FRAMES = Long.getLong("frames.count", 100_000);
  private static final long SEED = Long.getLong("frames.seed", 20261124);

  private static final String EXITED =
      "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"%d\"}]}}";

  private static final String[] STRANGE = {
    "",
    "{",
    "null",
    "[]",
    "{\"status\":7}",
    "{\"status\":\"Failure\"}",
    "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\"}",
    "\ud83d\ude00",
    "{\"status\":\"Failure\",\"code\":99999999999999999999}"
  };

  /** The frames of one connection, and what a client may make of them. */
  private static final class Conversation {
    private final Random random;
    private final ByteArrayOutputStream wire = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private int frames;

    /** The exit code that was sent by the rules, or -1. */
    private int exitCode = -1;

    /** Whether a rule of the protocol was broken; the client must then fail. */
    private boolean broken;

    Conversation(Random random) {
      this.random = random;
      int wanted = 1 + random.nextInt(1500);
      int breaking = random.nextInt(3) == 0 ? random.nextInt(wanted) : -1;
      while (frames < wanted && !broken) {
        if (frames == breaking) {
          breakRule();
        } else {
          message();
        }
      }
      if (!broken) {
        end();
      }
    }

    private void message() {
      switch (random.nextInt(12)) {
        case 0 -> frame(0x89, bytes(random.nextInt(126)));
        case 1 -> frame(0x8a, bytes(random.nextInt(126)));
        case 2 -> frame(0x82, new byte[0]);
        case 3 -> fragments();
        case 4 -> channel(4 + random.nextInt(252), bytes(random.nextInt(60)));
        case 5 -> channel(2, bytes(random.nextInt(300)));
        case 6 -> channel(1, bytes(random.nextInt(20) == 0 ? random.nextInt(70_000) : 200));
        default -> channel(1, bytes(random.nextInt(20)));
      }
    }

    private void channel(int channel, byte[] content) {
      byte[] message = new byte[content.length + 1];
      message[0] = (byte) channel;
      System.arraycopy(content, 0, message, 1, content.length);
      frame(random.nextInt(10) == 0 ? 0x81 : 0x82, message); // The type of message is ignored.
      if (channel == 1) {
        stdout.writeBytes(content);
      }
    }

    private void fragments() {
      frame(0x02, new byte[] {1});
      for (int left = random.nextInt(5); left > 0; left--) {
        byte[] part = bytes(random.nextInt(30));
        frame(0x00, part);
        stdout.writeBytes(part);
        if (random.nextBoolean()) {
          frame(0x89, bytes(3));
        }
      }
      frame(0x80, new byte[0]);
    }

    private void breakRule() {
      broken = true;
      frames++;
      switch (random.nextInt(8)) {
        case 0 -> wire.writeBytes(new byte[] {(byte) 0xc2, 1, 1}); // an extension
        case 1 -> wire.writeBytes(new byte[] {(byte) 0x82, (byte) 0x81, 0, 0, 0, 0, 1}); // masked
        case 2 -> wire.writeBytes(new byte[] {(byte) (0x83 + random.nextInt(5)), 0}); // unknown
        case 3 -> wire.writeBytes(new byte[] {0x09, 0}); // a control frame in pieces
        case 4 -> wire.writeBytes(new byte[] {(byte) 0x89, 126, 0, 126}); // a long one
        case 5 -> wire.writeBytes(new byte[] {(byte) 0x80, 1, 1}); // continues nothing
        case 6 ->
            wire.writeBytes(
                new byte[] {(byte) 0x82, 127, -1, 0, 0, 0, 0, 0, 0, 0}); // a negative length
        default -> wire.writeBytes(new byte[] {(byte) 0x82, 100, 1, 2}); // ends within a frame
      }
    }

    private void end() {
      int kind = random.nextInt(10);
      if (kind < 6) {
        exitCode = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(255);
        status(exitCode == 0 ? "{\"status\":\"Success\"}" : EXITED.formatted(exitCode));
      } else if (kind < 9) {
        status(STRANGE[random.nextInt(STRANGE.length)]);
      }
      if (random.nextBoolean()) {
        frame(0x88, bytes(random.nextInt(4)));
      }
    }

    private void status(String json) {
      byte[] text = json.getBytes(UTF_8);
      channel(3, text);
    }

    private byte[] bytes(int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      return bytes;
    }

    private void frame(int first, byte[] content) {
      frames++;
      wire.write(first);
      if (content.length < 126) {
        wire.write(content.length);
      } else if (content.length < 65536) {
        wire.write(126);
        wire.write(content.length >> 8);
        wire.write(content.length);
      } else {
        wire.write(127);
        for (int shift = 56; shift >= 0; shift -= 8) {
          wire.write((int) ((long) content.length >> shift));
        }
      }
      wire.writeBytes(content);
    }
  }

  @Test
  void frames_ofAllKinds_areOutputOrADocumentedError() throws Exception {
    Random seeds = new Random(SEED);
    Conversation[] next = new Conversation[1];
    long frames = 0;
    long start = Clock.system().nanoTime();
    int results = 0;
    int errors = 0;
    try (FakeKubelet kubelet =
            new FakeKubelet(
                connection -> {
                  connection.upgrade("v5.channel.k8s.io");
                  Thread reader = new Thread(() -> drain(connection), "hostile-drain");
                  reader.start();
                  connection.raw(next[0].wire.toByteArray());
                  connection.endOutput();
                  reader.join();
                });
        RESTClient client = RESTClient.create(kubelet.config())) {
      RemoteCommand command = RemoteCommand.exec(client, "default", "p", "x");
      while (frames < FRAMES) {
        long seed = seeds.nextLong();
        Conversation sent = new Conversation(new Random(seed));
        next[0] = sent;
        try {
          CommandResult result = command.run();
          results++;
          assertThat(sent.broken).as("seed %d", seed).isFalse();
          assertThat(result.exitCode()).as("seed %d", seed).isEqualTo(sent.exitCode);
          assertThat(result.bytes()).as("seed %d", seed).isEqualTo(sent.stdout.toByteArray());
        } catch (KubernetesException e) {
          errors++;
          assertThat(sent.exitCode).as("seed %d: %s", seed, e).isNegative();
        }
        frames += sent.frames;
      }
    }
    double seconds = (Clock.system().nanoTime() - start) / 1e9;
    System.out.printf(
        "%d frames, %d results, %d errors, %.1f s, seed %d%n",
        frames, results, errors, seconds, SEED);
    assertThat(results).isPositive();
    assertThat(errors).isPositive();
  }

  /** RFC 6455 allows it. */
  @Test
  void message_whoseFirstFrameIsEmpty_goesToItsStream() throws Exception {
    try (FakeKubelet kubelet =
            new FakeKubelet(
                connection -> {
                  connection.upgrade("v5.channel.k8s.io");
                  connection.send(2, new byte[] {'e'});
                  connection.frame(0x02, new byte[0]);
                  connection.frame(0x80, new byte[] {1, 'o'});
                  connection.exit(0);
                  connection.endOutput();
                  drain(connection);
                });
        RESTClient client = RESTClient.create(kubelet.config())) {

      CommandResult result = RemoteCommand.exec(client, "default", "p", "x").run();

      assertThat(result.text()).isEqualTo("o");
      assertThat(result.errorText()).isEqualTo("e");
    }
  }

  private static void drain(FakeKubelet.Connection connection) {
    try {
      connection.awaitEnd();
    } catch (IOException e) {
      // The client has closed the connection.
    }
  }
}
