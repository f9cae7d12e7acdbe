package dev.clientgo.simulation;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.simulation.internal.traffic.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the cluster when all is at rest, without the values that differ from run to run:
 * UIDs, versions, times, field managers and generated names. Immutable once built.
 *
 * <p>A UID is replaced by the name of its object if that object is alive. So a reference to an
 * owner that is gone differs from one to its successor of the same name.
 */
final class Snapshot {

  private static final Set<String> VOLATILE =
      Set.of("resourceVersion", "generation", "observedGeneration", "managedFields");

  private static final Pattern UID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})");

  /** The texts of the objects of each key; more than one only for generated names. */
  private final Map<String, List<String>> texts = new TreeMap<>();

  /** The UIDs of the objects of each key. */
  private final Map<String, Set<String>> uids = new TreeMap<>();

  /**
   * Creates a snapshot.
   *
   * @param objects the objects of each resource
   * @param ignored the paths of the fields that may differ
   */
  static Snapshot of(Map<GroupVersionResource, List<Unstructured>> objects, Set<String> ignored) {
    Stable stable = new Stable(ignored);
    objects.forEach((resource, list) -> list.forEach(object -> stable.know(resource, object)));
    Snapshot snapshot = new Snapshot();
    objects.forEach(
        (resource, list) ->
            list.forEach(
                object -> snapshot.add(key(resource, object), stable.text(object), object)));
    return snapshot;
  }

  private void add(String key, String text, Unstructured object) {
    texts.computeIfAbsent(key, k -> new ArrayList<>()).add(text);
    uids.computeIfAbsent(key, k -> new LinkedHashSet<>())
        .add(String.valueOf(object.metadata().uid()));
  }

  /** Returns the resource, the namespace and the name of an object; a star if it is generated. */
  static String key(GroupVersionResource resource, Unstructured object) {
    String generate = object.metadata().generateName();
    String name = generate == null ? String.valueOf(object.metadata().name()) : generate + "*";
    String namespace = object.metadata().namespace();
    return name(resource) + " " + (namespace == null ? "" : namespace + "/") + name;
  }

  /** Returns the resource with its group. */
  static String name(GroupVersionResource resource) {
    return Call.resource(resource.resource(), resource.group());
  }

  /** Returns the text of one object without the values that differ from run to run. */
  static String text(Unstructured object, Set<String> ignored) {
    return new Stable(ignored).text(object);
  }

  /** Returns the differences from the same snapshot of a run without faults, one a line. */
  List<String> differencesFrom(Snapshot expected) {
    List<String> differences = new ArrayList<>();
    expected.texts.forEach(
        (key, wanted) -> {
          List<String> actual = texts.getOrDefault(key, List.of());
          if (actual.size() != wanted.size()) {
            differences.add(
                "there are " + actual.size() + " of " + key + ", expected " + wanted.size());
          } else if (!sorted(actual).equals(sorted(wanted))) {
            differences.add(
                key + " is\n      " + sorted(actual) + "\n    expected\n      " + sorted(wanted));
          }
        });
    texts.forEach(
        (key, actual) -> {
          if (!expected.texts.containsKey(key)) {
            differences.add("there is " + key + ", which should not be");
          }
        });
    return differences;
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }

  /** Returns how many objects of each key are still the same ones in a later snapshot. */
  Map<String, Integer> survivors(Snapshot later) {
    Map<String, Integer> survivors = new TreeMap<>();
    uids.forEach(
        (key, before) -> {
          Set<String> same = new HashSet<>(before);
          same.retainAll(later.uids.getOrDefault(key, Set.of()));
          if (!same.isEmpty()) {
            survivors.put(key, same.size());
          }
        });
    return survivors;
  }

  /** Returns the keys that have as many objects in a later snapshot, but not the same ones. */
  List<String> replaced(Snapshot later) {
    Map<String, Integer> survivors = survivors(later);
    return uids.entrySet().stream()
        .filter(
            entry ->
                survivors.getOrDefault(entry.getKey(), 0)
                    < Math.min(entry.getValue().size(), later.count(entry.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private int count(String key) {
    return uids.getOrDefault(key, Set.of()).size();
  }

  /** Replaces the values that differ from run to run. */
  private static final class Stable {

    private final Set<String> ignored;
    private final Map<String, String> objectsByUid = new HashMap<>();
    private final Map<String, String> generatedNames = new TreeMap<>();

    Stable(Set<String> ignored) {
      this.ignored = ignored;
    }

    void know(GroupVersionResource resource, Unstructured object) {
      objectsByUid.put(String.valueOf(object.metadata().uid()), key(resource, object));
      String generate = object.metadata().generateName();
      if (generate != null) {
        generatedNames.put(String.valueOf(object.metadata().name()), generate + "*");
      }
    }

    String text(Unstructured object) {
      boolean generated = object.metadata().generateName() != null;
      return String.valueOf(value(object.content(), "", generated));
    }

    private @Nullable Object value(@Nullable Object value, String path, boolean generated) {
      if (value instanceof Map<?, ?> map) {
        Map<String, @Nullable Object> kept = new TreeMap<>();
        map.forEach(
            (key, child) -> {
              String name = String.valueOf(key);
              String at = path.isEmpty() ? name : path + "." + name;
              if (!differs(name, at, generated)) {
                kept.put(name, value(child, at, generated));
              }
            });
        return kept;
      }
      if (value instanceof List<?> list) {
        List<@Nullable Object> kept = new ArrayList<>();
        list.forEach(item -> kept.add(value(item, path, generated)));
        return kept;
      }
      return value instanceof String text ? string(text) : value;
    }

    private boolean differs(String name, String path, boolean generated) {
      return VOLATILE.contains(name)
          || name.endsWith("Time")
          || name.endsWith("Timestamp")
          || ignored.contains(path)
          || path.equals("metadata.uid")
          || (generated && path.equals("metadata.name"));
    }

    private String string(String text) {
      if (UID.matcher(text).matches()) {
        String object = objectsByUid.get(text);
        return object == null ? "(uid of an object that is gone)" : "(uid of " + object + ")";
      }
      if (TIME.matcher(text).matches()) {
        return "(a time)";
      }
      String stable = text;
      for (Map.Entry<String, String> name : generatedNames.entrySet()) {
        stable = stable.replace(name.getKey(), name.getValue());
      }
      return stable;
    }
  }
}
