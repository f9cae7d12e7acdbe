package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object with parts, lists and maps, as the generator would make it. */
record Widget(ObjectMeta metadata, @Nullable Spec spec, @Nullable String phase)
    implements KubernetesObject {

  static final JsonCodec<Widget> CODEC = new Codec();

  /** The desired state of the widget. */
  record Spec(
      @Nullable String node,
      @Nullable Integer replicas,
      @Nullable List<Part> parts,
      @Nullable Map<String, String> options,
      @Nullable RawJson any) {

    static final JsonCodec<Spec> CODEC = new SpecCodec();
  }

  /** A part of a widget. */
  record Part(@Nullable String name, @Nullable String image) {

    static final JsonCodec<Part> CODEC = new PartCodec();
  }

  @Override
  public String apiVersion() {
    return "example.com/v1";
  }

  @Override
  public String kind() {
    return "Widget";
  }

  @Override
  public Widget withMetadata(ObjectMeta metadata) {
    return new Widget(metadata, spec, phase);
  }

  private static final class Codec implements JsonCodec<Widget> {

    /** The phase is in a separate message in protobuf, which the JSON inlines. */
    private static final FieldNames FIELDS =
        FieldNames.of("apiVersion", "kind", "metadata", "spec", "phase").protobuf("- - 1 2 3.1");

    @Override
    public Widget read(JsonReader in) {
      ObjectMeta metadata = ObjectMeta.EMPTY;
      Spec spec = null;
      String phase = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0, 1 -> in.nextString();
          case 2 -> metadata = ObjectMeta.CODEC.read(in);
          case 3 -> spec = in.nextValue(Spec.CODEC);
          case 4 -> phase = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return new Widget(metadata, spec, phase);
    }

    @Override
    public void write(JsonWriter out, Widget value) {
      out.beginObject();
      out.field("apiVersion", value.apiVersion());
      out.field("kind", value.kind());
      out.field("metadata", ObjectMeta.CODEC, value.metadata());
      out.field("spec", Spec.CODEC, value.spec());
      out.field("phase", value.phase());
      out.endObject();
    }
  }

  private static final class SpecCodec implements JsonCodec<Spec> {

    private static final FieldNames FIELDS =
        FieldNames.of("node", "replicas", "parts", "options", "any").protobuf("1 2 3 4 5r");

    @Override
    public Spec read(JsonReader in) {
      String node = null;
      Integer replicas = null;
      List<Part> parts = null;
      Map<String, String> options = null;
      RawJson any = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> node = in.nextString();
          case 1 -> replicas = in.nextInt();
          case 2 -> parts = in.nextList(Part.CODEC);
          case 3 -> options = in.nextStringMap();
          case 4 -> any = in.nextRaw();
          default -> throw new AssertionError(field);
        }
      }
      return new Spec(node, replicas, parts, options, any);
    }

    @Override
    public void write(JsonWriter out, Spec value) {
      out.beginObject();
      out.field("node", value.node());
      out.field("replicas", value.replicas());
      out.listField("parts", Part.CODEC, value.parts());
      out.stringMapField("options", value.options());
      out.field("any", value.any());
      out.endObject();
    }
  }

  private static final class PartCodec implements JsonCodec<Part> {

    private static final FieldNames FIELDS = FieldNames.of("name", "image").protobuf("1 2");

    @Override
    public Part read(JsonReader in) {
      String name = null;
      String image = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> name = in.nextString();
          case 1 -> image = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return new Part(name, image);
    }

    @Override
    public void write(JsonWriter out, Part value) {
      out.beginObject();
      out.field("name", value.name());
      out.field("image", value.image());
      out.endObject();
    }
  }
}
