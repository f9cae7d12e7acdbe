package dev.clientgo.crd;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.clientgo.apimachinery.serializer.OpenEnum;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the structural schemas of records, by reflection. Not safe for use by many threads. */
final class SchemaReader {

  /** The records that are being read, from the outermost. */
  private final Deque<Class<?>> open = new ArrayDeque<>();

  private final ComponentObserver observer;

  SchemaReader(ComponentObserver observer) {
    this.observer = observer;
  }

  /** Receives each component with its schema, for what a definition says outside the schema. */
  interface ComponentObserver {
    void read(RecordComponent component, Map<String, Object> schema, Place place);
  }

  /** Returns the schema of a record. */
  Map<String, Object> record(Class<?> type, Place place) {
    if (open.contains(type)) {
      throw place.problem(
          type.getSimpleName()
              + " contains itself, and the schema of a custom resource cannot refer to itself; make"
              + " the component an Object, or annotate it with @Schema(type = \"object\","
              + " preserveUnknownFields = true)");
    }
    open.addLast(type);
    JsonNames.Fields fields = JsonNames.fields(type, place);
    Map<String, Object> properties = new TreeMap<>();
    Set<String> required = new TreeSet<>();
    fields
        .components()
        .forEach(
            (name, component) -> {
              Map<String, Object> property = component(component, place.field(name));
              properties.put(name, property);
              if (isRequired(component, property)) {
                required.add(name);
              }
            });
    open.removeLast();
    Map<String, Object> schema = new TreeMap<>(Map.of("type", "object"));
    if (!properties.isEmpty()) {
      schema.put("properties", properties);
    }
    if (!required.isEmpty()) {
      schema.put("required", List.copyOf(required));
    }
    if (fields.open()) {
      schema.put(KnownTypes.PRESERVE, true);
    }
    Markers.apply(type, schema, place);
    return schema;
  }

  private Map<String, Object> component(RecordComponent component, Place place) {
    Map<String, Object> schema = value(component, component.getAnnotatedType(), place);
    observer.read(component, schema, place);
    return schema;
  }

  /** An absent field is null in a record, so a component that must not be null is required. */
  private static boolean isRequired(RecordComponent component, Map<String, Object> schema) {
    Schema marker = component.getAnnotation(Schema.class);
    return !schema.containsKey("default")
        && (marker == null || !marker.optional())
        && !isNullable(component)
        && !isNullable(component.getAnnotatedType());
  }

  /** Any annotation of this name that a class file keeps for run time: JSpecify's, Jakarta's. */
  private static boolean isNullable(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .map(Annotation::annotationType)
        .anyMatch(each -> each.getSimpleName().equals("Nullable"));
  }

  /**
   * @param annotated what has the annotations: a component, or the use of the type
   */
  private Map<String, Object> value(AnnotatedElement annotated, AnnotatedType use, Place place) {
    Schema marker = annotated.getAnnotation(Schema.class);
    Map<String, Object> schema =
        marker == null || marker.type().isEmpty()
            ? type(use, place)
            : new TreeMap<>(Map.of("type", marker.type()));
    Markers.apply(annotated, schema, place);
    return schema;
  }

  private Map<String, Object> element(AnnotatedType use, Place place) {
    return value(use, use, place.elements());
  }

  private Map<String, Object> type(AnnotatedType use, Place place) {
    Type type = use.getType();
    if (use instanceof AnnotatedParameterizedType generic) {
      return generic(generic, (ParameterizedType) type, place);
    } else if (use instanceof AnnotatedWildcardType wildcard) {
      return type(wildcard.getAnnotatedUpperBounds()[0], place);
    } else if (use instanceof AnnotatedArrayType array && type != byte[].class) {
      return list("array", array.getAnnotatedGenericComponentType(), place);
    } else if (type instanceof Class<?> plain) {
      return ofClass(plain, place);
    }
    String what = type instanceof GenericArrayType ? "an array" : "a type variable";
    throw place.problem(type + " is " + what + "; give the component a type without variables");
  }

  private Map<String, Object> generic(
      AnnotatedParameterizedType use, ParameterizedType type, Place place) {
    Class<?> raw = (Class<?>) type.getRawType();
    AnnotatedType[] arguments = use.getAnnotatedActualTypeArguments();
    AnnotatedType last = arguments[arguments.length - 1];
    if (Set.class.isAssignableFrom(raw)) {
      return list("set", last, place);
    } else if (Collection.class.isAssignableFrom(raw)) {
      return list("list", last, place);
    } else if (Map.class.isAssignableFrom(raw)) {
      return map(arguments[0].getType(), last, place);
    }
    if (raw == Optional.class) {
      throw place.problem(
          "databind writes an empty Optional as null, which servers refuse; annotate the type with"
              + " @Nullable instead");
    }
    throw place.problem(
        type + " is generic; only lists, sets, collections and maps may have type arguments");
  }

