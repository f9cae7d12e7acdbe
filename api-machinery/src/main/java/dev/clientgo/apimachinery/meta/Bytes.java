package dev.clientgo.apimachinery.meta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import java.util.Base64;

/**
 * Bytes, which JSON carries in base64: the values of a secret, a CA bundle.
 *
 * <p>Keeps the base64 text as it was read, so reading and writing an object does not change it.
 * Decodes the text on demand. Two values are equal if their texts are. Immutable.
 *
 * <p>Corresponds to the {@code []byte} of client-go's API.
 *
 * @param base64 The bytes in base64
 */
public record Bytes(String base64) {

  /** Reads and writes this type. */
  public static final JsonCodec<Bytes> CODEC =
      new JsonCodec<>() {
        @Override
        public Bytes read(JsonReader in) {
          return new Bytes(in.nextString());
        }

        @Override
        public void write(JsonWriter out, Bytes value) {
          out.string(value.base64());
        }
      };

  public Bytes {
    requireNonNull(base64, "base64");
  }

  /** Returns a value of the given bytes. */
  public static Bytes of(byte[] bytes) {
    return new Bytes(Base64.getEncoder().encodeToString(bytes));
  }

  /** Returns a value of the bytes of a text in UTF-8. */
  public static Bytes ofUtf8(String text) {
    return of(text.getBytes(UTF_8));
  }

  /**
   * Returns a copy of the bytes.
   *
   * @throws IllegalArgumentException if the text is not base64
   */
  public byte[] toByteArray() {
    // Line ends are allowed within, as upstream allows them.
    return Base64.getDecoder().decode(base64.replace("\r", "").replace("\n", ""));
  }

  /** Returns the bytes as text in UTF-8. */
  public String utf8() {
    return new String(toByteArray(), UTF_8);
  }

  /** Returns the name of the class only, since the bytes are often secret. */
  @Override
  public String toString() {
    return "Bytes[" + base64.length() + " characters of base64]";
  }
}
