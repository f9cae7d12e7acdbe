package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.http.UpgradedSocket;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** A command whose streams are channels of a WebSocket: {@code v5.channel.k8s.io} and v4. */
final class ChannelCommand implements Response.Upgrade {

  static final String V5 = "v5.channel.k8s.io";

  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int ERROR = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;
  private static final int MAX_RESIZE = 1024;

  private final CommandRequest request;
  private final ContainerProgram program;
  private final String protocol;

  ChannelCommand(CommandRequest request, ContainerProgram program, String protocol) {
    this.request = request;
    this.program = program;
    this.protocol = protocol;
  }

  @Override
  public void speak(UpgradedSocket socket) throws IOException, InterruptedException {
    ServerWebSocket webSocket = new ServerWebSocket(socket);
    webSocket.send(STDOUT, new byte[0], 0, 0); // As upstream: clients learn that all is set up.
    CommandRun run = CommandRun.start(request, program, new ChannelWire(webSocket));
    socket.onGone(run::clientGone);
    try {
      webSocket.receive(new Channels(run));
    } finally {
      run.clientGone();
      run.join();
    }
  }

  private record ChannelWire(ServerWebSocket webSocket) implements CommandRun.Wire {

    @Override
    public void output(boolean error, byte[] bytes, int offset, int length) throws IOException {
      webSocket.send(error ? STDERR : STDOUT, bytes, offset, length);
    }

    @Override
    public void finish(byte[] status) throws IOException {
      webSocket.send(ERROR, status, 0, status.length);
      webSocket.close();
    }

    @Override
    public void cut() {
      webSocket.cut();
    }
  }

  /** Passes the bytes of messages to the run; the first byte of a message is its channel. */
  private final class Channels implements ServerWebSocket.Receiver {
    private final CommandRun run;
    private final ByteArrayOutputStream resize = new ByteArrayOutputStream();
    private int channel;

    Channels(CommandRun run) {
      this.run = run;
    }

    @Override
    public void received(boolean first, byte[] bytes, int length) {
      if (first) {
        channel = bytes[0] & 0xff;
        resize.reset();
      }
      int offset = first ? 1 : 0;
      if (channel == STDIN) {
        run.input(bytes, offset, length - offset);
      } else if (channel == RESIZE && resize.size() + length <= MAX_RESIZE) {
        resize.write(bytes, offset, length - offset);
        run.resize(resize.toByteArray());
      } else if (channel == CLOSE && protocol.equals(V5) && length > offset) {
        if (bytes[offset] == STDIN) {
          run.endInput();
        }
      }
    }
  }
}
