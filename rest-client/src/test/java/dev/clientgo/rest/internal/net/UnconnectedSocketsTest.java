package dev.clientgo.rest.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class UnconnectedSocketsTest {

  static UnconnectedSockets[] factories() {
    return new UnconnectedSockets[] {
      new DirectSockets(),
      new ZoneSockets("eth0"),
      new Socks5Sockets("proxy", 1080, "user:password"),
      new TlsProxySockets((SSLSocketFactory) SSLSocketFactory.getDefault(), false)
    };
  }

  @ParameterizedTest
  @MethodSource("factories")
  void createSocket_sendsEachWriteAtOnce_andIsNotConnected(UnconnectedSockets sockets)
      throws Exception {
    try (Socket socket = sockets.createSocket()) {
      assertThat(socket.getTcpNoDelay()).isTrue();
      assertThat(socket.isConnected()).isFalse();
    }
  }
}
