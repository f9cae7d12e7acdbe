package dev.clientgo.apimachinery.watch;

import java.util.Optional;

/**
 * A stream of events.
 *
 * <p>One thread at a time takes events; {@link #close} may be called from any thread, as often as
 * one likes, and ends a {@link #next} that waits. Whoever opens a watch closes it.
 *
 * <p>Corresponds to client-go's {@code watch.Interface}.
 *
 * @param <T> the type of the objects watched
 */
public interface Watch<T> extends AutoCloseable {

  /**
   * Waits for the next event.
   *
   * <p>A watch ends when the server closes it, which it does regularly, when the connection breaks,
   * or when it is closed here. What a watch that broke has not delivered, a new one from the last
   * resourceVersion will.
   *
   * @return the event; empty when the watch has ended
   * @throws InterruptedException if the thread is interrupted; the watch is then closed
   */
  Optional<WatchEvent<T>> next() throws InterruptedException;

  /** Ends the watch and frees its connection. Does nothing the second time. */
  @Override
  void close();
}
