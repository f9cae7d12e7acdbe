package dev.clientgo.crd;

import dev.clientgo.crd.CrdFinding.Severity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the schemas of one version. Not safe for use by many threads. */
final class SchemaDiff {

  private static final String FIX_OBJECTS =
      "change the stored objects first; servers since 1.30 let an object keep a value that does not"
          + " change, but no new one may have it";
  static final String KEEP =
      "the server removes them from stored objects; add all fields that they have";

  private static final String ADDITIONAL = "additionalProperties";
  private static final List<String> UPPER = List.of("maximum", "maxLength", "maxItems");
  private static final List<String> LOWER = List.of("minimum", "minLength", "minItems");

  /** Receives what was found at a path. */
  interface Sink {
    void add(Severity severity, String path, String change, String advice);
  }

  private final Severity narrowed;
  private final Sink sink;

  /**
   * @param narrowed what a schema that allows less breaks: nothing is stored in some versions
   */
  SchemaDiff(Severity narrowed, Sink sink) {
    this.narrowed = narrowed;
    this.sink = sink;
  }

  /** Compares two schemas at a path. */
  void compare(Map<String, Object> old, Map<String, Object> now, String path) {
    if (type(path, old, now)) {
      return; // Nothing below can be compared.
    }
    format(path, old, now);
    enumeration(path, old, now);
    UPPER.forEach(bound -> bound(path, bound, old, now, 1));
    bound(path, "maxProperties", old, now, 1);
    LOWER.forEach(bound -> bound(path, bound, old, now, -1));
    bound(path, "minProperties", old, now, -1);
    for (String keyword : List.of("pattern", "multipleOf", "allOf", "anyOf", "oneOf", "not")) {
      constraint(path, keyword, old, now);
    }
    for (String flag :
        List.of(
            "exclusiveMinimum",
            "exclusiveMaximum",
            "uniqueItems",
            "x-kubernetes-embedded-resource")) {
      if (isTrue(now, flag) && !isTrue(old, flag)) {
        sink.add(narrowed, path, flag + " is new", FIX_OBJECTS);
      }
    }
    String embedded = "x-kubernetes-embedded-resource";
    if (isTrue(old, embedded) && !isTrue(now, embedded) && !keepsUnknown(now)) {
      sink.add(narrowed, path, "apiVersion, kind and metadata are not kept any more", KEEP);
    }
    if (isTrue(old, "nullable") && !isTrue(now, "nullable")) {
      sink.add(narrowed, path, "null is not allowed any more", FIX_OBJECTS);
    }
    merging(path, old, now);
    defaultValue(path, old, now);
    rules(path, old, now);
    preserved(path, old, now);
    required(path, old, now);
    properties(path, old, now);
    element(path, "items", "[]", old, now);
    element(path, ADDITIONAL, "[]", old, now);
  }

  /** Returns whether the types differ so much that the rest cannot be compared. */
  private boolean type(String path, Map<String, Object> old, Map<String, Object> now) {
    String before = typeOf(old);
    String after = typeOf(now);
    if (before.equals(after)) {
      return false;
    }
    boolean wider =
        after.equals("any")
            || (before.equals("integer") && after.equals("number"))
            || (after.equals("integer or string")
                && (before.equals("integer") || before.equals("string")));
    String change = "the type changed from " + before + " to " + after;
    if (wider) {
      sink.add(
          Severity.CLIENTS,
          path,
          change,
          "clients of the old type cannot read it; add a new field");
    } else {
      sink.add(
          narrowed, path, change, "add a new field, or a new version with a conversion webhook");
    }
    return !wider;
  }

  private static String typeOf(Map<String, Object> schema) {
    if (isTrue(schema, "x-kubernetes-int-or-string")) {
      return "integer or string";
    }
    return String.valueOf(schema.getOrDefault("type", "any"));
  }

  private void format(String path, Map<String, Object> old, Map<String, Object> now) {
    Object before = old.get("format");
    Object after = now.get("format");
    boolean wider = "int32".equals(before) && (after == null || after.equals("int64"));
    if (wider) {
      sink.add(
          Severity.WARNING,
          path,
          "larger numbers than int32 are allowed",
          "clients that read 32 bits fail on them");
    } else if (after != null && !after.equals(before)) {
      sink.add(
          narrowed,
          path,
          before == null
              ? "the format " + after + " is new"
              : "the format changed from " + before + " to " + after,
          FIX_OBJECTS);
    }
  }

