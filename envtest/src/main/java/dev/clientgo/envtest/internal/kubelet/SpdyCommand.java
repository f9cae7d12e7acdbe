package dev.clientgo.envtest.internal.kubelet;

import static java.util.Objects.requireNonNull;

import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.http.UpgradedSocket;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A command whose streams are SPDY streams, as an API server that translates asks for it. */
final class SpdyCommand implements Response.Upgrade {

  private final CommandRequest request;
  private final ContainerProgram program;

  SpdyCommand(CommandRequest request, ContainerProgram program) {
    this.request = request;
    this.program = program;
  }

  @Override
  public void speak(UpgradedSocket socket) throws IOException, InterruptedException {
    Streams streams = new Streams(socket);
    try (SpdyConnection connection =
        new SpdyConnection(socket.inputStream(), socket.outputStream())) {
      connection.receive(streams);
    } finally {
      streams.clientGone();
    }
  }

  /** The streams of the client; the command starts when all of them are there. */
  private final class Streams implements SpdyConnection.Acceptor, CommandRun.Wire {
    private final UpgradedSocket socket;
    private final Map<String, SpdyConnection.Stream> streams = new ConcurrentHashMap<>();
    private @Nullable CommandRun run;

    Streams(UpgradedSocket socket) {
      this.socket = socket;
    }

    @Override
    public SpdyConnection.Receiver accept(
        SpdyConnection.Stream stream, Map<String, String> headers) {
      String type = headers.getOrDefault("streamtype", "");
      streams.put(type, stream);
      if (run == null && isComplete()) {
        CommandRun started = CommandRun.start(request, program, this);
        socket.onGone(started::clientGone);
        run = started;
      }
      return new Input(type);
    }

    private boolean isComplete() {
      return streams.containsKey("error")
          && streams.containsKey("stdin") == request.stdin()
          && streams.containsKey("stdout") == request.stdout()
          && streams.containsKey("stderr") == (request.stderr() && !request.terminal())
          && streams.containsKey("resize") == request.terminal();
    }

    void clientGone() throws InterruptedException {
      if (run != null) {
        run.clientGone();
        run.join();
      }
    }

    private SpdyConnection.Stream stream(String type) {
      return requireNonNull(streams.get(type), type);
    }

    @Override
    public void output(boolean error, byte[] bytes, int offset, int length) throws IOException {
      stream(error ? "stderr" : "stdout").send(bytes, offset, length);
    }

    @Override
    public void finish(byte[] status) throws IOException {
      for (Map.Entry<String, SpdyConnection.Stream> stream : streams.entrySet()) {
        if (!stream.getKey().equals("error")) {
          stream.getValue().end();
        }
      }
      stream("error").send(status, 0, status.length);
      stream("error").end();
    }

    @Override
    public void cut() {
      socket.cut();
    }

    private final class Input implements SpdyConnection.Receiver {
      private final String type;

      Input(String type) {
        this.type = type;
      }

      @Override
      public void received(byte[] bytes, int length) {
        if (run != null && type.equals("stdin")) {
          run.input(bytes, 0, length);
        } else if (run != null && type.equals("resize")) {
          run.resize(Arrays.copyOf(bytes, length));
        }
      }

      @Override
      public void ended() {
        if (run != null && type.equals("stdin")) {
          run.endInput();
        }
      }

      @Override
      public void reset() {
        ended();
      }
    }
  }
}
