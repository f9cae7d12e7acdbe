package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.JsonReader;

/**
 * The {@code apiVersion} and {@code kind} of an object of a known type, which must be those of the
 * type. The items of a list often have none, so both may be absent or empty.
 *
 * <p>Corresponds to client-go's {@code metav1.TypeMeta}; here, a typed object has no such field.
 */
public final class TypeMeta {

  private TypeMeta() {}

  /**
   * Reads an {@code apiVersion}.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if it differs
   */
  public static void expectApiVersion(JsonReader in, String expected) {
    expect(in, "apiVersion", expected);
  }

  /**
   * Reads a {@code kind}.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if it differs
   */
  public static void expectKind(JsonReader in, String expected) {
    expect(in, "kind", expected);
  }

  private static void expect(JsonReader in, String field, String expected) {
    String found = in.nextString();
    if (!found.equals(expected) && !found.isEmpty()) {
      throw in.mismatch(field + " is \"" + found + "\" and not \"" + expected + "\"");
    }
  }
}