  private void enumeration(String path, Map<String, Object> old, Map<String, Object> now) {
    List<?> before = list(old.get("enum"));
    List<?> after = list(now.get("enum"));
    Set<Object> removed = new LinkedHashSet<>(before);
    removed.removeAll(after);
    Set<Object> added = new LinkedHashSet<>(after);
    added.removeAll(before);
    if (before.isEmpty() && !after.isEmpty()) {
      sink.add(narrowed, path, "only the values " + after + " are allowed now", FIX_OBJECTS);
    } else if (after.isEmpty() && !before.isEmpty()) {
      sink.add(
          Severity.WARNING,
          path,
          "any value is allowed, not only " + before,
          "clients with a closed enumeration may fail");
    } else if (!removed.isEmpty()) {
      sink.add(narrowed, path, "the values " + removed + " are not allowed any more", FIX_OBJECTS);
    } else if (!added.isEmpty()) {
      sink.add(
          Severity.WARNING,
          path,
          "the values " + added + " are new",
          "clients with a closed enumeration may fail");
    }
  }

  /**
   * @param direction 1 for an upper bound, -1 for a lower one
   */
  private void bound(
      String path, String bound, Map<String, Object> old, Map<String, Object> now, int direction) {
    BigDecimal before = number(old.get(bound));
    BigDecimal after = number(now.get(bound));
    if (after != null && (before == null || direction * after.compareTo(before) < 0)) {
      String change =
          before == null
              ? bound + " " + now.get(bound) + " is new"
              : bound + " changed from " + old.get(bound) + " to " + now.get(bound);
      sink.add(narrowed, path, change, FIX_OBJECTS);
    }
  }

  /** A constraint that this class cannot weigh is taken for a narrower one. */
  private void constraint(
      String path, String keyword, Map<String, Object> old, Map<String, Object> now) {
    Object before = old.get(keyword);
    Object after = now.get(keyword);
    if (after != null && !after.equals(KnownTypes.INT_OR_STRING_TYPES) && !after.equals(before)) {
      sink.add(
          narrowed, path, keyword + (before == null ? " is new" : " has changed"), FIX_OBJECTS);
    }
  }

  private void merging(String path, Map<String, Object> old, Map<String, Object> now) {
    String before = String.valueOf(old.getOrDefault(Markers.LIST_TYPE, "atomic"));
    String after = String.valueOf(now.getOrDefault(Markers.LIST_TYPE, "atomic"));
    if (!before.equals(after) && after.equals("atomic")) {
      sink.add(
          Severity.CLIENTS,
          path,
          "the list type changed from " + before + " to atomic",
          "each apply now owns the whole list; clients that apply a part of it remove the rest");
    } else if (!before.equals(after)) {
      sink.add(
          narrowed,
          path,
          "the list type changed from " + before + " to " + after,
          "lists with equal elements are refused; change the stored objects first");
    } else if (!Objects.equals(
        old.get("x-kubernetes-list-map-keys"), now.get("x-kubernetes-list-map-keys"))) {
      sink.add(
          narrowed,
          path,
          "the keys of the list changed from "
              + old.get("x-kubernetes-list-map-keys")
              + " to "
              + now.get("x-kubernetes-list-map-keys"),
          "field managers of stored objects name elements by the old keys; add a new field");
    }
    Object granular = "granular";
    if (!old.getOrDefault(Markers.MAP_TYPE, granular)
        .equals(now.getOrDefault(Markers.MAP_TYPE, granular))) {
      sink.add(
          Severity.CLIENTS,
          path,
          "the map type changed to " + now.getOrDefault(Markers.MAP_TYPE, granular),
          "an apply of a part of it does something else now");
    }
  }

  private void defaultValue(String path, Map<String, Object> old, Map<String, Object> now) {
    Object before = old.get("default");
    Object after = now.get("default");
    if (!Objects.equals(before, after)) {
      sink.add(
          Severity.WARNING,
          path,
          before == null
              ? "the default " + after + " is new"
              : "the default changed from " + before + " to " + after,
          "the server sets it in stored objects that lack the field, when it reads them");
    }
  }

  private void rules(String path, Map<String, Object> old, Map<String, Object> now) {
    Map<Object, Boolean> before = rules(old);
    rules(now)
        .forEach(
            (rule, ofNewValues) -> {
              if (!before.containsKey(rule)) {
                sink.add(narrowed, path, "the rule " + rule + " is new", FIX_OBJECTS);
              } else if (ofNewValues && !before.get(rule)) {
                sink.add(
                    narrowed,
                    path,
                    "the rule " + rule + " is evaluated for new values, too",
                    FIX_OBJECTS);
              }
            });
  }

