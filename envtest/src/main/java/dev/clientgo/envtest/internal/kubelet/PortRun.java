package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.internal.http.Pipe;
import dev.clientgo.envtest.kubelet.PortProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;

/**
 * A forwarded connection, between the thread of the program behind the port and the thread that
 * reads from the client.
 */
final class PortRun implements PortProgram.Connection {

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

  private static final Logger LOG = System.getLogger(PortRun.class.getName());

  private static final ThreadFactory THREADS = DaemonThreads.platform("envtest-port-");

  private final PortTarget target;
  private final int port;
  private final Wire wire;
  private final Pipe input = new Pipe(Clock.system(), () -> {});
  private final Thread thread = THREADS.newThread(this::run);
  private volatile boolean gone;

  private PortRun(PortTarget target, int port, Wire wire) {
    this.target = target;
    this.port = port;
    this.wire = wire;
  }

  static PortRun start(PortTarget target, int port, Wire wire) {
    PortRun run = new PortRun(target, port, wire);
    run.thread.start();
    return run;
  }

  private void run() {
    String failure = "";
    try {
      PortProgram program = target.program(port);
      program.serve(this);
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.DEBUG, "the program behind a port has failed", e);
      failure = target.failure(port, CommandStatus.why(e));
    }
    input.close(); // The client's bytes are discarded from now on.
    boolean interrupted = Thread.interrupted();
    if (gone) {
      LOG.log(Level.TRACE, "the client disconnected first, interrupted=" + interrupted);
      return;
    }
    try {
      if (!failure.isEmpty()) {
        wire.error(failure);
      }
      wire.finish();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a client is gone before its connection has ended", e);
    }
  }

  /* --------------- For the thread that reads from the client --------------- */

  /** Passes bytes to the program; waits while it does not read. */
  void input(byte[] bytes, int offset, int length) {
    try {
      input.write(Arrays.copyOfRange(bytes, offset, offset + length));
      input.flush();
    } catch (IOException e) {
      LOG.log(Level.TRACE, "the program reads no more", e);
    }
  }

  void endInput() {
    input.end(null);
  }

  /** Ends the program, unless it has ended, because the client is gone. */
  void clientGone() {
    gone = true;
    input.close();
    thread.interrupt();
  }

  void join() throws InterruptedException {
    thread.join();
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
    return new Output();
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (gone) {
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
