package dev.clientgo.envtest.internal.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.envtest.internal.http.UpgradedSocket;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ports whose connections are pairs of SPDY streams: one for errors, one for data, with the same
 * {@code requestid}.
 */
final class SpdyPorts implements SpdyConnection.Acceptor {

  private final PortTarget target;
  private final Map<String, SpdyConnection.Stream> errors = new HashMap<>();
  private final List<PortRun> runs = new ArrayList<>();

  SpdyPorts(PortTarget target) {
    this.target = target;
  }

  /** Serves a connection that speaks SPDY without a tunnel. */
  static void serve(UpgradedSocket socket, PortTarget target)
      throws IOException, InterruptedException {
    SpdyPorts ports = new SpdyPorts(target);
    try (SpdyConnection connection =
        new SpdyConnection(socket.inputStream(), socket.outputStream())) {
      connection.receive(ports);
    } finally {
      ports.clientGone();
    }
  }

  @Override
  public SpdyConnection.Receiver accept(SpdyConnection.Stream stream, Map<String, String> headers)
      throws IOException {
    String request = headers.getOrDefault("requestid", headers.getOrDefault("port", ""));
    if ("error".equals(headers.get("streamtype"))) {
      errors.put(request, stream);
      return new Ignored();
    }
    SpdyConnection.Stream error = errors.remove(request);
    if (error == null || !"data".equals(headers.get("streamtype"))) {
      throw new ProtocolException("a stream of data has no stream of errors: " + headers);
    }
    int port = PortTarget.port(headers.getOrDefault("port", ""));
    PortRun run = PortRun.start(target, port, new StreamWire(stream, error));
    runs.add(run);
    return new Data(run);
  }

  /** Ends all programs, and waits for them. */
  void clientGone() throws InterruptedException {
    runs.forEach(PortRun::clientGone);
    for (PortRun run : runs) {
      run.join();
    }
  }

  private record StreamWire(SpdyConnection.Stream data, SpdyConnection.Stream error)
      implements PortRun.Wire {

    @Override
    public void data(byte[] bytes, int offset, int length) throws IOException {
      data.send(bytes, offset, length);
    }

    @Override
    public void endData() throws IOException {
      data.end();
    }

    @Override
    public void error(String text) throws IOException {
      byte[] bytes = text.getBytes(UTF_8);
      error.send(bytes, 0, bytes.length);
    }

    @Override
    public void finish() throws IOException {
      data.end();
      error.end();
    }
  }

  private record Data(PortRun run) implements SpdyConnection.Receiver {

    @Override
    public void received(byte[] bytes, int length) {
      run.input(bytes, 0, length);
    }

    @Override
    public void ended() {
      run.endInput();
    }

    @Override
    public void reset() {
      run.clientGone();
    }
  }

  /** Clients send nothing on the stream of errors. */
  private static final class Ignored implements SpdyConnection.Receiver {

    @Override
    public void received(byte[] bytes, int length) {}

    @Override
    public void ended() {}

    @Override
    public void reset() {}
  }
}
