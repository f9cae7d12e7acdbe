package dev.clientgo.apimachinery.json.internal.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of an object that a reader keeps, and those of the objects within it.
 *
 * <p>Each field has its own tree. A list has the tree of its elements. Immutable. Equal if the same
 * fields are kept.
 */
public final class FieldTree {

  /** Keeps all fields. */
  public static final FieldTree ALL = new FieldTree(Map.of(), true);

  /** Keeps nothing. */
  public static final FieldTree NONE = new FieldTree(Map.of(), false);

  /** The trees of the fields that differ from the others. */
  private final Map<String, FieldTree> fields;

  /** Whether the fields without a tree are kept. */
  private final boolean othersKept;

  /** Computed once, since caches look trees up. */
  private final int hash;

  private FieldTree(Map<String, FieldTree> fields, boolean othersKept) {
    this.fields = fields;
    this.othersKept = othersKept;
    this.hash = 31 * fields.hashCode() + Boolean.hashCode(othersKept);
  }

  /** Returns one of the two constants if it keeps the same, so no tree has needless fields. */
  private static FieldTree of(Map<String, FieldTree> fields, boolean othersKept) {
    FieldTree others = othersKept ? ALL : NONE;
    fields.values().removeIf(others::equals);
    return fields.isEmpty() ? others : new FieldTree(Map.copyOf(fields), othersKept);
  }

  /** Returns the tree that keeps only these paths, with everything below them. */
  public static FieldTree keep(List<List<String>> paths) {
    return of(paths, false);
  }

  /** Returns the tree that keeps all but these paths and everything below them. */
  public static FieldTree drop(List<List<String>> paths) {
    return of(paths, true);
  }

  private static FieldTree of(List<List<String>> paths, boolean othersKept) {
    Map<String, FieldTree> fields = new HashMap<>();
    Map<String, List<List<String>>> byName = new HashMap<>();
    for (List<String> path : paths) {
      if (path.isEmpty()) {
        return othersKept ? NONE : ALL;
      }
      byName
          .computeIfAbsent(path.get(0), name -> new ArrayList<>())
          .add(path.subList(1, path.size()));
    }
    byName.forEach((name, rest) -> fields.put(name, of(rest, othersKept)));
    return of(fields, othersKept);
  }

  /** Returns the tree that keeps the fields that both trees keep. */
  public FieldTree and(FieldTree other) {
    if (keepsAll() || other.keepsNothing()) {
      return other;
    }
    if (keepsNothing() || other.keepsAll()) {
      return this;
    }
    Set<String> names = new HashSet<>(fields.keySet());
    names.addAll(other.fields.keySet());
    Map<String, FieldTree> both = new HashMap<>();
    names.forEach(name -> both.put(name, field(name).and(other.field(name))));
    return of(both, othersKept && other.othersKept);
  }

  /** Returns whether all fields are kept. */
  public boolean keepsAll() {
    return othersKept && fields.isEmpty();
  }

  /** Returns whether no field is kept. */
  public boolean keepsNothing() {
    return !othersKept && fields.isEmpty();
  }

  /** Returns the tree of a field, which keeps nothing if the field itself is not kept. */
  public FieldTree field(String name) {
    FieldTree field = fields.get(name);
    return field != null ? field : othersKept ? ALL : NONE;
  }

  /** Returns the tree of the field at a path. */
  public FieldTree at(List<String> path) {
    FieldTree tree = this;
    for (String name : path) {
      tree = tree.field(name);
    }
    return tree;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof FieldTree tree
            && hash == tree.hash
            && othersKept == tree.othersKept
            && fields.equals(tree.fields));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return othersKept ? "all but " + fields : "only " + fields;
  }
}
