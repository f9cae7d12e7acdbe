package dev.clientgo.envtest.internal.kubelet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A run of a program in a container. */
final class CommandRun extends ProgramRun implements ContainerProgram.Io {

  /** The connection with the client, whatever its protocol. */
  interface Wire {
    /** Sends output; waits while the client does not read. */
    void output(boolean error, byte[] bytes, int offset, int length) throws IOException;

    /** Sends how the command ended, and then the end of the connection. */
    void finish(byte[] status) throws IOException;

    /** Breaks the connection. */
    void cut();
  }

  private static final Logger LOG = System.getLogger(CommandRun.class.getName());

  /** Daemons: a program that ignores interruption must not keep the JVM alive. */
  private static final ThreadFactory THREADS = DaemonThreads.platform("envtest-container-");

  /** The most bytes of one message of output. */
  private static final int MAX_PIECE = 32 * 1024;

  private final CommandRequest request;
  private final ContainerProgram program;
  private final Wire wire;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<ResizeListener> listeners = new ArrayList<>();

  @GuardedBy("lock")
  private @Nullable Size size;

  private record Size(int columns, int rows) {}

  private CommandRun(CommandRequest request, ContainerProgram program, Wire wire) {
    super(THREADS);
    this.request = request;
    this.program = program;
    this.wire = wire;
  }

  static CommandRun start(CommandRequest request, ContainerProgram program, Wire wire) {
    CommandRun run = new CommandRun(request, program, wire);
    if (!request.stdin()) {
      run.endInput();
    }
    run.start();
    return run;
  }

  @Override
  Ending runProgram() throws Exception {
    byte[] status = CommandStatus.exited(program.run(this));
    return () -> wire.finish(status);
  }

  @Override
  Ending failed(Throwable failure) {
    byte[] status = CommandStatus.failed(failure);
    return () -> wire.finish(status);
  }

  @Override
  void breakConnection() {
    wire.cut();
  }

  /* --------------- For the thread that reads from the client --------------- */

  @Override
  void input(byte[] bytes, int offset, int length) {
    if (request.stdin()) {
      super.input(bytes, offset, length);
    }
  }

  /** Passes the size of the terminal on, as JSON. */
  void resize(byte[] json) {
    Map<String, Object> tree;
    try {
      tree = JsonTree.asObject(JsonText.parse(json));
    } catch (CodecException e) {
      return; // As upstream.
    }
    Long columns = JsonTree.number(tree, "Width");
    Long rows = JsonTree.number(tree, "Height");
    if (columns == null || rows == null) {
      return;
    }
    List<ResizeListener> told;
    lock.lock();
    try {
      size = new Size(columns.intValue(), rows.intValue());
      told = List.copyOf(listeners);
    } finally {
      lock.unlock();
    }
    for (ResizeListener listener : told) {
      try {
        listener.resized(columns.intValue(), rows.intValue());
      } catch (Throwable e) {
        CrashLog.log(LOG, Level.WARNING, "A ResizeListener has failed", e);
      }
    }
  }

  /* --------------- For the program --------------- */

  @Override
  public String namespace() {
    return request.namespace();
  }

  @Override
  public String pod() {
    return request.pod();
  }

  @Override
  public String container() {
    return request.container();
  }

  @Override
  public List<String> command() {
    return request.command();
  }

  @Override
  public InputStream stdin() {
    return input.in();
  }

  @Override
  public OutputStream stdout() {
    return request.stdout() ? new ProgramOutput(false) : OutputStream.nullOutputStream();
  }

  @Override
  public OutputStream stderr() {
    if (request.terminal()) {
      return stdout();
    }
    return request.stderr() ? new ProgramOutput(true) : OutputStream.nullOutputStream();
  }

  @Override
  public boolean isTerminal() {
    return request.terminal();
  }

  @Override
  public void onResize(ResizeListener listener) {
    Size present;
    lock.lock();
    try {
      listeners.add(listener);
      present = size;
    } finally {
      lock.unlock();
    }
    if (present != null) {
      listener.resized(present.columns, present.rows);
    }
  }

  @Override
  public void cut() {
    gone();
    wire.cut();
  }

  private final class ProgramOutput extends Output {
    private final boolean error;

    ProgramOutput(boolean error) {
      this.error = error;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int done = 0; done < length; done += MAX_PIECE) {
        wire.output(error, bytes, offset + done, Math.min(MAX_PIECE, length - done));
      }
    }
  }
}
