package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.unstructured.Unstructured;

/**
 * An object that a user has written down, and where.
 *
 * @param value the object; its apiVersion and kind are not empty
 * @param origin where it comes from, such as {@code all.yaml, line 7, column 1 (document 2)}
 */
record Manifest(Unstructured value, String origin) {

  /**
   * Checks the object.
   *
   * @throws IllegalArgumentException if it has no apiVersion, kind or name
   */
  Manifest {
    requireNonNull(value, "value");
    requireNonNull(origin, "origin");
    String missing =
        value.apiVersion().isEmpty()
            ? "apiVersion"
            : value.kind().isEmpty() ? "kind" : name(value).isEmpty() ? "metadata.name" : "";
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(origin + ": the object has no " + missing + ": add one");
    }
  }

  /** Returns the object as an object of a type. */
  <T> T as(JsonCodec<T> codec) {
    try {
      return value.to(codec);
    } catch (CodecException e) {
      throw CodecException.malformed(origin + ": " + e.getMessage(), "", -1, e);
    }
  }

  private static String name(Unstructured object) {
    String name = object.metadata().name();
    return name == null ? "" : name;
  }

  /** Returns kind and name: {@code Deployment web}. */
  @Override
  public String toString() {
    return value.kind() + " " + value.metadata().name();
  }
}
