package dev.clientgo.envtest.internal.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.http.UpgradedSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports whose connections are channels of a WebSocket: {@code v4.channel.k8s.io}. Each port has one
 * channel of data and one of errors, and one connection.
 */
final class ChannelPorts implements Response.Upgrade {

  private final PortTarget target;
  private final List<Integer> ports;

  ChannelPorts(PortTarget target, List<Integer> ports) {
    this.target = target;
    this.ports = ports;
  }

  @Override
  public void speak(UpgradedSocket socket) throws IOException, InterruptedException {
    ServerWebSocket webSocket = new ServerWebSocket(socket);
    AtomicInteger open = new AtomicInteger(ports.size());
    List<PortRun> runs = new ArrayList<>();
    try {
      for (int i = 0; i < ports.size(); i++) {
        byte[] port = {(byte) (int) ports.get(i), (byte) (ports.get(i) >> 8)};
        webSocket.send(2 * i, port, 0, 2);
        webSocket.send(2 * i + 1, port, 0, 2);
      }
      for (int i = 0; i < ports.size(); i++) {
        runs.add(PortRun.start(target, ports.get(i), new ChannelWire(webSocket, 2 * i, open)));
      }
      socket.onGone(() -> runs.forEach(PortRun::clientGone));
      webSocket.receive(new Channels(runs));
    } finally {
      runs.forEach(PortRun::clientGone);
      for (PortRun run : runs) {
        run.join();
      }
    }
  }

  private record ChannelWire(ServerWebSocket webSocket, int channel, AtomicInteger open)
      implements PortRun.Wire {

    @Override
    public void data(byte[] bytes, int offset, int length) throws IOException {
      webSocket.send(channel, bytes, offset, length);
    }

    @Override
    public void endData() {
      // The protocol has no end of one direction.
    }

    @Override
    public void error(String text) throws IOException {
      byte[] bytes = text.getBytes(UTF_8);
      webSocket.send(channel + 1, bytes, 0, bytes.length);
    }

    @Override
    public void finish() throws IOException {
      if (open.decrementAndGet() == 0) {
        webSocket.close();
      }
    }
  }

  /** Passes the bytes of messages to the runs; the first byte of a message is its channel. */
  private static final class Channels implements ServerWebSocket.Receiver {
    private final List<PortRun> runs;
    private int channel;

    Channels(List<PortRun> runs) {
      this.runs = runs;
    }

    @Override
    public void received(boolean first, byte[] bytes, int length) {
      if (first) {
        channel = bytes[0] & 0xff;
      }
      int offset = first ? 1 : 0;
      if (channel % 2 == 0 && channel / 2 < runs.size()) {
        runs.get(channel / 2).input(bytes, offset, length - offset);
      }
    }
  }
}