  private Map<String, Object> list(String kind, AnnotatedType of, Place place) {
    Map<String, Object> items = element(of, place);
    Map<String, Object> schema = new TreeMap<>(Map.of("type", "array", "items", items));
    if (kind.equals("set")) {
      schema.put(Markers.LIST_TYPE, "set");
      // The elements of a set are compared as a whole, so the server wants them atomic.
      if ("object".equals(items.get("type"))) {
        items.put(Markers.MAP_TYPE, "atomic");
      } else if ("array".equals(items.get("type"))) {
        items.put(Markers.LIST_TYPE, "atomic");
      }
    }
    return schema;
  }

  private Map<String, Object> map(Type key, AnnotatedType value, Place place) {
    boolean isText =
        key instanceof Class<?> type
            && (type == String.class || type.isEnum() || OpenEnum.class.isAssignableFrom(type));
    if (!isText) {
      throw place.problem("the keys of a map in JSON are strings, not " + key.getTypeName());
    }
    Map<String, Object> values = element(value, place);
    Map<String, Object> schema = new TreeMap<>(Map.of("type", "object"));
    if (values.equals(Map.of(KnownTypes.PRESERVE, true))) {
      schema.put(KnownTypes.PRESERVE, true);
    } else {
      schema.put("additionalProperties", values);
    }
    return schema;
  }

  private Map<String, Object> ofClass(Class<?> type, Place place) {
    Map<String, Object> known = KnownTypes.schema(type);
    if (known != null) {
      return known;
    }
    Schema marker = type.getAnnotation(Schema.class);
    Map<String, Object> schema = new TreeMap<>(Map.of("type", "string"));
    if (marker != null && !marker.type().isEmpty()) {
      schema.put("type", marker.type());
    } else if (type.isRecord()) {
      return record(type, place);
    } else if (type.isSealed() && type.isInterface()) {
      return union(type, place);
    } else if (type.isEnum() || OpenEnum.class.isAssignableFrom(type)) {
      schema.put("enum", JsonNames.values(type, place));
    } else {
      throw place.problem(
          type.getName()
              + " has no schema: make it a record, an enum or a sealed interface of records; or"
              + " annotate it with @Schema(type = ...), and if that is \"object\", with"
              + " preserveUnknownFields = true");
    }
    Markers.apply(type, schema, place);
    return schema;
  }

  // ------------------------------------------------------------------------------------- Unions

  private Map<String, Object> union(Class<?> type, Place place) {
    JsonTypeInfo info = type.getAnnotation(JsonTypeInfo.class);
    if (info == null
        || !Set.of(JsonTypeInfo.Id.NAME, JsonTypeInfo.Id.SIMPLE_NAME).contains(info.use())) {
      throw place.problem(
          type.getSimpleName()
              + " is a sealed interface, and no codec can tell its types apart by a name: annotate"
              + " it with @JsonTypeInfo(use = SIMPLE_NAME, property = \"type\"), or include ="
              + " WRAPPER_OBJECT");
    }
    Map<String, Class<?>> types = new LinkedHashMap<>();
    addTypes(type, type, info, types, place);
    return switch (info.include()) {
      case PROPERTY, EXISTING_PROPERTY -> flat(type, discriminator(info), types, place);
      case WRAPPER_OBJECT -> wrapped(type, types, place);
      default ->
          throw place.problem(
              info.include() + " has no schema; include = PROPERTY or WRAPPER_OBJECT has one");
    };
  }

  private static String discriminator(JsonTypeInfo info) {
    return info.property().isEmpty() ? info.use().getDefaultPropertyName() : info.property();
  }

  private static void addTypes(
      Class<?> root, Class<?> type, JsonTypeInfo info, Map<String, Class<?>> types, Place place) {
    for (Class<?> each : type.getPermittedSubclasses()) {
      if (each.isSealed()) {
        addTypes(root, each, info, types, place);
      } else if (!each.isRecord()) {
        throw place.problem(each.getName() + " of the union must be a record");
      } else if (types.put(name(root, each, info, place), each) != null) {
        throw place.problem("two types of the union have the name of " + each.getName());
      }
    }
  }

