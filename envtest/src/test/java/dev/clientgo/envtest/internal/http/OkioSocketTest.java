package dev.clientgo.envtest.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import okio.Buffer;
import okio.Okio;
import okio.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class OkioSocketTest {

  @Test
  @Timeout(300)
  void read_ofAllThatHasArrived_doesNotWaitForMore() throws Exception {
    Socket[] ends = Okio.inMemorySocketPair(100);
    ends[1].getSink().write(new Buffer().writeUtf8("ab"), 2);
    OkioSocket socket = new OkioSocket(ends[0], new ClientConnection());

    assertThat(socket.inputStream().readNBytes(2)).containsExactly('a', 'b');
  }
}
