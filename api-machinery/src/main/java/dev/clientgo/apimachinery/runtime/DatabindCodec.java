package dev.clientgo.apimachinery.runtime;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.patch.JsonPointer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A codec of hand-written records and classes that uses databind. Only this codec uses reflection;
 * the types of this library do not need it.
 *
 * <p>It ignores unknown fields, does not write null components, and reads and writes the metadata
 * types of this library, quantities, {@code IntOrString}, bytes and raw JSON with their own codecs.
 *
 * <p>A program that uses this codec must depend on {@code tools.jackson.core:jackson-databind},
 * which is not a dependency of this library.
 *
 * @param <T> the type
 */
public final class DatabindCodec<T> implements JsonCodec<T> {

  private final Class<T> type;
  private final JsonMapper mapper;

  private DatabindCodec(Class<T> type, JsonMapper mapper) {
    this.type = type;
    this.mapper = mapper;
  }

  /**
   * Returns a codec of a type that databind can construct: a record, or a class with properties.
   *
   * @throws ConfigException if databind is not on the class path
   */
  public static <T> DatabindCodec<T> of(Class<T> type) {
    requireNonNull(type, "type");
    try {
      return new DatabindCodec<>(type, Databind.MAPPER);
    } catch (NoClassDefFoundError e) {
      throw new ConfigException(
          type.getName()
              + " needs databind, which is missing: add"
              + " tools.jackson.core:jackson-databind to the class path",
          e);
    }
  }

  @Override
  public T read(JsonReader in) {
    if (in.nextNull()) {
      throw in.mismatch("expected " + type.getName() + ", found null");
    }
    RawJson raw = in.nextRaw();
    try {
      return requireNonNull(mapper.readValue(raw.toByteArray(), type), "value");
    } catch (JacksonException e) {
      String problem = "cannot read " + type.getName() + ": " + e.getOriginalMessage();
      throw in.mismatch(e.getPath().isEmpty() ? problem : problem + " at " + pointer(e));
    }
  }

  /** Returns the RFC 6901 pointer, relative to this value, to the value that caused the error. */
  private static String pointer(JacksonException error) {
    return new JsonPointer(error.getPath().stream().map(DatabindCodec::token).toList()).toString();
  }

  private static String token(JacksonException.Reference step) {
    String name = step.getPropertyName();
    return name == null ? Integer.toString(step.getIndex()) : name;
  }

  @Override
  public void write(JsonWriter out, T value) {
    out.raw(RawJson.of(mapper.writeValueAsString(value)));
  }
}
