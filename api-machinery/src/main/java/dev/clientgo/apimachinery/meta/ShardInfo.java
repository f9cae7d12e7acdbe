package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;

/**
 * The shard of the objects that a list holds. Immutable.
 *
 * <p>Corresponds to client-go's {@code metav1.ShardInfo}.
 *
 * @param selector the shard selector of the request, as the server has applied it
 */
public record ShardInfo(String selector) {

  /** Reads and writes this type. */
  public static final JsonCodec<ShardInfo> CODEC =
      new JsonCodec<>() {
        private static final FieldNames FIELDS = FieldNames.of("selector").protobuf("1");

        @Override
        public ShardInfo read(JsonReader in) {
          String selector = "";
          in.beginObject();
          while (in.nextField(FIELDS) != JsonReader.END) {
            selector = in.nextString();
          }
          return new ShardInfo(selector);
        }

        @Override
        public void write(JsonWriter out, ShardInfo value) {
          out.beginObject();
          out.field("selector", value.selector());
          out.endObject();
        }
      };

  public ShardInfo {
    requireNonNull(selector, "selector");
  }
}
