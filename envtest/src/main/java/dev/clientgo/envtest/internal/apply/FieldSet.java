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
 * Fields of an object, in the form of {@code fieldsV1}: a tree whose steps are {@code f:name} into
 * an object, {@code k:{"key":"value"}} to an element of a list that has keys, and {@code v:value}
 * to one of a set. Immutable.
 */
final class FieldSet {

  static final FieldSet EMPTY = new FieldSet(false, new TreeMap<>());

  /** A field that has no others in it. */
  static final FieldSet LEAF = new FieldSet(true, new TreeMap<>());

  private static final String SELF = ".";

  private final boolean member;
  private final SortedMap<String, FieldSet> children;

  private FieldSet(boolean member, SortedMap<String, FieldSet> children) {
    this.member = member;
    this.children = Collections.unmodifiableSortedMap(children);
  }

  /** Returns a set of fields within a place, and of the place itself, if it is a member. */
  static FieldSet of(boolean member, Map<String, FieldSet> children) {
    SortedMap<String, FieldSet> sorted = new TreeMap<>(children);
    sorted.values().removeIf(FieldSet::isEmpty);
    return new FieldSet(member, sorted);
  }

  /** Returns the set of one field, whose path leads through objects. */
  static FieldSet at(List<String> path) {
    FieldSet set = LEAF;
    for (int i = path.size() - 1; i >= 0; i--) {
      set = of(false, Map.of("f:" + path.get(i), set));
    }
    return set;
  }

  /** Reads {@code fieldsV1}. */
  static FieldSet parse(Map<String, Object> tree) {
    return new FieldSet(false, parseChildren(tree));
  }

  private static SortedMap<String, FieldSet> parseChildren(Map<String, Object> tree) {
    SortedMap<String, FieldSet> children = new TreeMap<>();
    tree.forEach(
        (step, value) -> {
          Map<String, Object> below = JsonTree.asObject(value);
          if (!step.equals(SELF)) {
            boolean member = below.isEmpty() || below.containsKey(SELF);
            children.put(step, new FieldSet(member, parseChildren(below)));
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

  /** Returns what is in the set beyond a step. */
  FieldSet at(String step) {
    FieldSet child = children.get(step);
    return child == null ? EMPTY : child;
  }

  /** Returns what is in the set at a path of names. */
  FieldSet at(String... names) {
    FieldSet set = this;
    for (String name : names) {
      set = set.at("f:" + name);
    }
    return set;
  }

  FieldSet union(FieldSet other) {
    SortedMap<String, FieldSet> all = new TreeMap<>(children);
    other.children.forEach((step, child) -> all.merge(step, child, FieldSet::union));
    return new FieldSet(member || other.member, all);
  }

  FieldSet minus(FieldSet other) {
    Map<String, FieldSet> rest = new TreeMap<>();
    children.forEach((step, child) -> rest.put(step, child.minus(other.at(step))));
    return of(member && !other.member, rest);
  }

  FieldSet intersection(FieldSet other) {
    Map<String, FieldSet> both = new TreeMap<>();
    children.forEach((step, child) -> both.put(step, child.intersection(other.at(step))));
    return of(member && other.member, both);
  }

  /** Returns the set without all that is at a path of names, and below. */
  FieldSet without(String... names) {
    return without(List.of(names));
  }

  private FieldSet without(List<String> names) {
    SortedMap<String, FieldSet> rest = new TreeMap<>(children);
    String step = "f:" + names.get(0);
    FieldSet child = rest.get(step);
    if (child == null) {
      return this;
    }
    rest.put(step, names.size() == 1 ? EMPTY : child.without(names.subList(1, names.size())));
    return of(member, rest);
  }

  /** Returns the set with nothing but what is at a name, and below. */
  FieldSet only(String name) {
    return of(false, Map.of("f:" + name, at("f:" + name)));
  }

  /** Returns the members in the words of an error, such as {@code .spec.list[id="1"].v}. */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    collect("", paths);
    return paths;
  }

  private void collect(String path, List<String> paths) {
    if (member) {
      paths.add(path);
    }
    children.forEach((step, child) -> child.collect(path + words(step), paths));
  }

  /** Returns a step in the words of an error, such as {@code [id="1"]}. */
  static String words(String step) {
    String rest = step.substring(2);
    if (step.startsWith("f:")) {
      return "." + rest;
    }
    if (step.startsWith("v:")) {
      return "[=" + rest + "]";
    }
    List<String> keys = new ArrayList<>();
    // The keys of a step are JSON, and this JSON is ours or kube-apiserver's: flat.
    JsonTree.asObject(JsonText.parse(rest.getBytes(UTF_8)))
        .forEach((key, value) -> keys.add(key + "=" + JsonText.text(value)));
    return "[" + String.join(",", keys) + "]";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet set && member == set.member && children.equals(set.children);
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
