package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.kubelet.PortProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.ThreadFactory;

/** A run of the program behind a port, for one forwarded connection. */
final class PortRun extends ProgramRun implements PortProgram.Connection {

  /** The streams to the client, whatever their protocol. */
  interface Wire {
    /** Sends bytes; waits while the client does not read. */
    void data(byte[] bytes, int offset, int length) throws IOException;

    /** Signals to the client that no more bytes come. */
    void endData() throws IOException;

    /** Reports to the client why the connection has failed. */
    void error(String text) throws IOException;

    /** The program has ended, and all is sent. */
    void finish() throws IOException;
  }

  private static final ThreadFactory THREADS = DaemonThreads.platform("envtest-port-");

  private final PortTarget target;
  private final int port;
  private final Wire wire;

  private PortRun(PortTarget target, int port, Wire wire) {
    super(THREADS);
    this.target = target;
    this.port = port;
    this.wire = wire;
  }

  static PortRun start(PortTarget target, int port, Wire wire) {
    PortRun run = new PortRun(target, port, wire);
    run.start();
    return run;
  }

  @Override
  Ending runProgram() throws Exception {
    target.program(port).serve(this);
    return wire::finish;
  }

  @Override
  Ending failed(Throwable failure) {
    String why = target.failure(port, CommandStatus.why(failure));
    return () -> {
      wire.error(why);
      wire.finish();
    };
  }

  @Override
  void breakConnection() {
    // Other ports may share the connection.
  }

  /* --------------- For the program --------------- */

  @Override
  public String namespace() {
    return target.namespace();
  }

  @Override
  public String pod() {
    return target.pod();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public InputStream inputStream() {
    return input.in();
  }

  @Override
  public OutputStream outputStream() {
    return new ProgramOutput();
  }

  private final class ProgramOutput extends Output {

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (isGone()) {
        throw new IOException("the client is gone");
      }
      wire.data(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      wire.endData();
    }
  }
}
