package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.rest.RESTClient;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** If a caller reads no output, a buffer of fixed size fills, and the server waits. */
@Timeout(300)
final class UnreadOutputTest {

  private static final int BUFFER = 64 * 1024;

  /** More than the buffers of both sockets hold. */
  private static final long MUCH = 64L << 20;

  @Test
  void output_thatIsNotRead_waitsInABufferOfFixedSize() throws Exception {
    AtomicLong sent = new AtomicLong();
    try (FakeKubelet kubelet = new FakeKubelet(connection -> sendMuch(connection, sent));
        RESTClient client = RESTClient.create(kubelet.config());
        RemoteProcess process = RemoteCommand.exec(client, "default", "p", "x").start()) {
      InputStream output = process.inputStream();
      Poll.every(Duration.ofMillis(10))
          .atMost(Duration.ofSeconds(60))
          .until(() -> output.available() == BUFFER);

      assertThat(sent.get()).isLessThan(MUCH);
      assertThat(process.errorStream().available()).isZero();
      assertThat(output.transferTo(OutputStream.nullOutputStream())).isEqualTo(MUCH);
      assertThat(process.waitFor()).isZero();
    }
  }

  private static void sendMuch(FakeKubelet.Connection connection, AtomicLong sent)
      throws Exception {
    connection.upgrade("v5.channel.k8s.io");
    byte[] piece = new byte[32 * 1024];
    while (sent.get() < MUCH) {
      connection.send(1, piece);
      sent.addAndGet(piece.length);
    }
    connection.exit(0);
    connection.awaitEnd();
  }
}
