package dev.clientgo.apimachinery.watch;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends each event to any number of watches, to all in the same order.
 *
 * <p>Safe for use by many threads. Corresponds to apimachinery's {@code watch.Broadcaster}. Unlike
 * there, a broadcaster has no thread: the sender's thread puts the event into each watch.
 *
 * @param <T> the type of the objects watched
 */
public final class Broadcaster<T> implements AutoCloseable {

  /** The treatment of a watch that is full. */
  public enum WhenFull {
    /** The watch does not get the event. */
    DROP,
    /** The sender waits until there is room. */
    WAIT
  }

  private final int queueLength;
  private final WhenFull whenFull;
  private final Clock clock;
  private final List<BufferedWatch<T>> watches = new CopyOnWriteArrayList<>();

  /** Held while an event is sent, so all watches get the events in the same order. */
  private final ReentrantLock sending = new ReentrantLock();

  @GuardedBy("sending")
  private boolean closed;

  private Broadcaster(int queueLength, WhenFull whenFull, Clock clock) {
    this.queueLength = queueLength;
    this.whenFull = requireNonNull(whenFull, "whenFull");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * Returns a broadcaster without watches.
   *
   * @param queueLength the number of events that a watch can hold
   */
  public static <T> Broadcaster<T> create(int queueLength, WhenFull whenFull) {
    return create(queueLength, whenFull, Clock.system());
  }

  /**
   * Returns a broadcaster without watches.
   *
   * @param queueLength the number of events that a watch can hold
   * @param clock makes the conditions on which threads wait, for simulations
   */
  public static <T> Broadcaster<T> create(int queueLength, WhenFull whenFull, Clock clock) {
    return new Broadcaster<>(queueLength, whenFull, clock);
  }

  /**
   * Returns a watch of the events that are sent from now on.
   *
   * @throws IllegalStateException if the broadcaster is closed
   * @throws InterruptedException if the thread is interrupted while it waits for a sender
   */
  public Watch<T> watch() throws InterruptedException {
    return watchWithPrefix(List.of());
  }

  /**
   * Returns a watch of the given events, followed by the events that are sent from now on.
   *
   * @throws IllegalStateException if the broadcaster is closed
   * @throws InterruptedException if the thread is interrupted while it waits for a sender
   */
  public Watch<T> watchWithPrefix(List<WatchEvent<T>> prefix) throws InterruptedException {
    List<WatchEvent<T>> first = new ArrayList<>(prefix);
    sending.lockInterruptibly();
    try {
      if (closed) {
        throw new IllegalStateException("broadcaster already stopped");
      }
      BufferedWatch<T> watch = BufferedWatch.bounded(Math.max(1, queueLength), clock);
      watches.add(watch);
      return new PrefixedWatch<>(first, watch, () -> watches.remove(watch));
    } finally {
      sending.unlock();
    }
  }

  /**
   * Sends an event to all watches; {@link WhenFull} applies to the full ones.
   *
   * @return false if the broadcaster is closed
   * @throws InterruptedException if the thread is interrupted while it waits for room
   */
  public boolean send(WatchEvent<T> event) throws InterruptedException {
    requireNonNull(event, "event");
    sending.lockInterruptibly();
    try {
      if (closed) {
        return false;
      }
      for (BufferedWatch<T> watch : watches) {
        if (whenFull == WhenFull.DROP) {
          watch.offer(event);
        } else {
          watch.put(event);
        }
      }
      return true;
    } finally {
      sending.unlock();
    }
  }

  /**
   * Ends all watches; they still deliver the events that were sent. Waits for a sender that waits
   * for room. The second call does nothing.
   */
  @Override
  public void close() {
    sending.lock();
    try {
      closed = true;
      watches.forEach(BufferedWatch::end);
      watches.clear();
    } finally {
      sending.unlock();
    }
  }

  /** A watch whose first events do not count against its length. */
  private record PrefixedWatch<T>(
      List<WatchEvent<T>> prefix, BufferedWatch<T> watch, Runnable onClose) implements Watch<T> {

    @Override
    public Optional<WatchEvent<T>> next() throws InterruptedException {
      if (!watch.isClosed() && !prefix.isEmpty()) {
        return Optional.of(prefix.remove(0));
      }
      return watch.next();
    }

    @Override
    public void close() {
      watch.close();
      onClose.run();
    }
  }
}
