package dev.clientgo.apimachinery.serializer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of an object in protobuf. It names the kind, which the object itself does not.
 *
 * <p>Corresponds to apimachinery's {@code runtime.Unknown}.
 *
 * @param apiVersion the apiVersion of the object; may be empty
 * @param kind the kind of the object; may be empty
 * @param length the length of the object in bytes
 */
record ProtobufEnvelope(String apiVersion, String kind, long length) {

  private static final int TYPE = 1;
  private static final int RAW = 2;
  private static final int API_VERSION = 1;
  private static final int KIND = 2;

  /** The largest size of the apiVersion and kind in bytes. */
  private static final int MAX_TYPE = 4 << 10;

  /** Reads an envelope up to the first byte of its object. */
  static ProtobufEnvelope open(ProtobufInput in) throws IOException {
    in.readMagic();
    String apiVersion = "";
    String kind = "";
    for (long length; (length = in.nextField()) >= 0; ) {
      if (in.number() == RAW) {
        return new ProtobufEnvelope(apiVersion, kind, length);
      }
      if (in.number() == TYPE && length <= MAX_TYPE) {
        int from = in.take((int) length);
        apiVersion = string(in.bytes(), from, (int) length, API_VERSION);
        kind = string(in.bytes(), from, (int) length, KIND);
      } else {
        in.skip(length);
      }
    }
    throw ProtobufInput.malformed("the envelope is empty");
  }

  /**
   * Checks the kind of the object. An absent or empty kind is accepted, as in JSON.
   *
   * @param expected the kind; null for any
   * @param suffix the text that follows the kind
   * @throws CodecException if the object has another kind
   */
  void expect(@Nullable GroupVersionKind expected, String suffix) {
    if (expected != null) {
      expect("kind", kind, expected.kind() + suffix);
      expect("apiVersion", apiVersion, expected.apiVersion());
    }
  }

  private static void expect(String field, String found, String expected) {
    if (!found.equals(expected) && !found.isEmpty()) {
      throw CodecException.mismatch(
          field + " is \"" + found + "\" and not \"" + expected + '"', "", -1, null);
    }
  }

  private static String string(byte[] bytes, int from, int length, int field) throws IOException {
    ProtobufInput type = new ProtobufInput(bytes, from, from + length);
    for (long size; (size = type.nextField()) >= 0; ) {
      int at = type.take((int) size);
      if (type.number() == field) {
        return new String(bytes, at, (int) size, UTF_8);
      }
    }
    return "";
  }
}
