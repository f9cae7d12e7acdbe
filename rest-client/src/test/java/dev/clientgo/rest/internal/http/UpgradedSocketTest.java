package dev.clientgo.rest.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import okio.Okio;
import org.junit.jupiter.api.Test;

final class UpgradedSocketTest {

  /** Two of three reads return 0, as one of Conscrypt does after a renegotiation. */
  private static Socket withEmptyReads(String content) {
    byte[] bytes = content.getBytes(UTF_8);
    InputStream input =
        new ByteArrayInputStream(bytes) {
          private int reads;

          @Override
          public synchronized int read(byte[] to, int offset, int length) {
            return super.read(to, offset, ++reads % 3 == 0 ? length : 0);
          }
        };
    return new Socket() {
      @Override
      public InputStream getInputStream() {
        return input;
      }

      @Override
      public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
      }
    };
  }

  @Test
  void read_thatReturnsNoBytes_isRepeated() throws IOException {
    Socket socket = withEmptyReads("12345");
    InputStream input = new UpgradedSocket(Okio.socket(socket), socket).input();
    byte[] bytes = new byte[2];

    assertThat(input.read()).isEqualTo('1');
    assertThat(input.read(bytes, 0, 2)).isEqualTo(2);
    assertThat(bytes).asString(UTF_8).isEqualTo("23");
    assertThat(input.readAllBytes()).asString(UTF_8).isEqualTo("45");
    assertThat(input.read()).isNegative();
  }
}
