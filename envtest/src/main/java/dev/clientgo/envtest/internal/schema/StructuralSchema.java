package dev.clientgo.envtest.internal.schema;

import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.cel.ValidationRules;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The schema of one place in a custom resource: it removes unknown fields, sets defaults, and
 * validates. Immutable.
 *
 * <p>Supports types, properties, items, bounds, enumerations, patterns and defaults, and the
 * extensions {@code x-kubernetes-preserve-unknown-fields}, {@code x-kubernetes-int-or-string} and
 * {@code x-kubernetes-embedded-resource}, lists of the types {@code set} and {@code map}, and rules
 * in CEL. A part that has not changed may violate the schema. Ignores combinations such as {@code
 * oneOf}, and formats: it accepts values that violate them.
 */
public final class StructuralSchema implements KnownFields {

  /** Accepts everything. */
  public static final StructuralSchema ANYTHING =
      new StructuralSchema(Map.of("x-kubernetes-preserve-unknown-fields", true));

  private static final List<String> OF_ALL_OBJECTS = List.of("apiVersion", "kind", "metadata");

  /** The errors after which a value may have another form than the rules expect. */
  private static final Set<String> BLOCKING =
      Set.of(
          CauseType.TYPE_INVALID,
          CauseType.FIELD_VALUE_NOT_SUPPORTED,
          CauseType.FIELD_VALUE_REQUIRED,
          CauseType.TOO_LONG,
          CauseType.TOO_MANY);

  private static final String NOT_CHECKED =
      "some validation rules were not checked because the object was invalid; correct the existing"
          + " errors to complete validation";

  private final Map<String, Object> raw;
  private final Map<String, StructuralSchema> properties = new LinkedHashMap<>();
  private final @Nullable StructuralSchema items;
  private final @Nullable StructuralSchema additional;
  private final SchemaBounds bounds;

  /** The rules of the whole object, compiled when the first one is checked. */
  private volatile @Nullable ValidationRules rules;

  private StructuralSchema(Map<String, Object> raw) {
    this.raw = raw;
    JsonTree.object(raw, "properties")
        .forEach((name, schema) -> properties.put(name, of(JsonTree.asObject(schema))));
    this.items = raw.get("items") instanceof Map<?, ?> map ? of(JsonTree.asObject(map)) : null;
    Object more = raw.get("additionalProperties");
    this.additional =
        more instanceof Map<?, ?> map
            ? of(JsonTree.asObject(map))
            : Boolean.TRUE.equals(more) ? ANYTHING : null;
    this.bounds = new SchemaBounds(raw);
  }

  /** Returns the schema of an OpenAPI schema object. */
  public static StructuralSchema of(Map<String, Object> schema) {
    return new StructuralSchema(schema);
  }

  /** Returns the schema as the definition has it. */
  public Map<String, Object> raw() {
    return raw;
  }

  /** Returns a whole object without unknown fields and with defaults. */
  public Map<String, Object> complete(Map<String, Object> object) {
    return complete(object, true);
  }

  /** Returns a whole object without unknown fields. */
  public Map<String, Object> prune(Map<String, Object> object) {
    return complete(object, false);
  }

  private Map<String, Object> complete(Map<String, Object> object, boolean defaults) {
    Map<String, Object> rest = new LinkedHashMap<>(object);
    OF_ALL_OBJECTS.forEach(rest::remove);
    Map<String, Object> done = new LinkedHashMap<>(object);
    done.keySet().retainAll(OF_ALL_OBJECTS);
    JsonTree.asObject(complete((Object) rest, defaults)).forEach(done::putIfAbsent);
    return Collections.unmodifiableMap(done);
  }

  private @Nullable Object complete(@Nullable Object value, boolean defaults) {
    if (value instanceof Map<?, ?>) {
      return completeObject(JsonTree.asObject(value), defaults);
    }
    if (value instanceof List<?> list && items != null) {
      List<@Nullable Object> done = new ArrayList<>();
      list.forEach(element -> done.add(items.complete(element, defaults)));
      return Collections.unmodifiableList(done);
    }
    return value;
  }

  /** Returns the fields in the order of their names, in which kube-apiserver writes them. */
  private Map<String, Object> completeObject(Map<String, Object> object, boolean defaults) {
    Map<String, @Nullable Object> done = new TreeMap<>();
    object.forEach(
        (name, value) -> {
          StructuralSchema schema = schemaOf(name);
          if (schema != null && !(value == null && defaults && schema.replacesNull())) {
            done.put(name, schema.complete(value, defaults));
          } else if (schema == null && keepsUnknown(name)) {
            done.put(name, ANYTHING.complete(value, false));
          }
        });
    properties.forEach(
        (name, schema) -> {
          Object otherwise = defaults ? schema.raw.get("default") : null;
          if (otherwise != null && !done.containsKey(name)) {
            done.put(name, schema.complete(otherwise, true));
          }
        });
    return Collections.unmodifiableMap(done);
  }

  /** Returns the schema of a field; {@link #ANYTHING} if there is none. */
  public StructuralSchema field(String name) {
    StructuralSchema schema = schemaOf(name);
    return schema == null ? ANYTHING : schema;
  }

  /** Returns the schema of the elements of a list; {@link #ANYTHING} if there is none. */
  @Override
  public StructuralSchema items() {
    return items == null ? ANYTHING : items;
  }

  /**
   * Returns an {@code x-kubernetes-} extension of the schema that is a string, or the empty string.
   */
  public String extension(String name) {
    return JsonTree.string(raw, "x-kubernetes-" + name);
  }

  /** Returns the keys that identify the elements of the list. */
  public List<String> listMapKeys() {
    return JsonTree.strings(raw, "x-kubernetes-list-map-keys");
  }

