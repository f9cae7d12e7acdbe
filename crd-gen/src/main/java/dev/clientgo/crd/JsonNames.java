package dev.clientgo.crd;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.runtime.DatabindCodec;
import dev.clientgo.apimachinery.serializer.OpenEnum;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names that codecs write for components and constants: Jackson's, or those of a codec. */
final class JsonNames {

  private static final String RAW = RawJson.class.getName();

  private JsonNames() {}

  /**
   * The fields of a record.
   *
   * @param components the components by the names of their fields
   * @param open whether a component has the unknown fields
   */
  record Fields(Map<String, RecordComponent> components, boolean open) {}

  static Fields fields(Class<?> type, Place place) {
    List<RecordComponent> components = List.of(type.getRecordComponents());
    Object codec = constant(type, "CODEC", place);
    if (!(codec instanceof JsonCodec<?> found) || codec instanceof DatabindCodec) {
      return annotated(type, components, place);
    }
    List<String> names = JsonCodecs.fieldNames(found);
    return names.isEmpty() ? open(components) : coded(components, names, place);
  }

  /** A generated codec has no table if it keeps unknown fields; they are the last component. */
  private static Fields open(List<RecordComponent> components) {
    RecordComponent last = components.get(components.size() - 1);
    boolean open = last.getGenericType().toString().endsWith("<java.lang.String, " + RAW + ">");
    Map<String, RecordComponent> byName = new LinkedHashMap<>();
    for (RecordComponent component : components) {
      if (!open || !component.equals(last)) {
        byName.put(component.getName().replaceFirst("_$", ""), component);
      }
    }
    return new Fields(byName, open);
  }

  /** Generated types have the names in their codec. */
  private static Fields coded(List<RecordComponent> components, List<String> names, Place place) {
    List<String> own = components.stream().map(RecordComponent::getName).toList();
    List<String> fields = new ArrayList<>(names);
    fields.removeIf(
        name -> (name.equals("apiVersion") || name.equals("kind")) && !own.contains(name));
    if (new HashSet<>(fields).equals(new HashSet<>(own))) {
      fields = own;
    }
    int extra = components.size() - fields.size();
    if (extra < 0 || extra > 1) {
      throw place.problem(
          "its codec reads the fields "
              + fields
              + ", but the components are "
              + own
              + "; give each field a component");
    }
    Map<String, RecordComponent> byName = new LinkedHashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      byName.put(fields.get(i), components.get(i));
    }
    return new Fields(byName, extra == 1);
  }

  private static Fields annotated(Class<?> type, List<RecordComponent> components, Place place) {
    requireNames(type, place);
    JsonIgnoreProperties ignored = type.getAnnotation(JsonIgnoreProperties.class);
    Map<String, RecordComponent> byName = new LinkedHashMap<>();
    boolean open = false;
    for (RecordComponent component : components) {
      JsonProperty property = jackson(component, JsonProperty.class);
      String name =
          property == null || property.value().isEmpty() ? component.getName() : property.value();
      Schema marker = component.getAnnotation(Schema.class);
      if (marker == null || marker.type().isEmpty()) {
        refuse(field(component), "JsonSerialize", place.field(name));
        refuse(field(component), "JsonFormat", place.field(name));
      }
      if (jackson(component, JsonUnwrapped.class) != null) {
        throw place.field(name).problem("@JsonUnwrapped has no schema; nest the record");
      } else if (jackson(component, JsonAnySetter.class) != null) {
        open = true;
      } else if (jackson(component, JsonIgnore.class) == null
          && (ignored == null || !List.of(ignored.value()).contains(name))
          && byName.put(name, component) != null) {
        throw place.problem(type.getSimpleName() + " has two components with the name " + name);
      }
    }
    return new Fields(byName, open);
  }

  private static <A extends Annotation> @Nullable A jackson(
      RecordComponent component, Class<A> annotation) {
    return field(component).getAnnotation(annotation);
  }

  /** Java copies the annotations of Jackson to the field of a component. */
  private static Field field(RecordComponent component) {
    try {
      return component.getDeclaringRecord().getDeclaredField(component.getName());
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  /** Refuses a type that databind writes in a form that the names do not say. */
  private static void requireNames(Class<?> type, Place place) {
    refuse(type, "JsonNaming", place);
    refuse(type, "JsonSerialize", place);
    refuse(type, "JsonFormat", place);
    for (Field field : type.getDeclaredFields()) {
      refuse(field, "JsonValue", place);
    }
    for (Method method : type.getDeclaredMethods()) {
      refuse(method, "JsonValue", place);
    }
  }

  /** Databind is not a dependency, so its annotations are known by name. */
  private static void refuse(AnnotatedElement element, String annotation, Place place) {
    for (Annotation each : element.getAnnotations()) {
      if (each.annotationType().getSimpleName().equals(annotation)) {
        throw place.problem(
            "@"
                + annotation
                + " is not read; annotate the component with @Schema(type = ...) for what the codec"
                + " writes");
      }
    }
  }

  /** Returns the values of an enum, or of an open enumeration. */
  static List<String> values(Class<?> type, Place place) {
    if (type.isEnum()) {
      requireNames(type, place);
      try {
        return Arrays.stream(type.getEnumConstants()).map(each -> value((Enum<?>) each)).toList();
      } catch (RuntimeException | Error e) { // Of toString(), which is the user's.
        throw place.problem("cannot read the values of " + type.getName() + ": " + e);
      }
    }
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> field.getType() == type && Modifier.isStatic(field.getModifiers()))
        .map(field -> constant(type, field.getName(), place))
        .filter(OpenEnum.class::isInstance)
        .map(each -> ((OpenEnum) each).value())
        .toList();
  }

  /** Databind writes {@code toString()}, unless an annotation has another text. */
  private static String value(Enum<?> constant) {
    try {
      JsonProperty property =
          constant.getDeclaringClass().getField(constant.name()).getAnnotation(JsonProperty.class);
      return property == null || property.value().isEmpty()
          ? constant.toString()
          : property.value();
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns a public constant of a class; null if it has none of this name. */
  static @Nullable Object constant(Class<?> type, String name, Place place) {
    try {
      Field field = type.getDeclaredField(name);
      boolean isPublic = Modifier.isPublic(field.getModifiers());
      if (!isPublic || !Modifier.isStatic(field.getModifiers())) {
        return null;
      }
      field.trySetAccessible();
      return field.get(null);
    } catch (NoSuchFieldException e) {
      return null;
    } catch (IllegalAccessException | LinkageError e) {
      Throwable cause = e instanceof ExceptionInInitializerError ? e.getCause() : e;
      throw (IllegalArgumentException)
          place.problem("cannot read " + type.getName() + "." + name + ": " + cause).initCause(e);
    }
  }
}
