package dev.clientgo.simulation.internal.state;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.simulation.internal.traffic.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The objects of the cluster when all is at rest. Immutable.
 *
 * @param objects the objects of each resource
 */
public record Snapshot(Map<GroupVersionResource, List<Unstructured>> objects) {

  public Snapshot {
    Map<GroupVersionResource, List<Unstructured>> sorted =
        new TreeMap<>(Comparator.comparing(GroupVersionResource::toString));
    sorted.putAll(objects);
    objects = sorted;
  }

  // ---- keys

  /** Returns the resource with its group. */
  public static String name(GroupVersionResource resource) {
    return Call.resource(resource.resource(), resource.group());
  }

  /** Returns the resource, the namespace and the name of an object; a star if it is generated. */
  public static String rawKey(GroupVersionResource resource, Unstructured object) {
    String generate = object.metadata().generateName();
    String name = nameKey(resource, object);
    return generate == null ? name : name.substring(0, nameStart(name)) + generate + "*";
  }

  private static String nameKey(GroupVersionResource resource, Unstructured object) {
    String namespace = object.metadata().namespace();
    String prefix = name(resource) + " " + (namespace == null ? "" : namespace + "/");
    return prefix + object.metadata().name();
  }

  /** Returns where the name begins in a key. */
  static int nameStart(String key) {
    return Math.max(key.indexOf('/'), key.indexOf(' ')) + 1;
  }

  // ---- objects

  void forEach(BiConsumer<GroupVersionResource, Unstructured> action) {
    objects.forEach((resource, list) -> list.forEach(object -> action.accept(resource, object)));
  }

  /** Returns values of the objects of each key, in order. */
  <V> Map<String, List<V>> grouped(
      UnaryOperator<String> key, BiFunction<GroupVersionResource, Unstructured, V> value) {
    Map<String, List<V>> grouped = new TreeMap<>();
    forEach(
        (resource, object) ->
            grouped
                .computeIfAbsent(key.apply(rawKey(resource, object)), one -> new ArrayList<>())
                .add(value.apply(resource, object)));
    return grouped;
  }

  /** Returns the objects whose raw keys a predicate accepts. */
  public Snapshot only(Predicate<String> keys) {
    Map<GroupVersionResource, List<Unstructured>> kept = new HashMap<>();
    objects.forEach(
        (resource, list) ->
            kept.put(
                resource,
                list.stream().filter(object -> keys.test(rawKey(resource, object))).toList()));
    return new Snapshot(kept);
  }

  /** Returns the resources and the names of all objects, those that are generated too. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    forEach((resource, object) -> names.add(nameKey(resource, object)));
    return names;
  }

  /**
   * Returns the differences from the same snapshot of a different run, one a line.
   *
   * @param toTexts returns the texts of the objects of each key
   */
  public List<String> differencesFrom(
      Snapshot expectedState, Function<Snapshot, Map<String, List<String>>> toTexts) {
    Map<String, List<String>> texts = toTexts.apply(this);
    Map<String, List<String>> expected = toTexts.apply(expectedState);
    List<String> differences = new ArrayList<>();
    expected.forEach(
        (key, wanted) -> {
          List<String> actual = texts.getOrDefault(key, List.of());
          if (actual.size() != wanted.size()) {
            differences.add(
                "there are " + actual.size() + " of " + key + ", expected " + wanted.size());
          } else if (!actual.equals(wanted)) {
            differences.add(key + " is\n      " + actual + "\n    expected\n      " + wanted);
          }
        });
    texts.forEach(
        (key, actual) -> {
          if (!expected.containsKey(key)) {
            differences.add("there is " + key + ", which should not be");
          }
        });
    return differences;
  }

  /** Returns how many objects of each key are still the same ones in a later snapshot. */
  public Map<String, Integer> survivors(Snapshot later, UnaryOperator<String> toKey) {
    Map<String, List<String>> now = later.uids(toKey);
    Map<String, Integer> survivors = new TreeMap<>();
    uids(toKey)
        .forEach(
            (key, before) -> {
              Set<String> same = new HashSet<>(before);
              same.retainAll(now.getOrDefault(key, List.of()));
              if (!same.isEmpty()) {
                survivors.put(key, same.size());
              }
            });
    return survivors;
  }

  /** Returns the keys that have as many objects in a later snapshot, but not the same ones. */
  public List<String> replaced(Snapshot later, UnaryOperator<String> toKey) {
    Map<String, Integer> survivors = survivors(later, toKey);
    Map<String, List<String>> now = later.uids(toKey);
    return uids(toKey).entrySet().stream()
        .filter(
            entry ->
                survivors.getOrDefault(entry.getKey(), 0)
                    < Math.min(
                        entry.getValue().size(),
                        now.getOrDefault(entry.getKey(), List.of()).size()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Map<String, List<String>> uids(UnaryOperator<String> toKey) {
    return grouped(toKey, (resource, object) -> String.valueOf(object.metadata().uid()));
  }
}