  /** Returns the default, or null. */
  public @Nullable Object defaultValue() {
    return raw.get("default");
  }

  @Override
  public @Nullable StructuralSchema known(String name) {
    StructuralSchema schema = schemaOf(name);
    return schema == null && keepsUnknown(name) ? ANYTHING : schema;
  }

  private @Nullable StructuralSchema schemaOf(String name) {
    StructuralSchema known = properties.get(name);
    return known == null ? additional : known;
  }

  private boolean keepsUnknown(String name) {
    boolean embedded = is("x-kubernetes-embedded-resource") && OF_ALL_OBJECTS.contains(name);
    return embedded || is("x-kubernetes-preserve-unknown-fields");
  }

  private boolean replacesNull() {
    return !is("nullable") && raw.get("default") != null;
  }

  private boolean is(String flag) {
    return Boolean.TRUE.equals(raw.get(flag));
  }

  /** Returns the errors of a whole object; {@code old} is null for a new one. */
  public List<StatusCause> problems(Map<String, Object> object, @Nullable Map<String, Object> old) {
    Map<String, Object> rest = new LinkedHashMap<>(object);
    OF_ALL_OBJECTS.forEach(rest::remove);
    List<StatusCause> problems = new ArrayList<>();
    check("", rest, old, problems);
    ValidationRules compiled = rules();
    if (!compiled.isEmpty()) {
      if (problems.stream().map(StatusCause::reason).anyMatch(BLOCKING::contains)) {
        problems.add(FieldErrors.invalid("<nil>", "null", NOT_CHECKED));
      } else {
        compiled.check(object, old, problems);
      }
    }
    return problems;
  }

  private ValidationRules rules() {
    ValidationRules known = rules;
    if (known == null) {
      known = ValidationRules.of("", raw, new ArrayList<>());
      rules = known;
    }
    return known;
  }

  /** A part that has not changed may violate a schema that has changed. */
  private void checkPart(
      String path, @Nullable Object value, @Nullable Object old, List<StatusCause> problems) {
    if (value == null || !value.equals(old)) {
      check(path, value, old, problems);
    }
  }

  private void check(
      String path, @Nullable Object value, @Nullable Object old, List<StatusCause> problems) {
    if (value == null && is("nullable")) {
      return;
    }
    if (!hasRightType(value)) {
      String found = typeOf(value);
      problems.add(
          FieldErrors.cause(
              CauseType.TYPE_INVALID,
              path,
              "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                  .formatted(found, path, expectedType(), found)));
      return;
    }
    bounds.check(path, value, problems);
    if (value instanceof Map<?, ?>) {
      checkObject(path, JsonTree.asObject(value), JsonTree.asObject(old), problems);
    } else if (value instanceof List<?> list && items != null) {
      Map<List<Object>, Object> known = ValidationRules.byKeys(raw, old);
      for (int i = 0; i < list.size(); i++) {
        Object before = known.get(ValidationRules.keys(raw, list.get(i)));
        items.checkPart(path + "[" + i + "]", list.get(i), before, problems);
      }
      if (!(old instanceof List<?> before) || duplicates("", before).isEmpty()) {
        problems.addAll(duplicates(path, list));
      }
    }
  }

  /** Returns the errors of a set, or of a list whose elements have keys. */
  private List<StatusCause> duplicates(String path, List<?> list) {
    List<StatusCause> problems = new ArrayList<>();
    Map<Object, Integer> seen = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      Map<String, Object> keys = new TreeMap<>(JsonTree.asObject(list.get(i)));
      keys.keySet().retainAll(listMapKeys());
      Object id = listMapKeys().isEmpty() ? list.get(i) : keys;
      boolean unique = Set.of("map", "set").contains(extension("list-type"));
      if (unique && seen.merge(id, 1, Integer::sum) == 2) {
        String shown = "Duplicate value: " + JsonText.text(id);
        problems.add(FieldErrors.cause("FieldValueDuplicate", path + "[" + i + "]", shown));
      }
    }
    return problems;
  }

  /** Adds the errors of the default, if there is one. */
  public void checkDefault(String path, List<StatusCause> problems) {
    if (raw.get("default") != null) {
      check(path + ".default", raw.get("default"), null, problems);
    }
  }

  private void checkObject(
      String path,
      Map<String, Object> object,
      Map<String, Object> old,
      List<StatusCause> problems) {
    object.forEach(
        (name, value) -> {
          StructuralSchema schema = schemaOf(name);
          if (schema != null) {
            schema.checkPart(join(path, name), value, old.get(name), problems);
          }
        });
    Set<String> required = new LinkedHashSet<>(JsonTree.strings(raw, "required"));
    if (is("x-kubernetes-embedded-resource")) {
      required.addAll(List.of("apiVersion", "kind"));
    }
    for (String name : required) {
      if (!object.containsKey(name) && !(path.isEmpty() && OF_ALL_OBJECTS.contains(name))) {
        problems.add(FieldErrors.required(join(path, name), ""));
      }
    }
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private String expectedType() {
    return is("x-kubernetes-int-or-string") ? "integer,string" : JsonTree.string(raw, "type");
  }

  private boolean hasRightType(@Nullable Object value) {
    if (is("x-kubernetes-int-or-string")) {
      return value instanceof Long || value instanceof String;
    }
    String type = JsonTree.string(raw, "type");
    return type.isEmpty()
        || type.equals(typeOf(value))
        || (type.equals("number") && value instanceof Number);
  }

  private static String typeOf(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof String) {
      return "string";
    }
    if (value instanceof Boolean) {
      return "boolean";
    }
    if (value instanceof Number number) {
      return number instanceof Long ? "integer" : "number";
    }
    return value instanceof List ? "array" : "object";
  }
}
