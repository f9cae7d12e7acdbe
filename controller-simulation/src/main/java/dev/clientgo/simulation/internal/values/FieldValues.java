package dev.clientgo.simulation.internal.values;

import static dev.clientgo.simulation.internal.values.SchemaField.ELEMENT;
import static dev.clientgo.simulation.internal.values.SchemaField.ENTRY;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values to try in one field: members, boundaries, what is near the value of an object, and
 * what such a field usually has. The server decides which of them are valid.
 */
public final class FieldValues {

  /** Usual texts by the end of the format, or else of the name, of a field; _ is a space. */
  private static final String USUAL =
      """
      date-time 2026-02-03T04:05:06Z
      date 2026-02-03
      byte YQ==
      uuid 00000000-0000-4000-8000-000000000001
      ipv6 2001:db8::1
      ip|ipv4|addresse? 192.0.2.1
      cidr|range 192.0.2.0/24
      email a@example.com
      ur[il]|endpoint https://b.example.com/x
      host|hostname|domain|dnsname b.example.com
      quantity|cpu|memory|storage|limit|request|capacity 100m 1Gi
      duration|timeout|interval|period|delay|before 1h 90s
      image registry.example.com/team/b:1.2.3
      schedule|cron */5_*_*_*_*
      version 1.2.3
      """;

  /** What patterns often ask for. */
  private static final String OF_PATTERNS =
      "b b1 1 100m 1h B b.example.com https://b.example.com 192.0.2.1 192.0.2.0/24 b/b b=b 1.2.3 v1"
          + " *.example.com 50% 2026-02-03T04:05:06Z b@example.com "
          + "a".repeat(64);

  private static final int LONGEST = 1024;
  private static final Pattern LAST_NUMBER = Pattern.compile("\\d{1,9}(?=\\D*$)");

  /** A field with such a name makes the controller do something that often, at most 100 times. */
  private static final Pattern COUNT =
      Pattern.compile("(?i).*(replicas|count|size|shards|partitions|instances|parallelism|nodes)");

  private FieldValues() {}

  /**
   * Returns the objects that differ from one in a field alone, the most telling first.
   *
   * @param whole the schema of the object
   */
  public static List<Object> variants(
      SchemaField field, Map<String, ?> object, Map<String, Object> whole) {
    Object current = field.of(object);
    Set<Object> values = new LinkedHashSet<>(values(field.schema(), field.name(), current));
    values.remove(current);
    List<Object> variants = new ArrayList<>();
    values.forEach(value -> variants.add(with(object, whole, field.path(), value)));
    if (current != null && !field.required()) {
      variants.add(Math.min(1, variants.size()), with(object, whole, field.path(), null));
    }
    return variants;
  }

  /**
   * Returns an object with a value in a place. Parents that are missing get the least that they
   * must have.
   *
   * @param value null to leave it out
   */
  private static Object with(
      @Nullable Object node,
      Map<String, Object> schema,
      List<String> path,
      @Nullable Object value) {
    String step = path.get(0);
    List<String> deeper = path.subList(1, path.size());
    Map<String, Object> inner = SchemaField.child(schema, step);
    if (step.equals(ELEMENT)) {
      List<@Nullable Object> list = new ArrayList<>(node instanceof List<?> now ? now : List.of());
      if (list.isEmpty()) {
        list.add(null);
      }
      list.set(0, deeper.isEmpty() ? value : with(list.get(0), inner, deeper, value));
      return list;
    }
    Map<Object, @Nullable Object> map =
        new LinkedHashMap<>((Map<?, ?>) (node instanceof Map ? node : least(schema, "")));
    String key = SchemaField.key(step, map);
    map.put(key, deeper.isEmpty() ? value : with(map.get(key), inner, deeper, value));
    if (map.get(key) == null) {
      map.remove(key);
    }
    return map;
  }

