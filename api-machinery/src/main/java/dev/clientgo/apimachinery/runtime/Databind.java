package dev.clientgo.apimachinery.runtime;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** The configuration of databind. Only this class fails to load if databind is missing. */
final class Databind {

  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
          .addModule(apiTypes())
          .build();

  private Databind() {}

  private static SimpleModule apiTypes() {
    SimpleModule module = new SimpleModule("client-go");
    bridge(module, ObjectMeta.class, ObjectMeta.CODEC);
    bridge(module, ListMeta.class, ListMeta.CODEC);
    bridge(module, OwnerReference.class, OwnerReference.CODEC);
    bridge(module, ManagedFieldsEntry.class, ManagedFieldsEntry.CODEC);
    bridge(module, Time.class, Time.CODEC);
    bridge(module, MicroTime.class, MicroTime.CODEC);
    bridge(module, Bytes.class, Bytes.CODEC);
    bridge(module, IntOrString.class, IntOrString.CODEC);
    bridge(module, Quantity.class, Quantity.CODEC);
    bridge(module, RawJson.class, RawJson.CODEC);
    bridge(module, Unstructured.class, Unstructured.CODEC);
    return module;
  }

  private static <T> void bridge(SimpleModule module, Class<T> type, JsonCodec<T> codec) {
    module.addDeserializer(
        type,
        new ValueDeserializer<>() {
          @Override
          public T deserialize(JsonParser parser, DeserializationContext context) {
            String json = parser.readValueAsTree().toString();
            return codec.read(RawJson.of(json).reader());
          }
        });
    module.addSerializer(
        type,
        new ValueSerializer<>() {
          @Override
          public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            generator.writeRawValue(RawJson.of(codec, value).toString());
          }
        });
  }
}
