package dev.clientgo.apimachinery.watch;

import java.util.Optional;

/**
 * A stream of events.
 *
 * <p>One thread at a time takes events. Any thread may call {@link #close}, more than once; it ends
 * a waiting {@link #next}. The caller that opens a watch must close it.
 *
 * <p>Corresponds to client-go's {@code watch.Interface}.
 *
 * @param <T> the type of the objects watched
 */
public interface Watch<T> extends AutoCloseable {

  /**
   * Waits for the next event.
   *
   * <p>A watch ends when the server closes it, as servers do regularly, when the connection breaks,
   * or when the program closes it. A new watch from the last resourceVersion delivers the events
   * that a broken one has not.
   *
   * @return the event; empty if the watch has ended
   * @throws InterruptedException if the thread is interrupted; the watch is then closed
   */
  Optional<WatchEvent<T>> next() throws InterruptedException;

  /** Ends the watch and releases its connection. The second call does nothing. */
  @Override
  void close();
}
