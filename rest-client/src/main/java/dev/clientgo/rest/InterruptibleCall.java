package dev.clientgo.rest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.Executor;
import okhttp3.Call;
import okhttp3.Response;

/**
 * A call that ends when the thread that waits for it is interrupted, or when it is cancelled by
 * another thread.
 *
 * <p>A thread that is blocked in a socket does not notice an interruption: {@link
 * java.net.Socket#getInputStream} says nothing of it, and a watch may stay silent for minutes. The
 * JDK has one public hook that is called when a blocked thread is interrupted, and it is the one
 * that makes its own channels interruptible: {@link #begin} and {@link #end}. So a call poses as a
 * channel. Its "closing" cancels the call, which on HTTP/1.1 closes the socket and on HTTP/2 resets
 * the stream alone; that, in turn, wakes the thread. Sockets that were channels themselves would be
 * simpler, and wrong: the interruption of one HTTP/2 call would close the connection of all.
 */
final class InterruptibleCall extends AbstractInterruptibleChannel {

  private final Call call;
  private final Executor canceller;

  /**
   * Creates a call that is not executed yet.
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
   * Sends the request and waits for the head of the answer.
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
        response.close(); // The interruption came when the answer was there already.
      }
      throw unlessInterrupted(e);
    }
  }

  /** OkHttp is written in Kotlin, where an InterruptedException needs no declaration. */
  private Response blockingExecute() throws IOException, InterruptedException {
    return call.execute();
  }

  /**
   * Reads from the body of the answer.
   *
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  int read(InputStream body, byte[] bytes, int offset, int length)
      throws IOException, InterruptedException {
    boolean completed = false;
    try {
      begin();
      try {
        int read = body.read(bytes, offset, length);
        completed = true;
        return read;
      } finally {
        end(completed);
      }
    } catch (IOException e) {
      throw unlessInterrupted(e);
    }
  }

  /**
   * Returns the error, unless an interruption is behind it. Okio looks at the flag too, and may see
   * it before the hook has run.
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

  /** Ends the call, whatever it is doing. Does nothing the second time. */
  void cancel() {
    call.cancel();
  }

  /**
   * Called by the thread that interrupts, which holds a lock of the interrupted thread. To cancel
   * takes locks of OkHttp, which the interrupted thread may hold: not here, then.
   */
  @Override
  protected void implCloseChannel() {
    canceller.execute(call::cancel);
  }
}
