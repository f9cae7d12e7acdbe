package dev.clientgo.envtest.internal.apply;

import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.schema.MergeRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which fields there are, have changed, or are gone. */
final class FieldDiff {

  private FieldDiff() {}

  /** Returns the fields of a configuration that is applied: its leaves, and elements of lists. */
  static FieldSet applied(@Nullable Object value, MergeRules rules) {
    return fields(value, rules, false);
  }

  private static FieldSet fields(@Nullable Object value, MergeRules rules, boolean withObjects) {
    Map<String, FieldSet> children = new HashMap<>();
    if (value instanceof Map<?, ?> map && !map.isEmpty() && !rules.isAtomic()) {
      JsonTree.asObject(map)
          .forEach(
              (name, child) -> {
                if (child != null) {
                  children.put("f:" + name, fields(child, rules.field(name), withObjects));
                }
              });
      return FieldSet.of(withObjects && !rules.isAlwaysThere(), children);
    }
    Map<String, Object> elements =
        value instanceof Collection<?> list && !list.isEmpty() ? rules.elements(list) : null;
    if (elements == null) {
      return FieldSet.LEAF;
    }
    elements.forEach(
        (step, element) -> children.put(step, element(step, element, rules, withObjects)));
    return FieldSet.of(withObjects, children);
  }

  /** An element is owned by all who own something in it. */
  private static FieldSet element(
      String step, Object element, MergeRules rules, boolean withObjects) {
    return step.startsWith("v:")
        ? FieldSet.LEAF
        : FieldSet.LEAF.union(fields(element, rules.items(), withObjects));
  }

  /** Returns what is new or other than before. */
  static FieldSet changed(@Nullable Object before, @Nullable Object after, MergeRules rules) {
    if (after == null || Objects.equals(before, after)) {
      return FieldSet.EMPTY;
    }
    return before == null
        ? fields(after, rules, true)
        : compare(before, after, rules, FieldDiff::changed, FieldSet.LEAF);
  }

  /** Returns what is there no more. */
  static FieldSet removed(@Nullable Object before, @Nullable Object after, MergeRules rules) {
    if (before == null || Objects.equals(before, after)) {
      return FieldSet.EMPTY;
    }
    return after == null
        ? fields(before, rules, true)
        : compare(before, after, rules, FieldDiff::removed, FieldSet.EMPTY);
  }

  private interface Comparison {
    FieldSet of(@Nullable Object before, @Nullable Object after, MergeRules rules);
  }

  private static FieldSet compare(
      Object before, Object after, MergeRules rules, Comparison comparison, FieldSet otherwise) {
    if (before instanceof Map<?, ?> b && after instanceof Map<?, ?> a && !rules.isAtomic()) {
      return compareObjects(JsonTree.asObject(b), JsonTree.asObject(a), rules, comparison);
    }
    if (before instanceof Collection<?> b && after instanceof Collection<?> a) {
      Map<String, Object> old = rules.elements(b);
      Map<String, Object> now = rules.elements(a);
      if (old != null && now != null) {
        return compareElements(old, now, rules, comparison);
      }
    }
    return otherwise;
  }

  private static FieldSet compareObjects(
      Map<String, Object> before,
      Map<String, Object> after,
      MergeRules rules,
      Comparison comparison) {
    Map<String, FieldSet> children = new HashMap<>();
    Map<String, Object> all = new HashMap<>(before);
    all.putAll(after);
    for (String name : all.keySet()) {
      children.put(
          "f:" + name, comparison.of(before.get(name), after.get(name), rules.field(name)));
    }
    return FieldSet.of(false, children);
  }

  private static FieldSet compareElements(
      Map<String, Object> before,
      Map<String, Object> after,
      MergeRules rules,
      Comparison comparison) {
    Map<String, FieldSet> children = new HashMap<>();
    Map<String, Object> all = new HashMap<>(before);
    all.putAll(after);
    for (String step : all.keySet()) {
      Object old = before.get(step);
      Object now = after.get(step);
      FieldSet inside = comparison.of(old, now, rules.items());
      boolean whole = old == null || now == null;
      children.put(step, whole && !inside.isEmpty() ? FieldSet.LEAF.union(inside) : inside);
    }
    return FieldSet.of(false, children);
  }
}
