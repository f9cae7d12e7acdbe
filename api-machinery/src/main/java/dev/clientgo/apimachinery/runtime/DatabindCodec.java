package dev.clientgo.apimachinery.runtime;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reads and writes hand-written records and classes by databind: the only place where reflection is
 * at work, and none of the types of this library goes through it.
 *
 * <p>Unknown fields are ignored, null components are not written, and the metadata types of this
 * library are read and written by their own codecs.
 *
 * @param <T> the type
 */
public final class DatabindCodec<T> implements JsonCodec<T> {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
          .addModule(apiTypes())
          .build();

  private final Class<T> type;

  private DatabindCodec(Class<T> type) {
    this.type = requireNonNull(type, "type");
  }

  /**
   * Returns a codec of a type that databind can construct: a record, or a class with properties.
   */
  public static <T> DatabindCodec<T> of(Class<T> type) {
    return new DatabindCodec<>(type);
  }

  @Override
  public T read(JsonReader in) {
    if (in.nextNull()) {
      throw in.mismatch("expected " + type.getName() + ", found null");
    }
    RawJson raw = in.nextRaw();
    try {
      return requireNonNull(MAPPER.readValue(raw.toByteArray(), type), "value");
    } catch (JacksonException e) {
      String problem = "cannot read " + type.getName() + ": " + e.getOriginalMessage();
      throw in.mismatch(e.getPath().isEmpty() ? problem : problem + " at " + pointer(e));
    }
  }

  /** Returns the RFC 6901 pointer, from here on, to what databind could not read. */
  private static String pointer(JacksonException error) {
    StringBuilder pointer = new StringBuilder();
    for (JacksonException.Reference step : error.getPath()) {
      String name = step.getPropertyName();
      pointer.append('/').append(name == null ? Integer.toString(step.getIndex()) : name);
    }
    return pointer.toString();
  }

  @Override
  public void write(JsonWriter out, T value) {
    out.raw(RawJson.of(MAPPER.writeValueAsString(value)));
  }

  private static SimpleModule apiTypes() {
    SimpleModule module = new SimpleModule("client-go");
    bridge(module, ObjectMeta.class, ObjectMeta.CODEC);
    bridge(module, ListMeta.class, ListMeta.CODEC);
    bridge(module, OwnerReference.class, OwnerReference.CODEC);
    bridge(module, ManagedFieldsEntry.class, ManagedFieldsEntry.CODEC);
    bridge(module, Time.class, Time.CODEC);
    bridge(module, MicroTime.class, MicroTime.CODEC);
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
            return codec.read(JsonReader.of(json.getBytes(StandardCharsets.UTF_8)));
          }
        });
    module.addSerializer(
        type,
        new ValueSerializer<>() {
          @Override
          public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            generator.writeRawValue(
                new String(JsonWriter.toBytes(codec, value), StandardCharsets.UTF_8));
          }
        });
  }
}
