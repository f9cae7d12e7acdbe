package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.errors.CodecException;
import org.jspecify.annotations.Nullable;

/**
 * The kind and name of an object that could not be decoded, as far as they can be found.
 *
 * @param kind its kind, null if unknown
 * @param name {@code namespace/name} or {@code name}, null if unknown
 */
record FailedObject(@Nullable String kind, @Nullable String name) {

  private static final FieldNames OBJECT = FieldNames.of("kind", "metadata");
  private static final FieldNames METADATA = FieldNames.of("name", "namespace");

  /** Searches an object, or the beginning of one, for its kind and name. */
  static FailedObject in(JsonReader object) {
    Search search = new Search(object);
    try {
      search.readObject();
    } catch (CodecException e) {
      // The document is the one that failed; the search uses what it found before the error.
    }
    return search.found();
  }

  /** Returns this, or the other if this has no name. */
  FailedObject orElse(FailedObject other) {
    return name == null ? other : this;
  }

  CodecException addTo(CodecException error) {
    return kind == null && name == null ? error : error.inObject(kind, name);
  }

  private static final class Search {

    private final JsonReader in;
    private @Nullable String kind;
    private @Nullable String name;
    private @Nullable String namespace;

    Search(JsonReader in) {
      this.in = in;
    }

    FailedObject found() {
      return new FailedObject(
          emptyToNull(kind),
          name == null || emptyToNull(namespace) == null ? name : namespace + "/" + name);
    }

    void readObject() {
      in.beginObject();
      for (int field; (field = in.nextField(OBJECT)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> kind = stringOr(kind);
          case 1 -> readMetadata();
          default -> throw new AssertionError(field);
        }
      }
    }

    private void readMetadata() {
      if (in.peek() != JsonReader.Token.OBJECT) {
        return;
      }
      in.beginObject();
      for (int field; (field = in.nextField(METADATA)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> name = stringOr(name);
          case 1 -> namespace = stringOr(namespace);
          default -> throw new AssertionError(field);
        }
      }
    }

    private @Nullable String stringOr(@Nullable String other) {
      return in.peek() == JsonReader.Token.STRING ? in.nextString() : other;
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
      return text == null || text.isEmpty() ? null : text;
    }
  }
}
