package dev.clientgo.remotecommand.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.remotecommand.RemoteProcess;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code tar} or another program that runs in a container. A thread reads its error output, so that
 * it never waits for that, and keeps the end. One thread uses it.
 */
final class RemoteTool implements AutoCloseable {

  /** The most bytes of the error output in a message. */
  private static final int MAX_ERROR = 4096;

  /** The exit codes of a shell that cannot run a program. */
  private static final int NOT_EXECUTABLE = 126;

  private static final int NOT_FOUND = 127;

  private static final Logger LOG = System.getLogger(RemoteTool.class.getName());

  private static final ThreadFactory THREADS = DaemonThreads.named("client-go-remotecommand-copy-");

  private final String name;
  private final RemoteProcess process;
  private final ErrorOutput error;
  private final Thread reader;

  private RemoteTool(String name, RemoteProcess process) {
    this.name = name;
    this.process = process;
    this.error = new ErrorOutput(process.errorStream());
    this.reader = THREADS.newThread(error);
  }

  /**
   * Starts a program.
   *
   * @param name how a message calls it: what the container must have
   */
  static RemoteTool start(String name, RemoteCommand command) throws InterruptedException {
    try {
      RemoteTool tool = new RemoteTool(name, command.start());
      tool.reader.start();
      return tool;
    } catch (ApiStatusException e) {
      throw withName(name, e);
    }
  }

  /** Returns the output of the program, which throws {@link StreamException}. */
  InputStream output() {
    return new FilterInputStream(process.inputStream()) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
          return in.read(bytes, offset, length);
        } catch (IOException e) {
          throw new StreamException(e);
        }
      }
    };
  }

  /** Returns the input of the program, which throws {@link StreamException}. */
  OutputStream input() {
    return new FilterOutputStream(process.outputStream()) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
          out.write(bytes, offset, length);
        } catch (IOException e) {
          throw new StreamException(e);
        }
      }
    };
  }

  /**
   * Ends the input.
   *
   * @throws CopyException if the protocol of the server cannot do that
   */
  void endInput() {
    try {
      process.outputStream().close();
    } catch (IOException e) {
      throw new CopyException(process + ": " + e.getMessage(), e);
    }
  }

  /** A stream of the program has failed, not a local file. */
  static final class StreamException extends IOException {

    private static final long serialVersionUID = 1;

    StreamException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * Waits for the end.
   *
   * @throws CopyException if the program has failed or is not there
   */
  void awaitSuccess() throws InterruptedException {
    int exitCode = exitCode();
    if (exitCode != 0) {
      throw failed(exitCode);
    }
  }

  private int exitCode() throws InterruptedException {
    try {
      int exitCode = process.waitFor();
      reader.join(); // The error output has ended with the command.
      return exitCode;
    } catch (ApiStatusException e) {
      throw withName(name, e);
    }
  }

  private CopyException failed(int exitCode) {
    String text = error.text();
    boolean isMissing = exitCode == NOT_EXECUTABLE || exitCode == NOT_FOUND;
    return new CopyException(
        process
            + ": "
            + (isMissing ? missing(name) : name + " ended with exit code " + exitCode)
            + (text.isEmpty() ? "" : ": " + text),
        exitCode,
        null);
  }

  /**
   * Finds out why a stream of the program has failed or ended too early.
   *
   * @return the error of the program if it has one, otherwise one about the stream
   */
  KubernetesException reasonOf(IOException failure) throws InterruptedException {
    if (Thread.interrupted()) {
      InterruptedException interrupted = new InterruptedException("interrupted while copying");
      interrupted.initCause(failure);
      throw interrupted;
    }
    try {
      int exitCode = exitCode();
      return exitCode == 0
          ? new CopyException(process + ": " + failure.getMessage(), failure)
          : failed(exitCode);
    } catch (KubernetesException e) {
      return e;
    }
  }

  /** Turns the error of a container runtime that found no such program into one that says so. */
  private static KubernetesException withName(String name, ApiStatusException e) {
    return isMissing(e) ? new CopyException(missing(name) + ": " + e.getMessage(), e) : e;
  }

  /** Returns whether a container runtime reports that a program is not there. */
  static boolean isMissing(KubernetesException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return (message.contains("executable file") && message.contains("not found"))
        || message.contains("error finding executable");
  }

  private static String missing(String name) {
    return "the container cannot run " + name + ", which a copy needs; add it to the image";
  }

  @Override
  public void close() {
    process.close();
  }

  /** Reads the error output to its end, and keeps the last bytes. */
  private static final class ErrorOutput implements Runnable {
    private final InputStream in;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private byte[] end = new byte[0];

    ErrorOutput(InputStream in) {
      this.in = in;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[MAX_ERROR];
      try {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          keep(buffer, read);
        }
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "The error output broke off, which the outcome shows", e);
      }
    }

    private void keep(byte[] bytes, int length) {
      lock.lock();
      try {
        int kept = Math.min(end.length, MAX_ERROR - length);
        byte[] joined = Arrays.copyOfRange(end, end.length - kept, end.length + length);
        System.arraycopy(bytes, 0, joined, kept, length);
        end = joined;
      } finally {
        lock.unlock();
      }
    }

    String text() {
      lock.lock();
      try {
        return new String(end, UTF_8).strip();
      } finally {
        lock.unlock();
      }
    }
  }
}
