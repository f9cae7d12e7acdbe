package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.envtest.internal.http.Pipe;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;

/**
 * A run of a user's program in a pod, between its own thread and the thread that reads from the
 * client.
 */
abstract class ProgramRun {

  private static final Logger LOG = System.getLogger(ProgramRun.class.getName());

  final Pipe input = new Pipe(Clock.system(), () -> {});
  private final Thread thread;
  private volatile boolean gone;

  /** Sends how a program has ended, and then the end of the connection. */
  interface Ending {
    void send() throws IOException;
  }

  ProgramRun(ThreadFactory threads) {
    thread = threads.newThread(this::run);
  }

  /** Runs the program, and returns how it has ended. */
  abstract Ending runProgram() throws Exception;

  /** Returns the ending of a program that has failed. */
  abstract Ending failed(Throwable failure);

  /** Breaks the connection if its end cannot be sent. */
  abstract void breakConnection();

  void start() {
    thread.start();
  }

  private void run() {
    Ending ending;
    try {
      ending = runProgram();
    } catch (InterruptedException e) {
      ending = failed(e);
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.DEBUG, "The program of a pod has failed", e);
      ending = failed(CrashLog.printable(e));
    }
    input.close(); // The client's input is discarded from now on.
    boolean interrupted = Thread.interrupted();
    LOG.log(
        Level.DEBUG,
        "The program of a pod has ended: interrupted={0} clientGone={1}",
        interrupted,
        gone);
    if (gone) {
      return;
    }
    try {
      ending.send();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A client has left before its program has ended", e);
      breakConnection();
    }
  }

  boolean isGone() {
    return gone;
  }

  /** Notes that the connection is broken: nothing more is sent. */
  void gone() {
    gone = true;
  }

  /* --------------- For the thread that reads from the client --------------- */

  /** Passes bytes to the program; waits while it does not read. */
  void input(byte[] bytes, int offset, int length) {
    try {
      input.write(Arrays.copyOfRange(bytes, offset, offset + length));
      input.flush();
    } catch (IOException e) {
      LOG.log(Level.TRACE, "A program does not read its input to the end", e);
    }
  }

  void endInput() {
    input.end(null);
  }

  /** Ends the program, unless it has ended, because the client is gone. */
  void clientGone() {
    gone();
    input.close();
    thread.interrupt();
  }

  void join() throws InterruptedException {
    thread.join();
  }

  /** Output for the client, which is not buffered. */
  abstract static class Output extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public abstract void write(byte[] bytes, int offset, int length) throws IOException;
  }
}
