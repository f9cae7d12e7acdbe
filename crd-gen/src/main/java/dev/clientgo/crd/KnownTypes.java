package dev.clientgo.crd;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.Condition;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The schemas of types that are not read component by component. */
final class KnownTypes {

  static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

  /** The pattern that controller-gen writes. */
  private static final String QUANTITY =
      "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]"
          + "|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

  /** The {@code anyOf} of integers or strings that says no more than that. */
  static final List<Object> INT_OR_STRING_TYPES =
      List.of(Map.of("type", "integer"), Map.of("type", "string"));

  private static final Map<String, Object> INT_OR_STRING =
      Map.of("anyOf", INT_OR_STRING_TYPES, "x-kubernetes-int-or-string", true);

  private static final Map<String, Object> OPEN = Map.of("type", "object", PRESERVE, true);

  private static final Map<Class<?>, Map<String, Object>> SCHEMAS = new HashMap<>();

  static {
    Map<String, Object> string = Map.of("type", "string");
    Map<String, Object> dateTime = formatted("string", "date-time");
    add(Map.of("type", "boolean"), boolean.class, Boolean.class);
    add(formatted("integer", "int32"), int.class, Integer.class, short.class, Short.class);
    add(formatted("integer", "int64"), long.class, Long.class);
    add(Map.of("type", "integer"), BigInteger.class);
    add(formatted("number", "float"), float.class, Float.class);
    add(formatted("number", "double"), double.class, Double.class);
    add(Map.of("type", "number"), BigDecimal.class, Number.class);
    // Java's form of a duration is PT5M; the format "duration" is Go's, 5m.
    add(string, String.class, Duration.class);
    add(formatted("string", "uri"), URI.class);
    add(formatted("string", "uuid"), UUID.class);
    add(formatted("string", "date"), LocalDate.class);
    add(dateTime, Instant.class, OffsetDateTime.class, ZonedDateTime.class);
    add(dateTime, Time.class, MicroTime.class);
    add(formatted("string", "byte"), Bytes.class, byte[].class);
    add(INT_OR_STRING, IntOrString.class);
    add(with(INT_OR_STRING, "pattern", QUANTITY), Quantity.class);
    add(Map.of(PRESERVE, true), Object.class, RawJson.class);
    add(OPEN, ObjectMeta.class);
    add(with(OPEN, "x-kubernetes-embedded-resource", true), Unstructured.class);
    add(condition(), Condition.class);
  }

  private KnownTypes() {}

  /** Returns the schema of a class, to be changed; null if it is not one of these. */
  static @Nullable Map<String, Object> schema(Class<?> type) {
    Map<String, Object> found = SCHEMAS.get(type);
    if (found == null) {
      // Databind is not a dependency, so its trees are known by name.
      switch (type.getName()) {
        case "tools.jackson.databind.JsonNode" -> found = Map.of(PRESERVE, true);
        case "tools.jackson.databind.node.ObjectNode" -> found = OPEN;
        default -> {
          return null;
        }
      }
    }
    return new TreeMap<>(found);
  }

  private static void add(Map<String, Object> schema, Class<?>... types) {
    List.of(types).forEach(type -> SCHEMAS.put(type, schema));
  }

  private static Map<String, Object> formatted(String type, String format) {
    return Map.of("type", type, "format", format);
  }

  private static Map<String, Object> with(Map<String, Object> schema, String key, Object value) {
    Map<String, Object> changed = new TreeMap<>(schema);
    changed.put(key, value);
    return changed;
  }

  /** What Go's metav1.Condition says by its markers, and the record cannot. */
  private static Map<String, Object> condition() {
    Map<String, Object> string = Map.of("type", "string");
    Map<String, Object> generation = with(formatted("integer", "int64"), "minimum", 0L);
    Map<String, Object> reason = with(with(string, "maxLength", 1024L), "minLength", 1L);
    Map<String, Object> properties =
        Map.of(
            "lastTransitionTime",
            formatted("string", "date-time"),
            "message",
            with(string, "maxLength", 32768L),
            "observedGeneration",
            generation,
            "reason",
            with(reason, "pattern", "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"),
            "status",
            with(string, "enum", List.of("True", "False", "Unknown")),
            "type",
            with(string, "maxLength", 316L));
    return Map.of(
        "type",
        "object",
        "required",
        List.of("lastTransitionTime", "message", "reason", "status", "type"),
        "properties",
        properties);
  }
}
