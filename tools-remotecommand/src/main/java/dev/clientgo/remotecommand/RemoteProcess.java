package dev.clientgo.remotecommand;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.internal.channel.BoundedPipe;
import dev.clientgo.remotecommand.internal.channel.ChannelSession;
import dev.clientgo.remotecommand.internal.channel.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A command that runs in a pod, or the main process of a container that this program has attached
 * to. It resembles {@link Process}.
 *
 * <pre>{@code
 * try (RemoteProcess shell = RemoteCommand.exec(client, "default", "web-0", "sh").withInput().start()) {
 *   shell.outputStream().write("ls /\n".getBytes(UTF_8));
 *   shell.outputStream().close();
 *   shell.inputStream().transferTo(System.out);
 *   int exitCode = shell.waitFor();
 * }
 * }</pre>
 *
 * <p>Between the command and this program are buffers of fixed size. So a program that does not
 * read {@link #inputStream} and {@link #errorStream} stops the command, and a command that does not
 * read its input stops the program that writes it. Read both streams in two threads, or close the
 * one that is not needed; its bytes are then discarded.
 *
 * <p>The server is pinged every 5 s. If nothing arrives for 60 s, the connection counts as lost.
 *
 * <p>Safe for use by many threads.
 */
public final class RemoteProcess implements AutoCloseable {

  private final ChannelSession session;
  private final boolean hasInput;
  private final boolean hasTerminal;
  private final BoundedPipe output;
  private final BoundedPipe error;
  private final OutputStream input;

  RemoteProcess(ChannelSession session, boolean hasInput, boolean hasTerminal, Clock clock) {
    this.session = session;
    this.hasInput = hasInput;
    this.hasTerminal = hasTerminal;
    this.output = new BoundedPipe(clock);
    this.error = new BoundedPipe(clock);
    this.input = new Input(session);
  }

  void receive(long sure) {
    session.start(output.writer(), error.writer(), sure, this::ended);
  }

  private void ended(Outcome outcome) {
    Exception cause = outcome.failure() == null ? outcome.callerFailure() : outcome.failure();
    output.end(cause);
    error.end(cause);
  }

  /**
   * Returns the stream to the standard input of the command. Each write is sent at once: wrap it in
   * a {@link java.io.BufferedOutputStream} for many small ones. Closing it ends the input, which
   * {@code v4.channel.k8s.io}, the protocol of servers before Kubernetes 1.30, cannot do; {@code
   * close} then throws an exception that says so.
   *
   * <p>If the thread is interrupted while it writes, the session ends.
   *
   * @throws IllegalStateException if the command was started without input
   */
  public OutputStream outputStream() {
    if (!hasInput) {
      throw new IllegalStateException(session + " has no input: start it with withInput()");
    }
    return input;
  }

  /**
   * Returns the standard output of the command, with a terminal also its error output. If the
   * command has not ended by itself, for instance because the connection broke, the stream ends
   * with an {@link IOException}.
   */
  public InputStream inputStream() {
    return output;
  }

  /** Returns the error output of the command; empty with a terminal. */
  public InputStream errorStream() {
    return error;
  }

  /** Returns whether the command has not ended yet, as far as this program knows. */
  public boolean isAlive() {
    return session.end().isEmpty();
  }

  /**
   * Returns whether the command has ended and all of its output has arrived. That is not known of a
   * command with input, unless {@link RemoteCommand#withInputLength} is set: in {@code
   * v5.channel.k8s.io} Kubernetes does not report what it has lost.
   */
  public boolean isOutputConfirmed() {
    return session.confirmsOutput()
        && session.end().filter(outcome -> outcome.exitCode() >= 0).isPresent();
  }

  /**
   * Waits for the end of the command. An exit code above 128 stands by convention for the signal
   * {@code exitCode - 128}.
   *
   * @return the exit code that the server has reported, 0 to 255
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server reported that the
   *     command could not be run or its exit code is not known
   * @throws dev.clientgo.apimachinery.errors.TransportException if the connection broke before the
   *     server has reported the end, or this process was closed
   * @throws InterruptedException if the thread is interrupted; the command continues
   */
  public int waitFor() throws InterruptedException {
    return exitCode(session.await());
  }

  /**
   * Waits for the end of the command for some time.
   *
   * @return the exit code as of {@link #waitFor()}; empty if the time is up and the command still
   *     runs
   * @throws InterruptedException if the thread is interrupted; the command continues
   */
  public OptionalInt waitFor(Duration timeout) throws InterruptedException {
    return session
        .await(requireNonNull(timeout, "timeout"))
        .map(outcome -> OptionalInt.of(exitCode(outcome)))
        .orElse(OptionalInt.empty());
  }

  private static int exitCode(Outcome outcome) {
    if (outcome.failure() != null) {
      throw outcome.failure();
    }
    if (outcome.callerFailure() != null) {
      throw new IllegalStateException(
          outcome.callerFailure().getMessage(), outcome.callerFailure());
    }
    return outcome.exitCode();
  }

  /**
   * Sends the size of the terminal to the command.
   *
   * @throws IllegalStateException if it has no terminal
   * @throws IOException if the connection is broken or closed
   */
  public void resize(int columns, int rows) throws IOException {
    if (!hasTerminal) {
      throw new IllegalStateException(
          session + " has no terminal: start it with withTerminal(columns, rows)");
    }
    session.resize(columns, rows);
  }

  /** Returns the method and the URL of the request, without the query. */
  @Override
  public String toString() {
    return session.toString();
  }

  /**
   * Closes the connection and all streams at once. The server ends the input of the command, and
   * its output goes nowhere; whether the command ends of that is up to the command. Does nothing if
   * the command has ended.
   */
  @Override
  public void close() {
    output.close();
    error.close();
    session.close();
  }

  private static final class Input extends OutputStream {
    private final ChannelSession session;
    private boolean closed;

    Input(ChannelSession session) {
      this.session = session;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (closed) {
        throw new IOException("the input is closed");
      }
      session.sendInput(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        if (session.end().isEmpty()) {
          session.endInput();
        }
      }
    }
  }
}