  private static List<?> values(Map<String, Object> schema, String name, @Nullable Object current) {
    if (schema.get("enum") instanceof List<?> members) {
      return members.stream().filter(Objects::nonNull).toList();
    }
    if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
      return Stream.concat(integers(schema, name, current), texts(schema, name, current)).toList();
    }
    return switch (String.valueOf(schema.get("type"))) {
      case "boolean" -> List.of(true, false);
      case "integer", "number" -> integers(schema, name, current).toList();
      case "string" -> texts(schema, name, current).toList();
      case "array" -> lists(schema, name, current instanceof List<?> list ? list : List.of());
      default -> maps(schema, name, current instanceof Map<?, ?> map ? map : Map.of());
    };
  }

  /** Returns the least that a schema allows; not an empty text. */
  static Object least(Map<String, Object> schema, String name) {
    String type = String.valueOf(schema.get("type"));
    if (schema.containsKey("default")) {
      return schema.get("default");
    }
    if (type.equals("array")) {
      int items = (int) bound(schema, "minItems", 0);
      return items == 0
          ? List.of()
          : Collections.nCopies(items, least(SchemaField.child(schema, ELEMENT), name));
    }
    if (Set.of("boolean", "integer", "number", "string").contains(type)
        || schema.containsKey("x-kubernetes-int-or-string")) {
      return values(schema, name, null).stream()
          .filter(value -> !value.equals(""))
          .findFirst()
          .map(Object.class::cast)
          .orElse("b");
    }
    Map<String, Object> least = new LinkedHashMap<>();
    if (schema.get("required") instanceof List<?> required) {
      for (Object key : required) {
        String field = String.valueOf(key);
        least.put(field, least(SchemaField.child(schema, field), field));
      }
    } else if (bound(schema, "minProperties", 0) > 0) {
      least.put("a", least(SchemaField.child(schema, ENTRY), "a"));
    }
    return least;
  }

  private static long bound(Map<String, Object> schema, String name, long otherwise) {
    return schema.get(name) instanceof Number number
        ? new BigDecimal(number.toString()).longValue()
        : otherwise;
  }

  private static Stream<Object> integers(
      Map<String, Object> schema, String name, @Nullable Object current) {
    long step = Math.max(1, bound(schema, "multipleOf", 1));
    long least = -Math.floorDiv(-bound(schema, "minimum", -1), step) * step;
    long most = bound(schema, "maximum", COUNT.matcher(name).matches() ? 100 : Integer.MAX_VALUE);
    long highest = Math.floorDiv(most, step) * step;
    long now = current instanceof Number number ? number.longValue() : least;
    return LongStream.of(
            0, now + step, now - step, least, least + step, step, 2 * step, highest - step, highest)
        .filter(value -> value >= least && value <= highest)
        .mapToObj(Long::valueOf);
  }

  // ---- texts

  private static Stream<String> texts(
      Map<String, Object> schema, String name, @Nullable Object current) {
    int least = (int) Math.min(LONGEST, bound(schema, "minLength", 0));
    long most = bound(schema, "maxLength", LONGEST);
    boolean anyForm = !schema.containsKey("format");
    List<String> texts = new ArrayList<>();
    if (current instanceof String text && anyForm) {
      texts.add(other(text));
    }
    texts.addAll(usual(String.valueOf(schema.getOrDefault("format", name))));
    if (texts.isEmpty()) {
      texts.addAll(List.of("b", "c"));
    }
    if (anyForm) {
      texts.addAll(List.of("", "a".repeat(least), "a".repeat(most < LONGEST ? (int) most : 0)));
    }
    Object pattern = schema.get("pattern");
    if (pattern != null) {
      texts.addAll(List.of(OF_PATTERNS.split(" ", -1)));
    }
    Predicate<String> fits = pattern == null ? text -> true : fits(String.valueOf(pattern));
    return texts.stream()
        .filter(text -> text.length() >= least && text.length() <= most && fits.test(text))
        .distinct()
        .limit(4);
  }

  private static Predicate<String> fits(String pattern) {
    try {
      return Pattern.compile(pattern).asPredicate();
    } catch (PatternSyntaxException e) {
      return text -> true; // A pattern of Go alone: the server decides.
    }
  }

  private static List<String> usual(String name) {
    return USUAL
        .lines()
        .map(line -> List.of(line.split(" ", -1)))
        .filter(line -> name.matches("(?i).*(" + line.get(0) + ")s?"))
        .findFirst()
        .map(line -> line.subList(1, line.size()))
        .orElse(List.of())
        .stream()
        .map(text -> text.replace('_', ' '))
        .toList();
  }

  /** Returns a text of the same form: the last number is one higher, or the end differs. */
  private static String other(String text) {
    Matcher number = LAST_NUMBER.matcher(text);
    return number.find()
        ? number.replaceFirst(String.valueOf(Long.parseLong(number.group()) + 1))
        : text + "-b";
  }

  // ---- lists and maps

  private static List<Object> lists(Map<String, Object> schema, String name, List<?> current) {
    Map<String, Object> items = SchemaField.child(schema, ELEMENT);
    List<@Nullable Object> all = new ArrayList<>(current);
    if (all.isEmpty()) {
      all.add(least(items, name));
    }
    Object first = all.get(0);
    List<@Nullable Object> reversed = new ArrayList<>(all);
    Collections.reverse(reversed);
    List<@Nullable Object> more = new ArrayList<>(all);
    more.add(another(first, items, name, schema.get("x-kubernetes-list-map-keys")));
    return List.of(reversed, List.of(), Collections.singletonList(first), more);
  }

  /** Returns an element that differs from the given one in a key, or as a whole. */
  private static @Nullable Object another(
      @Nullable Object element, Map<String, Object> items, String name, @Nullable Object keys) {
    if (element instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>(map);
      for (Object key : keys instanceof List<?> list ? list : map.keySet()) {
        if (map.get(key) instanceof String text) {
          copy.put(key, another(text, SchemaField.child(items, key.toString()), name, null));
          break;
        }
      }
      return copy;
    }
    return values(items, name, element).stream()
        .filter(value -> !value.equals(element) && !value.equals(""))
        .findFirst()
        .map(Object.class::cast)
        .orElse(element);
  }

  private static List<Object> maps(Map<String, Object> schema, String name, Map<?, ?> current) {
    Map<String, Object> entry = SchemaField.child(schema, ENTRY);
    List<Object> values = new ArrayList<>();
    if (!entry.isEmpty()) {
      Map<Object, Object> more = new LinkedHashMap<>(current);
      Map<Object, Object> fewer = new LinkedHashMap<>(current);
      Object key = current.isEmpty() ? "a" : current.keySet().iterator().next();
      Object value = current.isEmpty() ? least(entry, name) : fewer.remove(key);
      more.put(current.isEmpty() ? key : other(key.toString()), value);
      values.addAll(List.of(more, fewer));
    }
    values.add(least(schema, name));
    return values;
  }
}
