package dev.clientgo.apimachinery.watch;

import java.io.IOException;
import java.util.Optional;

/**
 * Reads the events of a watch from a stream, in one encoding. {@link WatchDecoder} reads JSON.
 *
 * <p>Belongs to one thread. Corresponds to apimachinery's {@code watch.Decoder}.
 *
 * @param <T> the type of the objects watched
 */
@FunctionalInterface
public interface Decoder<T> {

  /**
   * Waits for the next event. An event that cannot be decoded is returned as {@link
   * WatchEvent.Failed}.
   *
   * @return the event; empty if the stream has ended between two events, or after an error that
   *     made the rest of the stream unreadable
   * @throws IOException if the connection breaks, or ends within an event
   */
  Optional<WatchEvent<T>> next() throws IOException;
}
