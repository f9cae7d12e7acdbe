package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import org.jspecify.annotations.Nullable;

/** Reads the name of an object that could not be decoded, as far as it can be made out. */
final class ObjectName {

  private static final FieldNames OBJECT = FieldNames.of("metadata");
  private static final FieldNames METADATA = FieldNames.of("name", "namespace");

  private ObjectName() {}

  /** Returns {@code namespace/name} or {@code name} of an object; null if it has none. */
  static @Nullable String in(byte[] json) {
    JsonReader in = JsonReader.of(json);
    String name = null;
    String namespace = null;
    try {
      in.beginObject();
      while (in.nextField(OBJECT) != JsonReader.END) {
        if (in.peek() != JsonReader.Token.OBJECT) {
          continue;
        }
        in.beginObject();
        for (int field; (field = in.nextField(METADATA)) != JsonReader.END; ) {
          if (in.peek() == JsonReader.Token.STRING) {
            String value = in.nextString();
            name = field == 0 ? value : name;
            namespace = field == 1 ? value : namespace;
          }
        }
      }
    } catch (CodecException e) {
      // It is this error's own document that is being looked through; what was found will do.
    }
    if (name == null) {
      return null;
    }
    return namespace == null || namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
