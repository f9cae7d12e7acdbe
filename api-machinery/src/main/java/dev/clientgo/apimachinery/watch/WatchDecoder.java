package dev.clientgo.apimachinery.watch;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** SKELETON: decodes a stream of watch frames. */
public final class WatchDecoder<T> {
  private WatchDecoder() {}

  /** Returns a decoder of the frames in a stream. */
  public static <T> WatchDecoder<T> json(
      InputStream in, JsonCodec<T> codec, DecodeContext context) {
    throw new IllegalStateException();
  }

  /**
   * Reads the next event; empty at the end of the stream; IOException when the connection breaks.
   */
  public Optional<WatchEvent<T>> next() throws IOException {
    throw new IllegalStateException();
  }
}
