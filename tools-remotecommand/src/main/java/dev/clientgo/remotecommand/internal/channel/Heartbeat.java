package dev.clientgo.remotecommand.internal.channel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.remotecommand.internal.websocket.WebSocket;
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
 */
final class Heartbeat {

  /** The time between two pings, as in client-go. */
  static final Duration PING = Duration.ofSeconds(5);

  /** How long a server that is pinged may be silent, as in client-go. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  private static final ThreadFactory THREADS = DaemonThreads.named("client-go-remotecommand-ping-");

  private final Clock clock;
  private final Runnable onDeadPeer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  /** When the receiver began to wait for bytes; null while it does something else. */
  @GuardedBy("lock")
  private @Nullable Long waitingSince;

  @GuardedBy("lock")
  private byte @Nullable [] ping;

  @GuardedBy("lock")
  private boolean stopped;

  Heartbeat(Clock clock, Runnable onDeadPeer) {
    this.clock = clock;
    this.changed = clock.newCondition(lock);
    this.onDeadPeer = onDeadPeer;
  }

  /** Starts the thread. */
  void start(WebSocket socket) {
    THREADS.newThread(() -> run(socket)).start();
  }

  /** Asks for an answer to a ping. */
  void pinged(byte[] content) {
    lock.lock();
    try {
      ping = content;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notes whether the receiver waits for the server. */
  void receiving(boolean waits) {
    lock.lock();
    try {
      waitingSince = waits ? clock.nanoTime() : null;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run(WebSocket socket) {
    try {
      boolean sent = true;
      while (awaitBeat()) {
        byte[] due = takePing();
        if (due != null) {
          socket.pong(due);
        } else {
          boolean before = sent;
          sent = socket.ping();
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
      long from = clock.nanoTime();
      Duration left = PING;
      while (!stopped && ping == null && left.compareTo(Duration.ZERO) > 0) {
        clock.await(lock, changed, left);
        left = PING.minusNanos(clock.nanoTime() - from);
      }
      return !stopped;
    } finally {
      lock.unlock();
    }
  }

  private byte @Nullable [] takePing() {
    lock.lock();
    try {
      byte[] due = ping;
      ping = null;
      return due;
    } finally {
      lock.unlock();
    }
  }

  private boolean isSilent() {
    lock.lock();
    try {
      return waitingSince != null && clock.nanoTime() - waitingSince >= SILENCE.toNanos();
    } finally {
      lock.unlock();
    }
  }
}
