package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * A watch that decodes events as they come from the socket. Nothing is read ahead of {@link #next}:
 * a slow consumer slows the server down.
 *
 * <p>Corresponds to client-go's {@code watch.StreamWatcher}.
 */
final class StreamWatch<T> implements Watch<T> {

  private static final Logger LOG = System.getLogger(StreamWatch.class.getName());

  private final HttpResponse response;
  private final WatchDecoder<T> decoder;

  StreamWatch(HttpResponse response, JsonCodec<T> codec, DecodeContext context) {
    this.response = response;
    this.decoder = WatchDecoder.json(response.body(), codec, context);
  }

  /** Returns a watch that has ended. */
  static <T> Watch<T> ended() {
    return new Ended<>();
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

  private static final class Ended<T> implements Watch<T> {

    @Override
    public Optional<WatchEvent<T>> next() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
