package dev.clientgo.rest;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.concurrent.Executor;
import okhttp3.Call;

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

  /** What blocks. */
  @FunctionalInterface
  interface Blocking<T> {
    /**
     * Does it.
     *
     * @throws InterruptedException OkHttp is written in Kotlin, where that needs no declaration
     */
    T run() throws IOException, InterruptedException;
  }

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
   * Does something that blocks for the sake of the call.
   *
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  <T> T run(Blocking<T> blocking) throws IOException, InterruptedException {
    try {
      boolean completed = false;
      begin();
      try {
        T result = blocking.run();
        completed = true;
        return result;
      } finally {
        end(completed);
      }
    } catch (ClosedByInterruptException e) {
      Thread.interrupted();
      throw interrupted(e);
    } catch (InterruptedException e) {
      call.cancel();
      throw e;
    } catch (IOException e) {
      // Okio looks at the flag too, and may see it before the hook has run.
      if (Thread.interrupted()) {
        call.cancel();
        throw interrupted(e);
      }
      throw e;
    }
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

  private static InterruptedException interrupted(IOException cause) {
    InterruptedException e = new InterruptedException("interrupted while talking to the server");
    e.initCause(cause);
    return e;
  }
}
