package dev.clientgo.apimachinery.managedfields;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths through an object: the fields that a manager owns.
 *
 * <pre>{@code
 * FieldSet owned = FieldSet.parse(entry.fieldsV1());
 * owned.contains(new PathElement.Field("spec"), new PathElement.Field("replicas"));
 * }</pre>
 *
 * <p>A path in the set does not include the paths below it: the owner of a map need not own its
 * contents. Immutable. Two sets are equal if they hold the same paths, in any order. Corresponds to
 * {@code fieldpath.Set} of structured-merge-diff.
 */
public final class FieldSet {

  /** The set without paths. */
  public static final FieldSet EMPTY = new FieldSet(false, Map.of());

  /** Reads and writes sets in the form of {@code fieldsV1}. */
  public static final JsonCodec<FieldSet> CODEC = new Codec();

  private static final FieldSet LEAF = new FieldSet(true, Map.of());

  /** Whether the path to this node is in the set; false for the root. */
  private final boolean member;

  private final Map<PathElement, FieldSet> children;

  private FieldSet(boolean member, Map<PathElement, FieldSet> children) {
    this.member = member;
    this.children = Collections.unmodifiableMap(children);
  }

  /**
   * Parses a {@code fieldsV1}; returns the empty set for null.
   *
   * @throws CodecException if it is malformed
   */
  public static FieldSet parse(@Nullable RawJson fieldsV1) {
    return fieldsV1 == null ? EMPTY : CODEC.read(fieldsV1.reader());
  }

  /** Returns the set of one path. */
  public static FieldSet of(PathElement... path) {
    FieldSet set = path.length == 0 ? EMPTY : LEAF;
    for (int i = path.length - 1; i >= 0; i--) {
      set = new FieldSet(false, Map.of(path[i], set));
    }
    return set;
  }

  /** Returns the set in the form of {@code fieldsV1}. */
  public RawJson toFieldsV1() {
    return RawJson.of(CODEC, this);
  }

  /** Returns whether the set has no paths. */
  public boolean isEmpty() {
    return children.isEmpty();
  }

  /** Returns whether a path is in the set. */
  public boolean contains(PathElement... path) {
    FieldSet at = this;
    for (PathElement element : path) {
      FieldSet next = at.children.get(element);
      if (next == null) {
        return false;
      }
      at = next;
    }
    return at.member;
  }

  /** Returns whether all paths of another set are in this one. */
  public boolean containsAll(FieldSet other) {
    return (member || !other.member)
        && other.children.entrySet().stream()
            .allMatch(child -> at(child.getKey()).containsAll(child.getValue()));
  }

  /** Returns the paths that are in this set, in another, or in both. */
  public FieldSet union(FieldSet other) {
    Map<PathElement, FieldSet> all = new LinkedHashMap<>(children);
    other.children.forEach((element, child) -> all.merge(element, child, FieldSet::union));
    return new FieldSet(member || other.member, all);
  }

  /** Returns all paths, each before those below it. */
  public List<List<PathElement>> paths() {
    List<List<PathElement>> paths = new ArrayList<>();
    collect(List.of(), paths);
    return List.copyOf(paths);
  }

  private void collect(List<PathElement> path, List<List<PathElement>> paths) {
    if (member) {
      paths.add(path);
    }
    children.forEach(
        (element, child) -> {
          List<PathElement> next = new ArrayList<>(path);
          next.add(element);
          child.collect(List.copyOf(next), paths);
        });
  }

  /** Returns the paths below a step; the empty set if there are none. */
  FieldSet at(PathElement element) {
    return children.getOrDefault(element, EMPTY);
  }

  /** Returns whether the set has no paths below this node. */
  boolean isLeaf() {
    return children.isEmpty();
  }

  /** Returns the next steps of all paths, each with the paths below it. */
  Map<PathElement, FieldSet> children() {
    return children;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet set && member == set.member && children.equals(set.children);
  }

  @Override
  public int hashCode() {
    return children.hashCode() * 31 + Boolean.hashCode(member);
  }

  /** Returns the set as {@code fieldsV1}. */
  @Override
  public String toString() {
    return toFieldsV1().toString();
  }

  private static final class Codec implements JsonCodec<FieldSet> {

    /** The name that marks a node whose own path is in the set, beside those below it. */
    private static final String SELF = ".";

    @Override
    public FieldSet read(JsonReader in) {
      return read(in, false);
    }

    private static FieldSet read(JsonReader in, boolean within) {
      Map<PathElement, FieldSet> children = new LinkedHashMap<>();
      boolean self = false;
      in.beginObject();
      for (String name; (name = in.nextName()) != null; ) {
        if (name.equals(SELF)) {
          self = true;
          in.skip();
        } else {
          children.put(element(in, name), read(in, true));
        }
      }
      if (within && children.isEmpty()) {
        return LEAF;
      }
      return new FieldSet(self && within, children);
    }

    private static PathElement element(JsonReader in, String name) {
      try {
        return PathElement.parse(name);
      } catch (IllegalArgumentException e) {
        throw in.mismatch(requireNonNull(e.getMessage()));
      }
    }

    @Override
    public void write(JsonWriter out, FieldSet set) {
      out.beginObject();
      if (set.member && !set.children.isEmpty()) {
        out.name(SELF);
        out.beginObject();
        out.endObject();
      }
      set.children.forEach(
          (element, child) -> {
            out.name(element.toString());
            write(out, child);
          });
      out.endObject();
    }
  }
}
