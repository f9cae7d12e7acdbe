package dev.clientgo.envtest.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads and writes whole JSON texts. */
public final class JsonText {

  private JsonText() {}

  /**
   * Parses a JSON text into maps, lists and values.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if it is invalid
   */
  public static @Nullable Object parse(byte[] text) {
    JsonReader in = JsonReader.of(text);
    Object tree = in.nextTree();
    if (in.peek() != JsonReader.Token.END_OF_STREAM) {
      throw in.mismatch("expected the end, found more JSON");
    }
    return tree;
  }

  /**
   * Parses a JSON object.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if it is invalid
   */
  public static Unstructured parseObject(byte[] text) {
    return JsonReader.fromBytes(Unstructured.CODEC, text);
  }

  /** Returns maps, lists and values as JSON. */
  public static byte[] write(@Nullable Object tree) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonWriter writer = JsonWriter.to(out);
    writer.tree(tree);
    writer.flush();
    return out.toByteArray();
  }

  /** Returns maps, lists and values as JSON. */
  public static String text(@Nullable Object tree) {
    return new String(write(tree), UTF_8);
  }

  /**
   * Returns an object as JSON without its opening brace, so that fields can be written before it.
   */
  public static <T> byte[] writeFields(JsonCodec<T> codec, T value) {
    byte[] text = JsonWriter.toBytes(codec, value);
    return Arrays.copyOfRange(text, 1, text.length);
  }
}
