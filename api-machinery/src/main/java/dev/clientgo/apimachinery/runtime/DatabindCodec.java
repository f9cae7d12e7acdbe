package dev.clientgo.apimachinery.runtime;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes hand-written records and classes by databind: the only place where reflection is
 * at work, and none of the types of this library goes through it.
 *
 * <p>Unknown fields are ignored, null components are not written, and the metadata types of this
 * library are read and written by their own codecs.
 *
 * <p>Whoever uses it depends on {@code tools.jackson.core:jackson-databind}, which this library
 * does not bring along.
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
              + " is to be read by databind, which is missing: add"
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
    out.raw(RawJson.of(mapper.writeValueAsString(value)));
  }
}
