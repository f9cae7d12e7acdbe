package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * The short text that stands for the content of a template in names and labels, such as {@code
 * 7c5ddbdf54}.
 *
 * <p>Corresponds to {@code controller.ComputeHash}: FNV-1a with 32 bits, in the letters of
 * generated names. Unlike there, the hash is taken of the JSON, not of a dump of Go's structures,
 * so the texts differ from those of a real cluster.
 */
public final class TemplateHash {

  /** The letters and digits of generated names: none that make words. */
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int OFFSET_BASIS = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private TemplateHash() {}

  /**
   * Returns the hash of a value.
   *
   * @param collisions how often the hash was found to be that of another value, null for never
   */
  public static <T> String of(JsonCodec<T> codec, T value, @Nullable Integer collisions) {
    int hash = OFFSET_BASIS;
    for (byte b : JsonWriter.toBytes(codec, value)) {
      hash = add(hash, b);
    }
    if (collisions != null) {
      for (int shift = 0; shift < 64; shift += 8) {
        hash = add(hash, (byte) (collisions.longValue() >>> shift));
      }
    }
    return encode(Integer.toUnsignedString(hash));
  }

  private static int add(int hash, byte b) {
    return (hash ^ (b & 0xff)) * PRIME;
  }

  private static String encode(String digits) {
    StringBuilder text = new StringBuilder();
    digits.chars().forEach(c -> text.append(ALPHABET.charAt(c % ALPHABET.length())));
    return text.toString();
  }
}
