package dev.clientgo.remotecommand.internal.websocket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a connection that pings the server, answers its pings, and notices a dead peer.
 *
 * <p>A peer is dead if nothing has arrived for {@link #SILENCE} while the receiver waited for it.
 * Two silences are normal: the receiver waits for its reader, or the server does not read what
 * another thread sends, for instance because the command does not read its input. In the second
 * case TCP notices a dead peer.
 *
 * <p>While the receiver is busy with what has arrived, no ping is sent. The server may have sent
 * all and closed its end; a ping would then make it reset the connection, and its last bytes would
 * be lost.
 */
public final class Heartbeat {

  /** Sends a ping, unless another thread is sending. */
  @FunctionalInterface
  public interface Ping {
    /** Returns whether it was sent. */
    boolean send() throws IOException;
  }

  /** The time between two pings, as in client-go. */
  public static final Duration PING = Duration.ofSeconds(5);

  /** How long a server that is pinged may be silent, as in client-go. */
  public static final Duration SILENCE = Duration.ofSeconds(60);

  private static final ThreadFactory THREADS = DaemonThreads.named("client-go-remotecommand-ping-");

  private final Clock clock;
  private final Runnable onDeadPeer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  /** When the receiver began to wait for data; null while it does something else. */
  @GuardedBy("lock")
  private @Nullable Long idleSince;

  /** When a sign of life came while the receiver waited for data, or it began to wait. */
  @GuardedBy("lock")
  private long aliveAt;

  @GuardedBy("lock")
  private byte @Nullable [] unanswered;

  @GuardedBy("lock")
  private boolean stopped;

  /**
   * Creates a heartbeat that does not beat yet.
   *
   * @param onDeadPeer called in the thread of the heartbeat
   */
  public Heartbeat(Clock clock, Runnable onDeadPeer) {
    this.clock = clock;
    this.changed = clock.newCondition(lock);
    this.onDeadPeer = onDeadPeer;
  }

  /** Starts the thread, which answers the pings of the server and sends its own pings. */
  public void start(WebSocket socket, Ping ping) {
    THREADS.newThread(() -> run(socket, ping)).start();
  }

  /** Asks for an answer to a ping. */
  public void pinged(byte[] content) {
    lock.lock();
    try {
      unanswered = content;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notes whether the receiver waits for data of the server, or is busy with some. */
  public void receiving(boolean waits) {
    lock.lock();
    try {
      aliveAt = clock.nanoTime();
      idleSince = waits ? aliveAt : null;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the server has sent a sign of life without data. */
  public void alive() {
    lock.lock();
    try {
      aliveAt = clock.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run(WebSocket socket, Ping ping) {
    try {
      boolean sent = true;
      while (awaitBeat()) {
        byte[] due = takePing();
        if (due != null) {
          socket.pong(due);
        } else if (isIdle()) {
          boolean before = sent;
          sent = ping.send();
          if (sent && before && isSilent()) {
            onDeadPeer.run();
          }
        }
      }
    } catch (IOException e) {
      // The receiver notices the broken connection too, and reports it.
      stop();
    } catch (InterruptedException e) {
      stop(); // Only a program that interrupts all threads does this.
    }
  }

  /** Waits for the next beat; returns false if there is none. */
  private boolean awaitBeat() throws InterruptedException {
    lock.lock();
    try {
      Deadline deadline = clock.deadline(PING);
      while (!stopped && unanswered == null && deadline.await(lock, changed)) {}
      return !stopped;
    } finally {
      lock.unlock();
    }
  }

  private byte @Nullable [] takePing() {
    lock.lock();
    try {
      byte[] due = unanswered;
      unanswered = null;
      return due;
    } finally {
      lock.unlock();
    }
  }

  private boolean isIdle() {
    lock.lock();
    try {
      return idleSince != null && clock.nanoTime() - idleSince >= PING.toNanos();
    } finally {
      lock.unlock();
    }
  }

  private boolean isSilent() {
    lock.lock();
    try {
      return idleSince != null && clock.nanoTime() - aliveAt >= SILENCE.toNanos();
    } finally {
      lock.unlock();
    }
  }
}
