package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.serializer.Serializer;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A watch that decodes events as they come from the socket. Nothing is read ahead of {@link #next}:
 * a slow consumer slows the server down.
 *
 * <p>Corresponds to client-go's {@code watch.StreamWatcher}.
 */
final class StreamWatch<T> implements Watch<T> {

  private static final Logger LOG = System.getLogger(StreamWatch.class.getName());

  private final HttpResponse response;
  private final Decoder<T> decoder;

  private StreamWatch(HttpResponse response, Decoder<T> decoder) {
    this.response = response;
    this.decoder = decoder;
  }

  /**
   * Returns a watch of what a server answers.
   *
   * @throws CodecException if none of the encodings is that of the answer, which is then closed
   */
  static <T> Watch<T> of(
      HttpResponse response, NegotiatedSerializer<T> serializers, DecodeContext context) {
    try {
      Serializer<T> serializer = serializers.forContentType(response.header("Content-Type"));
      return new StreamWatch<>(response, serializer.watch(response.body(), context));
    } catch (CodecException e) {
      response.close();
      throw e;
    }
  }

  /** Returns a watch that there is no connection for: its one event says so. */
  static <T> Watch<T> lost(TransportException error) {
    return new Lost<>(error);
  }

  @Override
  public Optional<WatchEvent<T>> next() throws InterruptedException {
    boolean open = false;
    try {
      Optional<WatchEvent<T>> event = response.read(in -> decoder.next());
      open = event.isPresent();
      return event;
    } catch (TransportException e) {
      if (!response.isCancelled()) {
        LOG.log(Level.DEBUG, "watch ended, connection lost", e);
      }
      return Optional.empty();
    } catch (CodecException e) {
      return Optional.of(new WatchEvent.Failed<>(e));
    } finally {
      if (!open) {
        close();
      }
    }
  }

  @Override
  public void close() {
    response.close();
  }

  private static final class Lost<T> implements Watch<T> {

    private final AtomicReference<@Nullable TransportException> error;

    Lost(TransportException error) {
      this.error = new AtomicReference<>(error);
    }

    @Override
    public Optional<WatchEvent<T>> next() {
      return Optional.ofNullable(error.getAndSet(null)).map(WatchEvent.Failed::new);
    }

    @Override
    public void close() {
      error.set(null);
    }
  }
}
