package dev.clientgo.envtest.internal.apply;

import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.schema.MergeRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges an applied configuration into an object, and removes the fields that no manager owns any
 * more.
 */
final class FieldMerge {

  private FieldMerge() {}

  /** Returns the live value merged with the applied one. */
  static @Nullable Object merge(@Nullable Object live, @Nullable Object applied, MergeRules rules) {
    if (live == null || applied == null) {
      return applied == null ? live : applied;
    }
    if (live instanceof Map<?, ?> l && applied instanceof Map<?, ?> a && !rules.isAtomic()) {
      Map<String, @Nullable Object> merged = new LinkedHashMap<>(JsonTree.asObject(l));
      JsonTree.asObject(a)
          .forEach(
              (name, value) -> merged.put(name, merge(merged.get(name), value, rules.field(name))));
      return merged;
    }
    if (live instanceof Collection<?> l && applied instanceof Collection<?> a) {
      Map<String, Object> old = rules.elements(l);
      Map<String, Object> now = rules.elements(a);
      return old == null || now == null ? applied : merge(old, now, rules);
    }
    return applied;
  }

  /** Applied elements are in the order of the configuration; the others keep their places. */
  private static List<@Nullable Object> merge(
      Map<String, Object> live, Map<String, Object> applied, MergeRules rules) {
    List<@Nullable Object> merged = new ArrayList<>();
    List<String> before = List.copyOf(live.keySet());
    Set<String> done = new HashSet<>();
    int next = 0;
    for (Map.Entry<String, Object> element : applied.entrySet()) {
      while (next < before.size() && !isAhead(before.get(next), applied, done)) {
        String step = before.get(next++);
        if (done.add(step)) {
          merged.add(live.get(step));
        }
      }
      done.add(element.getKey());
      merged.add(merge(live.get(element.getKey()), element.getValue(), rules.items()));
    }
    for (String step : before) {
      if (done.add(step)) {
        merged.add(live.get(step));
      }
    }
    return merged;
  }

  /** Returns whether an element comes later in the applied list. */
  private static boolean isAhead(String step, Map<String, Object> applied, Set<String> done) {
    return applied.containsKey(step) && !done.contains(step);
  }

  /**
   * Returns a value without the fields that a manager has given up.
   *
   * @param given the fields that were given up
   * @param owned the fields that some manager owns
   * @return null if nothing is left
   */
  static @Nullable Object prune(
      @Nullable Object value, FieldPaths given, FieldPaths owned, MergeRules rules) {
    if (given.isMember() && owned.isEmpty()) {
      return null;
    }
    if (value instanceof Map<?, ?> map && !rules.isAtomic()) {
      Map<String, @Nullable Object> rest = new LinkedHashMap<>();
      JsonTree.asObject(map)
          .forEach(
              (name, child) -> {
                String step = "f:" + name;
                Object left = prune(child, given.at(step), owned.at(step), rules.field(name));
                if (left != null || child == null) {
                  rest.put(name, left);
                }
              });
      return rest.isEmpty() && !map.isEmpty() ? null : rest;
    }
    Map<String, Object> elements =
        value instanceof Collection<?> list ? rules.elements(list) : null;
    return elements == null ? value : pruneElements(elements, given, owned, rules);
  }

  private static @Nullable Object pruneElements(
      Map<String, Object> elements, FieldPaths given, FieldPaths owned, MergeRules rules) {
    List<Object> rest = new ArrayList<>();
    elements.forEach(
        (step, element) -> {
          FieldPaths inside = given.at(step);
          for (String key : rules.keys()) {
            inside = owned.at(step).isEmpty() ? inside : inside.without(key);
          }
          Object left = prune(element, inside, owned.at(step), rules.items());
          if (left != null) {
            rest.add(left);
          }
        });
    return rest.isEmpty() && !elements.isEmpty() ? null : rest;
  }
}
