package dev.clientgo.envtest.internal.apply;

import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.schema.MergeRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Computes the fields that a value has, and those that change between two values. */
final class FieldDiff {

  private FieldDiff() {}

  /** Returns the fields of an applied configuration: the leaves, and the elements of lists. */
  static FieldPaths applied(@Nullable Object value, MergeRules rules) {
    return fields(value, rules, false);
  }

  private static FieldPaths fields(@Nullable Object value, MergeRules rules, boolean withObjects) {
    Map<String, FieldPaths> children = new HashMap<>();
    if (value instanceof Map<?, ?> map && !map.isEmpty() && !rules.isAtomic()) {
      JsonTree.asObject(map)
          .forEach(
              (name, child) -> {
                if (child != null) {
                  children.put("f:" + name, fields(child, rules.field(name), withObjects));
                }
              });
      return FieldPaths.of(withObjects && !rules.isAlwaysThere(), children);
    }
    Map<String, Object> elements =
        value instanceof Collection<?> list && !list.isEmpty() ? rules.elements(list) : null;
    if (elements == null) {
      return FieldPaths.LEAF;
    }
    elements.forEach(
        (step, element) -> children.put(step, element(step, element, rules, withObjects)));
    return FieldPaths.of(withObjects, children);
  }

  /** A manager that owns something inside an element also owns the element. */
  private static FieldPaths element(
      String step, Object element, MergeRules rules, boolean withObjects) {
    return step.startsWith("v:")
        ? FieldPaths.LEAF
        : FieldPaths.LEAF.union(fields(element, rules.items(), withObjects));
  }

  /** Returns the fields that are new or changed. */
  static FieldPaths changed(@Nullable Object before, @Nullable Object after, MergeRules rules) {
    if (after == null || Objects.equals(before, after)) {
      return FieldPaths.EMPTY;
    }
    return before == null
        ? fields(after, rules, true)
        : compare(before, after, rules, FieldDiff::changed, FieldPaths.LEAF);
  }

  /** Returns the fields that are removed. */
  static FieldPaths removed(@Nullable Object before, @Nullable Object after, MergeRules rules) {
    if (before == null || Objects.equals(before, after)) {
      return FieldPaths.EMPTY;
    }
    return after == null
        ? fields(before, rules, true)
        : compare(before, after, rules, FieldDiff::removed, FieldPaths.EMPTY);
  }

  private interface Comparison {
    FieldPaths of(@Nullable Object before, @Nullable Object after, MergeRules rules);
  }

  private static FieldPaths compare(
      Object before, Object after, MergeRules rules, Comparison comparison, FieldPaths otherwise) {
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

  private static FieldPaths compareObjects(
      Map<String, Object> before,
      Map<String, Object> after,
      MergeRules rules,
      Comparison comparison) {
    Map<String, FieldPaths> children = new HashMap<>();
    Map<String, Object> all = new HashMap<>(before);
    all.putAll(after);
    for (String name : all.keySet()) {
      children.put(
          "f:" + name, comparison.of(before.get(name), after.get(name), rules.field(name)));
    }
    return FieldPaths.of(false, children);
  }

  private static FieldPaths compareElements(
      Map<String, Object> before,
      Map<String, Object> after,
      MergeRules rules,
      Comparison comparison) {
    Map<String, FieldPaths> children = new HashMap<>();
    Map<String, Object> all = new HashMap<>(before);
    all.putAll(after);
    for (String step : all.keySet()) {
      Object old = before.get(step);
      Object now = after.get(step);
      FieldPaths inside = comparison.of(old, now, rules.items());
      boolean whole = old == null || now == null;
      children.put(step, whole && !inside.isEmpty() ? FieldPaths.LEAF.union(inside) : inside);
    }
    return FieldPaths.of(false, children);
  }
}
