package dev.clientgo.remotecommand.internal.forward;

import dev.clientgo.remotecommand.internal.websocket.WebSocket;
import java.io.IOException;

/**
 * {@code v4.channel.k8s.io}: the first byte of each message names the channel, 0 for the bytes of
 * the pod and 1 for the text of an error. Each channel begins with the number of the port. There is
 * no end of a channel, only that of the WebSocket.
 *
 * <p>One thread receives; many may send.
 */
final class ChannelProtocol implements ForwardProtocol {

  static final String NAME = "v4.channel.k8s.io";

  private static final int DATA = 0;
  private static final int ERROR = 1;
  private static final byte[] DATA_PREFIX = {DATA};
  private static final int PORT_BYTES = 2;

  private final WebSocket socket;
  private final int[] received = new int[2];
  private int channel;

  ChannelProtocol(WebSocket socket) {
    this.socket = socket;
  }

  /** The query of the request has named the port. */
  @Override
  public void open() {}

  @Override
  public void send(byte[] bytes, int offset, int length) throws IOException {
    socket.send(DATA_PREFIX, bytes, offset, length);
  }

  @Override
  public boolean canEndOutput() {
    return false;
  }

  /** Is not called: the session asks {@link #canEndOutput} first, and refuses for the caller. */
  @Override
  public void endOutput() {
    throw new UnsupportedOperationException(NAME + " has no end of a channel");
  }

  /** Ends the WebSocket, whose server passes on what it has before it ends. */
  @Override
  public boolean leave() throws IOException {
    return socket.tryClose();
  }

  @Override
  public boolean ping() throws IOException {
    return socket.ping();
  }

  @Override
  public void received(boolean first, byte[] bytes, int offset, int length, Receiver receiver)
      throws IOException {
    int start = offset;
    if (first) {
      channel = bytes[start++] & 0xff;
    }
    if (channel > ERROR) {
      return; // A server that speaks this protocol has no such channel.
    }
    int end = offset + length;
    while (start < end && received[channel] < PORT_BYTES) {
      received[channel]++;
      start++;
    }
    if (start == end) {
      return;
    }
    if (channel == DATA) {
      receiver.data(bytes, start, end - start);
    } else {
      receiver.error(bytes, start, end - start);
    }
  }

  @Override
  public boolean endsWithWebSocket() {
    return true;
  }
}
