package dev.clientgo.rest.internal.http;

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
 * A watch that decodes each event when {@link #next} asks for it. It reads nothing ahead, so a slow
 * consumer slows the server down.
 *
 * <p>Corresponds to client-go's {@code watch.StreamWatcher}.
 */
public final class StreamWatch<T> implements Watch<T> {

  private static final Logger LOG = System.getLogger(StreamWatch.class.getName());

  private final HttpResponse response;
  private final Decoder<T> decoder;

  private StreamWatch(HttpResponse response, Decoder<T> decoder) {
    this.response = response;
    this.decoder = decoder;
  }

  /**
   * Returns a watch that reads a response.
   *
   * @throws CodecException if no serializer reads its content type; the response is then closed
   */
  public static <T> Watch<T> of(
      HttpResponse response, NegotiatedSerializer<T> serializers, DecodeContext context) {
    try {
      Serializer<T> serializer = serializers.forContentType(response.header("Content-Type"));
      return new StreamWatch<>(response, serializer.watch(response.body(), context));
    } catch (CodecException e) {
      response.close();
      throw e;
    }
  }

  /** Returns a watch whose only event is the error that no connection was made. */
  public static <T> Watch<T> lost(TransportException error) {
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
        LOG.log(Level.DEBUG, "A watch has ended, the connection is lost", e);
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
