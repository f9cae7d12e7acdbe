package dev.clientgo.apimachinery.json;

/**
 * Reads and writes values of one type as JSON.
 *
 * <p>The codecs of API types are generated; the few types of this library have hand-written codecs.
 * A codec is stateless and safe for use by many threads; the {@link JsonReader} holds the state of
 * a stream. A codec ignores fields that it does not know, treats an explicit null as absent, uses
 * the last of two fields of the same name, and never writes an absent field.
 *
 * @param <T> the type, immutable
 */
public interface JsonCodec<T> {

  /**
   * Reads one value, from its first to its last token.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if the input is not such a value
   */
  T read(JsonReader in);

  /** Writes one value. */
  void write(JsonWriter out, T value);
}
