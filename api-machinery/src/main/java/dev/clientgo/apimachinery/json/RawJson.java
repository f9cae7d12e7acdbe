package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value as the bytes of its JSON text, for fields whose structure is open or not worth decoding,
 * such as {@code fieldsV1} of managed fields. Immutable; equal if the text is equal.
 *
 * <p>Corresponds to client-go's {@code runtime.RawExtension} and {@code metav1.FieldsV1}.
 */
public final class RawJson {

  /** Reads and writes values of any type as their text. */
  public static final JsonCodec<RawJson> CODEC = new Codec();

  private final byte[] utf8;

  /** The hash code, 0 until it is computed. A race is benign: all threads compute the same. */
  private int hash;

  private RawJson(byte[] utf8) {
    this.utf8 = utf8;
  }

  /** Returns a value of the given JSON text, which is not checked. */
  public static RawJson of(String json) {
    return new RawJson(json.getBytes(UTF_8));
  }

  /** Returns the JSON text of a value. */
  public static <T> RawJson of(JsonCodec<T> codec, T value) {
    return new RawJson(JsonWriter.toBytes(codec, value));
  }

  /** Returns a value of the given JSON text, which is not checked and must not be changed. */
  static RawJson wrap(byte[] utf8) {
    return new RawJson(utf8);
  }

  /** Returns the number of bytes of the text. */
  public int length() {
    return utf8.length;
  }

  /** Returns a copy of the bytes of the text. */
  public byte[] toByteArray() {
    return utf8.clone();
  }

  /** Returns the bytes of the text, which must not be changed. */
  byte[] utf8() {
    return utf8;
  }

  /** Returns a reader of the value. */
  public JsonReader reader() {
    return JsonReader.of(utf8);
  }

  /** Returns a reader of the value that shares values with other readers. */
  public JsonReader reader(DecodeContext context) {
    return JsonReader.of(utf8, context);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RawJson raw && Arrays.equals(utf8, raw.utf8);
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = Arrays.hashCode(utf8);
    }
    return hash;
  }

  /** Returns the JSON text. */
  @Override
  public String toString() {
    return new String(utf8, UTF_8);
  }

  private static final class Codec implements JsonCodec<RawJson> {

    @Override
    public RawJson read(JsonReader in) {
      return in.nextRaw();
    }

    @Override
    public void write(JsonWriter out, RawJson value) {
      out.raw(value);
    }
  }
}
