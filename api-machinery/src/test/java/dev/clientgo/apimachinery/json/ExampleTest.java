package dev.clientgo.apimachinery.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  record Port(@Nullable String name, int number) {

    static final JsonCodec<Port> CODEC = new PortCodec();
  }

  static final class PortCodec implements JsonCodec<Port> {

    private static final FieldNames FIELDS = FieldNames.of("name", "number");

    @Override
    public Port read(JsonReader in) {
      String name = null;
      int number = 0;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> name = in.nextString();
          case 1 -> number = in.nextInt();
          default -> throw new AssertionError(field);
        }
      }
      return new Port(name, number);
    }

    @Override
    public void write(JsonWriter out, Port port) {
      out.beginObject();
      out.field("name", port.name());
      out.field("number", port.number());
      out.endObject();
    }
  }

  @Test
  void page_readAndWritten() {
    byte[] json = JsonWriter.toBytes(Port.CODEC, new Port("http", 80));
    Port port = JsonReader.fromBytes(Port.CODEC, json);

    assertThat(port).isEqualTo(new Port("http", 80));
  }
}
