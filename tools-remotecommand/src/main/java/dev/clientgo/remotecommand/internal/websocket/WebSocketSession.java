package dev.clientgo.remotecommand.internal.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket with a thread that receives, a heartbeat, and an end that threads wait for.
 *
 * <p>The first reason to end wins. The session has ended when its receiver has: only then nothing
 * more reaches the caller. Safe for use by many threads.
 *
 * @param <E> how a session ends
 */
public abstract class WebSocketSession<E> implements AutoCloseable {

  private static final Duration THREAD_END = Duration.ofSeconds(1);

  protected final WebSocket socket;
  protected final Clock clock;
  protected final Heartbeat heartbeat;
  private final AtomicReference<@Nullable E> ending = new AtomicReference<>();
  private volatile @Nullable Thread receiver;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition reached;

  @GuardedBy("lock")
  private @Nullable E end;

  protected WebSocketSession(WebSocket socket, Clock clock) {
    this.socket = socket;
    this.clock = clock;
    this.reached = clock.newCondition(lock);
    this.heartbeat =
        new Heartbeat(
            clock,
            () ->
                fail(
                    Kind.CONNECTION_LOST,
                    "nothing has arrived for "
                        + Heartbeat.SILENCE.toSeconds()
                        + " s, not even answers to pings"));
  }

  /** Returns the end of a session that the connection or this program has broken. */
  protected abstract E failed(Kind kind, String reason);

  /** Starts the receiver, whose last act is {@link #reach}, and the heartbeat. */
  protected final void start(Thread receiving, Heartbeat.Ping ping) {
    receiver = receiving;
    heartbeat.receiving(true);
    heartbeat.start(socket, ping);
    receiving.start();
  }

  /** Returns the first reason to end, null if there is none yet. */
  protected final @Nullable E ending() {
    return ending.get();
  }

  /** Notes a reason to end, and returns the first one. */
  protected final E endWith(E reason) {
    E first = ending.compareAndExchange(null, reason);
    return first == null ? reason : first;
  }

  /** Ends the session for a reason, and returns the first one. */
  protected final E cut(E reason) {
    E first = endWith(reason);
    disconnect();
    return first;
  }

  /** Ends the session without a result. */
  protected final void fail(Kind kind, String reason) {
    cut(failed(kind, reason));
  }

  /** Closes the connection at once, and ends the heartbeat. */
  protected void disconnect() {
    heartbeat.stop();
    socket.close();
  }

  /** Sets how the session ended, and wakes all that wait for it. */
  protected final void reach(E how) {
    lock.lock();
    try {
      end = how;
      reached.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how the session ended; empty if it has not ended. */
  public final Optional<E> end() {
    lock.lock();
    try {
      return Optional.ofNullable(end);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end. */
  public final E await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (end == null) {
        reached.await();
      }
      return end;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the end.
   *
   * @return empty if the time is up
   */
  public final Optional<E> await(Duration timeout) throws InterruptedException {
    Deadline deadline = clock.deadline(timeout);
    lock.lockInterruptibly();
    try {
      while (end == null && deadline.await(lock, reached)) {}
      return Optional.ofNullable(end);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the method and the URL of the request, without the query, for messages. */
  @Override
  public final String toString() {
    return socket.toString();
  }

  /** Ends the session at once, and its threads. Does nothing if it has ended. */
  @Override
  public final void close() {
    fail(Kind.CLIENT_CLOSED, "this program has closed the connection");
    Thread thread = receiver;
    if (thread != null && !thread.equals(Thread.currentThread())) {
      try {
        thread.interrupt(); // It may write to a stream of the caller.
        clock.join(List.of(thread), THREAD_END);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // The thread ends without this wait.
      }
    }
  }

  /** Reports signs of life to the heartbeat, for the receiver of a session. */
  protected abstract class Receiver implements WebSocket.Receiver {
    @Override
    public final void pinged(byte[] content) {
      heartbeat.pinged(content);
      heartbeat.alive();
    }

    @Override
    public final void ponged() {
      heartbeat.alive();
    }
  }
}