  /** Returns the rules, and whether those with {@code oldSelf} are evaluated for a new value. */
  private static Map<Object, Boolean> rules(Map<String, Object> schema) {
    Map<Object, Boolean> rules = new LinkedHashMap<>();
    for (Object each : list(schema.get(Markers.RULES))) {
      Map<String, Object> rule = Markers.child(Map.of("rule", each), "rule");
      rules.put(rule.getOrDefault("rule", ""), isTrue(rule, "optionalOldSelf"));
    }
    return rules;
  }

  private void preserved(String path, Map<String, Object> old, Map<String, Object> now) {
    if (keepsUnknown(old) && !keepsUnknown(now)) {
      sink.add(narrowed, path, "unknown fields are not kept any more", KEEP);
    }
  }

  private static boolean keepsUnknown(Map<String, Object> schema) {
    return isTrue(schema, KnownTypes.PRESERVE) || isTrue(schema, ADDITIONAL);
  }

  private void required(String path, Map<String, Object> old, Map<String, Object> now) {
    Set<Object> before = new TreeSet<>(list(old.get("required")));
    Set<Object> after = new TreeSet<>(list(now.get("required")));
    for (Object name : after) {
      Map<String, Object> property = Markers.child(Markers.child(now, "properties"), (String) name);
      Map<String, Object> earlier = Markers.child(Markers.child(old, "properties"), (String) name);
      boolean isNew = !before.contains(name) || earlier.containsKey("default");
      if (isNew && !property.containsKey("default")) {
        sink.add(
            narrowed,
            path + "." + name,
            before.contains(name)
                ? "it is required and has no default any more"
                : "it is required now and has no default",
            "give it a default, or leave it optional");
      }
    }
    before.removeAll(after);
    for (Object name : before) {
      if (Markers.child(now, "properties").containsKey(name)) {
        sink.add(
            Severity.WARNING,
            path + "." + name,
            "it is not required any more",
            "clients that count on it may fail");
      }
    }
  }

  private void properties(String path, Map<String, Object> old, Map<String, Object> now) {
    Map<String, Object> before = Markers.child(old, "properties");
    Map<String, Object> after = Markers.child(now, "properties");
    for (String name : new TreeMap<>(before).keySet()) {
      if (after.containsKey(name)) {
        compare(Markers.child(before, name), Markers.child(after, name), path + "." + name);
      } else if (now.get(ADDITIONAL) instanceof Map) {
        compare(Markers.child(before, name), Markers.child(now, ADDITIONAL), path + "." + name);
      } else if (keepsUnknown(now)) {
        sink.add(
            Severity.WARNING,
            path + "." + name,
            "the field is gone from the schema",
            "the server keeps its value, but checks it no longer");
      } else {
        sink.add(
            narrowed,
            path + "." + name,
            "the field is gone",
            "the server removes it from stored objects when they are written; deprecate it in its"
                + " description, and keep it");
      }
    }
    Set<String> added = new TreeSet<>(after.keySet());
    added.removeAll(before.keySet());
    for (String name : added) {
      if (old.get(ADDITIONAL) instanceof Map) {
        compare(Markers.child(old, ADDITIONAL), Markers.child(after, name), path + "." + name);
      } else if (keepsUnknown(old)) {
        sink.add(
            narrowed,
            path + "." + name,
            "a field that objects may have already is checked now",
            FIX_OBJECTS);
      }
    }
  }

  private void element(
      String path,
      String keyword,
      String suffix,
      Map<String, Object> old,
      Map<String, Object> now) {
    boolean before = old.get(keyword) instanceof Map;
    boolean after = now.get(keyword) instanceof Map;
    if (before && after) {
      compare(Markers.child(old, keyword), Markers.child(now, keyword), path + suffix);
    } else if (before && !keepsUnknown(now)) {
      sink.add(
          narrowed,
          path,
          keyword + " is gone",
          "the server removes these values from stored objects; keep it");
    } else if (after && keepsUnknown(old)) {
      sink.add(narrowed, path, "the values are checked now", FIX_OBJECTS);
    }
  }

  private static boolean isTrue(Map<String, Object> schema, String keyword) {
    return Boolean.TRUE.equals(schema.get(keyword));
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? new ArrayList<>(list) : List.of();
  }

  private static @Nullable BigDecimal number(@Nullable Object value) {
    return value instanceof Number ? new BigDecimal(value.toString()) : null;
  }
}
