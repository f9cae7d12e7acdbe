package dev.clientgo.envtest.internal.apply;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of fields of an object, as in {@code fieldsV1}: a tree whose steps are {@code f:name} into
 * an object, {@code k:{"key":"value"}} to an element of a list with keys, and {@code v:value} to an
 * element of a set. Immutable.
 *
 * <p>Unlike api-machinery's {@code FieldSet}, which reads what managers own, it has the set
 * operations of a merge.
 */
final class FieldPaths {

  static final FieldPaths EMPTY = new FieldPaths(false, new TreeMap<>());

  /** A field without fields inside. */
  static final FieldPaths LEAF = new FieldPaths(true, new TreeMap<>());

  private static final String SELF = ".";

  private final boolean member;
  private final SortedMap<String, FieldPaths> children;

  private FieldPaths(boolean member, SortedMap<String, FieldPaths> children) {
    this.member = member;
    this.children = Collections.unmodifiableSortedMap(children);
  }

  /** Returns a set of the fields inside a place, and of the place itself if it is a member. */
  static FieldPaths of(boolean member, Map<String, FieldPaths> children) {
    SortedMap<String, FieldPaths> sorted = new TreeMap<>(children);
    sorted.values().removeIf(FieldPaths::isEmpty);
    return new FieldPaths(member, sorted);
  }

  /** Returns the set of one field, with a path of names. */
  static FieldPaths at(List<String> path) {
    FieldPaths set = LEAF;
    for (int i = path.size() - 1; i >= 0; i--) {
      set = of(false, Map.of("f:" + path.get(i), set));
    }
    return set;
  }

  /** Parses {@code fieldsV1}. */
  static FieldPaths parse(Map<String, Object> tree) {
    return new FieldPaths(false, parseChildren(tree));
  }

  private static SortedMap<String, FieldPaths> parseChildren(Map<String, Object> tree) {
    SortedMap<String, FieldPaths> children = new TreeMap<>();
    tree.forEach(
        (step, value) -> {
          Map<String, Object> below = JsonTree.asObject(value);
          if (!step.equals(SELF)) {
            boolean member = below.isEmpty() || below.containsKey(SELF);
            children.put(step, new FieldPaths(member, parseChildren(below)));
          }
        });
    return children;
  }

  /** Returns the set as {@code fieldsV1}. */
  Map<String, Object> toTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    children.forEach(
        (step, child) -> {
          Map<String, Object> below = new LinkedHashMap<>();
          if (child.member && !child.children.isEmpty()) {
            below.put(SELF, Map.of());
          }
          below.putAll(child.toTree());
          tree.put(step, below);
        });
    return tree;
  }

  boolean isEmpty() {
    return !member && children.isEmpty();
  }

  /** Returns whether the place itself is a member. */
  boolean isMember() {
    return member;
  }

  /** Returns the fields behind a step. */
  FieldPaths at(String step) {
    FieldPaths child = children.get(step);
    return child == null ? EMPTY : child;
  }

  /** Returns the fields behind a path of names. */
  FieldPaths at(String... names) {
    FieldPaths set = this;
    for (String name : names) {
      set = set.at("f:" + name);
    }
    return set;
  }

  FieldPaths union(FieldPaths other) {
    SortedMap<String, FieldPaths> all = new TreeMap<>(children);
    other.children.forEach((step, child) -> all.merge(step, child, FieldPaths::union));
    return new FieldPaths(member || other.member, all);
  }

  FieldPaths minus(FieldPaths other) {
    Map<String, FieldPaths> rest = new TreeMap<>();
    children.forEach((step, child) -> rest.put(step, child.minus(other.at(step))));
    return of(member && !other.member, rest);
  }

  FieldPaths intersection(FieldPaths other) {
    Map<String, FieldPaths> both = new TreeMap<>();
    children.forEach((step, child) -> both.put(step, child.intersection(other.at(step))));
    return of(member && other.member, both);
  }

  /** Returns the set without the field at a path of names and the fields inside it. */
  FieldPaths without(String... names) {
    return without(List.of(names));
  }

  private FieldPaths without(List<String> names) {
    SortedMap<String, FieldPaths> rest = new TreeMap<>(children);
    String step = "f:" + names.get(0);
    FieldPaths child = rest.get(step);
    if (child == null) {
      return this;
    }
    rest.put(step, names.size() == 1 ? EMPTY : child.without(names.subList(1, names.size())));
    return of(member, rest);
  }

  /** Returns only the field of a name and the fields inside it. */
  FieldPaths only(String name) {
    return of(false, Map.of("f:" + name, at("f:" + name)));
  }

  /**
   * Returns the paths of the fields as error messages show them, such as {@code
   * .spec.list[id="1"].v}.
   */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    collect("", paths);
    return paths;
  }

  private void collect(String path, List<String> paths) {
    if (member) {
      paths.add(path);
    }
    children.forEach((step, child) -> child.collect(path + describe(step), paths));
  }

  /** Returns a step as error messages show it, such as {@code [id="1"]}. */
  static String describe(String step) {
    String rest = step.substring(2);
    if (step.startsWith("f:")) {
      return "." + rest;
    }
    if (step.startsWith("v:")) {
      return "[=" + rest + "]";
    }
    List<String> keys = new ArrayList<>();
    // The keys of a step are a flat JSON object, written by this server or by kube-apiserver.
    JsonTree.asObject(JsonText.parse(rest.getBytes(UTF_8)))
        .forEach((key, value) -> keys.add(key + "=" + JsonText.text(value)));
    return "[" + String.join(",", keys) + "]";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldPaths set && member == set.member && children.equals(set.children);
  }

  @Override
  public int hashCode() {
    return children.hashCode();
  }

  @Override
  public String toString() {
    return paths().toString();
  }
}