  private static String name(Class<?> root, Class<?> type, JsonTypeInfo info, Place place) {
    JsonSubTypes listed = root.getAnnotation(JsonSubTypes.class);
    if (listed != null) {
      for (JsonSubTypes.Type each : listed.value()) {
        if (each.value() == type && !each.name().isEmpty()) {
          return each.name();
        }
      }
    }
    JsonTypeName name = type.getAnnotation(JsonTypeName.class);
    if (name != null && !name.value().isEmpty()) {
      return name.value();
    } else if (info.use() == JsonTypeInfo.Id.SIMPLE_NAME) {
      return type.getSimpleName();
    }
    throw place.problem(type.getName() + " needs @JsonTypeName, the name in the discriminator");
  }

  /** Each type in a field with its name, of which an object has one. */
  private Map<String, Object> wrapped(Class<?> union, Map<String, Class<?>> types, Place place) {
    Map<String, Object> properties = new TreeMap<>();
    List<Object> choices = new ArrayList<>();
    types.forEach(
        (name, type) -> {
          properties.put(name, record(type, place.field(name)));
          choices.add(Map.of("required", List.of(name)));
        });
    Map<String, Object> schema = new TreeMap<>(Map.of("type", "object", "oneOf", choices));
    schema.put("properties", properties);
    Markers.apply(union, schema, place);
    return schema;
  }

  /** The fields of all types side by side, as a structural schema wants, and one that chooses. */
  private Map<String, Object> flat(
      Class<?> union, String discriminator, Map<String, Class<?>> types, Place place) {
    Map<String, Map<String, Object>> schemas = new LinkedHashMap<>();
    Map<String, Object> properties = new TreeMap<>();
    Map<String, Object> schema = new TreeMap<>(Map.of("type", "object"));
    types.forEach(
        (name, type) -> {
          Map<String, Object> each = record(type, place);
          schemas.put(name, each);
          addProperties(each, discriminator, properties, place);
          addRules(each, discriminator, name, schema, place);
        });
    List<Object> choices = new ArrayList<>();
    schemas.forEach((name, each) -> choices.add(choice(each, discriminator, name, properties)));
    properties.put(discriminator, Map.of("type", "string", "enum", List.copyOf(types.keySet())));
    schema.put("properties", properties);
    schema.put("required", List.of(discriminator));
    schema.put("oneOf", choices);
    Markers.apply(union, schema, place);
    return schema;
  }

  private static void addProperties(
      Map<String, Object> of, String discriminator, Map<String, Object> all, Place place) {
    Markers.child(of, "properties")
        .forEach(
            (name, property) -> {
              if (property instanceof Map<?, ?> map && map.containsKey("default")) {
                throw place
                    .field(name)
                    .problem("a default here would be set in all types of the union; remove it");
              } else if (!name.equals(discriminator)
                  && !all.getOrDefault(name, property).equals(property)) {
                throw place
                    .field(name)
                    .problem("two types of the union have this field with different schemas");
              } else if (!name.equals(discriminator)) {
                all.put(name, property);
              }
            });
  }

  private static void addRules(
      Map<String, Object> of,
      String discriminator,
      String name,
      Map<String, Object> union,
      Place place) {
    if (of.get(Markers.RULES) instanceof List<?> rules) {
      if (!discriminator.matches("[a-zA-Z_]\\w*")) {
        throw place.problem("a rule in CEL cannot read the field " + discriminator);
      }
      for (Object each : rules) {
        Map<String, Object> rule = new TreeMap<>(Markers.child(Map.of("rule", each), "rule"));
        rule.put(
            "rule", "self.%s != '%s' || (%s)".formatted(discriminator, name, rule.get("rule")));
        Markers.addRule(union, rule);
      }
    }
  }

  private static Map<String, Object> choice(
      Map<String, Object> type, String discriminator, String name, Map<String, Object> all) {
    Set<String> own = Markers.child(type, "properties").keySet();
    List<Object> others =
        all.keySet().stream()
            .filter(each -> !own.contains(each))
            .map(each -> (Object) Map.of("required", List.of(each)))
            .toList();
    Map<String, Object> choice = new TreeMap<>();
    choice.put("properties", Map.of(discriminator, Map.of("enum", List.of(name))));
    if (type.get("required") instanceof List<?> required && !required.isEmpty()) {
      choice.put("required", required);
    }
    if (!others.isEmpty()) {
      choice.put("not", Map.of("anyOf", others));
    }
    return choice;
  }
}
