package dev.clientgo.apimachinery.json;

/**
 * How values of one type are read from and written to JSON.
 *
 * <p>Codecs are generated for API types and hand-written for the few types of this library. They
 * are stateless and safe for use by many threads; what one stream remembers is in its {@link
 * JsonReader}. A codec ignores fields that it does not know, treats an explicit null as absent,
 * lets the last of two equal fields win, and never writes an absent field.
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
