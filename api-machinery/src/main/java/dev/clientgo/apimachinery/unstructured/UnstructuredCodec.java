package dev.clientgo.apimachinery.unstructured;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ListDecoder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes objects of any type.
 *
 * @param apiVersion the apiVersion of objects that have none
 * @param kind the kind of objects that have none
 */
record UnstructuredCodec(String apiVersion, String kind) implements JsonCodec<Unstructured> {

  /** Reads the items of lists of any kind. */
  static final ListDecoder.ItemCodecs<Unstructured> ITEMS = new Items();

  @Override
  public Unstructured read(JsonReader in) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    Head head = in.nextWithRest(Head.CODEC, body::put);
    return new Unstructured(
        head.apiVersion.isEmpty() ? apiVersion : head.apiVersion,
        head.kind.isEmpty() ? kind : head.kind,
        head.metadata,
        Tree.freeze(head.otherMetadata),
        Tree.freeze(body));
  }

  @Override
  public void write(JsonWriter out, Unstructured value) {
    value.write(out);
  }

  /** Items of built-in types do not name their kind, which is that of their list. */
  private static final class Items implements ListDecoder.ItemCodecs<Unstructured> {

    @Override
    public JsonCodec<Unstructured> of(GroupVersionKind kind) {
      return Unstructured.codec(kind);
    }

    @Override
    public boolean lacksKind(Unstructured item) {
      return item.kind().isEmpty() || item.apiVersion().isEmpty();
    }

    @Override
    public Unstructured withKind(Unstructured item, GroupVersionKind kind) {
      return item.withType(
          item.apiVersion().isEmpty() ? kind.apiVersion() : item.apiVersion(),
          item.kind().isEmpty() ? kind.kind() : item.kind());
    }
  }

  /** The fields with types. */
  private static final class Head {

    private static final JsonCodec<Head> CODEC =
        new JsonCodec<>() {
          @Override
          public Head read(JsonReader in) {
            return new Head(in);
          }

          @Override
          public void write(JsonWriter out, Head value) {
            throw new UnsupportedOperationException();
          }
        };

    private static final FieldNames FIELDS = FieldNames.of("apiVersion", "kind", "metadata");

    private String apiVersion = "";
    private String kind = "";
    private @Nullable ObjectMeta metadata;
    private Map<String, @Nullable Object> otherMetadata = Map.of();

    private Head(JsonReader in) {
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> apiVersion = in.nextString();
          case 1 -> kind = in.nextString();
          case 2 -> {
            otherMetadata = Map.of();
            metadata = in.nextWithRest(ObjectMeta.CODEC, this::keep);
          }
          default -> throw new AssertionError(field);
        }
      }
    }

    private void keep(String name, @Nullable Object value) {
      if (otherMetadata.isEmpty()) {
        otherMetadata = new LinkedHashMap<>();
      }
      otherMetadata.put(name, value);
    }
  }
}
