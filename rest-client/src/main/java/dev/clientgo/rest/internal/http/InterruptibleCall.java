package dev.clientgo.rest.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.Executor;
import okhttp3.Call;
import okhttp3.Response;

/**
 * A call that ends when its waiting thread is interrupted, or when another thread cancels it.
 *
 * <p>A thread that is blocked in a socket does not notice an interruption, and a watch may be
 * silent for minutes. The JDK has one public hook for the interruption of a blocked thread, the one
 * of its interruptible channels: {@link #begin} and {@link #end}. So this class extends a channel.
 * Closing it cancels the call, which closes the socket on HTTP/1.1 and resets only the stream on
 * HTTP/2, and so wakes the thread. Sockets made from channels would be simpler but wrong: the
 * interruption of one HTTP/2 call would close the connection of all.
 */
final class InterruptibleCall extends AbstractInterruptibleChannel {

  private final Call call;
  private final Executor canceller;

  /**
   * Creates a call, without executing it.
   *
   * @param canceller cancels the call, in a thread that holds no locks
   */
  InterruptibleCall(Call call, Executor canceller) {
    this.call = call;
    this.canceller = canceller;
  }

  /** Returns the call. */
  Call call() {
    return call;
  }

  /**
   * Sends the request and waits for the head of the response.
   *
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  Response execute() throws IOException, InterruptedException {
    Response response = null;
    try {
      begin();
      try {
        response = blockingExecute();
      } finally {
        end(response != null);
      }
      return response;
    } catch (InterruptedException e) {
      call.cancel();
      throw e;
    } catch (IOException e) {
      if (response != null) {
        response.close(); // The interruption came after the response.
      }
      throw unlessInterrupted(e);
    }
  }

  /** Kotlin, in which OkHttp is written, does not declare InterruptedException. */
  private Response blockingExecute() throws IOException, InterruptedException {
    return call.execute();
  }

  /**
   * Reads from the body of the response.
   *
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  int read(InputStream body, byte[] bytes, int offset, int length)
      throws IOException, InterruptedException {
    return interruptibly(() -> body.read(bytes, offset, length));
  }

  /**
   * Writes to a connection that has switched to another protocol. One thread may write while
   * another reads.
   *
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  void write(OutputStream connection, byte[] bytes, int offset, int length)
      throws IOException, InterruptedException {
    interruptibly(
        () -> {
          connection.write(bytes, offset, length);
          return bytes;
        });
  }

  @FunctionalInterface
  private interface Blocking<T> {
    T run() throws IOException;
  }

  private <T> T interruptibly(Blocking<T> io) throws IOException, InterruptedException {
    boolean completed = false;
    try {
      begin();
      try {
        T result = io.run();
        completed = true;
        return result;
      } finally {
        end(completed);
      }
    } catch (IOException e) {
      throw unlessInterrupted(e);
    }
  }

  /**
   * Returns the error unless an interruption has caused it. Okio also checks the flag, and may see
   * it before the hook runs.
   */
  private IOException unlessInterrupted(IOException e) throws InterruptedException {
    if (!Thread.interrupted() && !(e instanceof ClosedByInterruptException)) {
      return e;
    }
    call.cancel();
    InterruptedException interrupted =
        new InterruptedException("interrupted while talking to the server");
    interrupted.initCause(e);
    throw interrupted;
  }

  /** Cancels the call in any state. Does nothing the second time. */
  void cancel() {
    call.cancel();
  }

  /**
   * The interrupting thread calls this while it holds a lock of the interrupted thread. Cancelling
   * needs locks of OkHttp that the interrupted thread may hold, so another thread cancels.
   */
  @Override
  protected void implCloseChannel() {
    canceller.execute(call::cancel);
  }
}
