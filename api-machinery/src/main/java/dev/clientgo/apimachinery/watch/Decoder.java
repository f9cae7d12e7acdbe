package dev.clientgo.apimachinery.watch;

import java.io.IOException;
import java.util.Optional;

/**
 * Takes the events of a watch off a stream, in whatever encoding they come; for JSON it is {@link
 * WatchDecoder}.
 *
 * <p>Belongs to one thread. Corresponds to apimachinery's {@code watch.Decoder}.
 *
 * @param <T> the type of the objects watched
 */
@FunctionalInterface
public interface Decoder<T> {

  /**
   * Waits for the next event. What cannot be understood is an event, too: {@link
   * WatchEvent.Failed}.
   *
   * @return the event; empty when the stream has ended between two events, or after an error from
   *     which it cannot go on
   * @throws IOException if the connection breaks, or ends within an event
   */
  Optional<WatchEvent<T>> next() throws IOException;
}
