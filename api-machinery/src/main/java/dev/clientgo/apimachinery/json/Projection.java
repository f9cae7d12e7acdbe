package dev.clientgo.apimachinery.json;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.internal.projection.FieldPath;
import dev.clientgo.apimachinery.json.internal.projection.FieldTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of objects that a reader decodes. It skips all other fields, and allocates nothing for
 * them.
 *
 * <pre>{@code
 * Projection.keep("spec.nodeName", "status.phase", "spec.containers[*].image")
 * Projection.keep("metadata", "status")                 // whole parts
 * Projection.keep("metadata.annotations[\"example.com/team\"]")
 * Projection.drop("metadata.managedFields")             // all the rest
 * }</pre>
 *
 * <p>A path has the names of JSON, with points between them. The path of a list is also that of its
 * elements; {@code [*]} may mark it. A key of a map that has points is written in brackets and
 * quotes.
 *
 * <p>A projection always keeps {@code apiVersion}, {@code kind}, and of the metadata that which
 * caches, selectors and controllers read: {@code name}, {@code namespace}, {@code uid}, {@code
 * resourceVersion}, {@code generation}, {@code deletionTimestamp}, {@code labels}, {@code
 * ownerReferences} and {@code finalizers}. {@link #keep} keeps {@code metadata.managedFields} only
 * if a path names them, not with {@code metadata}.
 *
 * <p>An object that was read with a projection is marked by {@code metadata().projection()}, also
 * after edits. A client refuses to write it, unless the projection {@linkplain #isWritable left out
 * only managed fields}: the server would delete the fields that are missing.
 *
 * <p>Immutable. Two projections are equal if they keep the same fields.
 */
public final class Projection {

  private static final List<String> MANAGED_FIELDS = List.of("metadata", "managedFields");

  private static final List<List<String>> ALWAYS_KEPT =
      Stream.concat(
              Stream.of(List.of("apiVersion"), List.of("kind")),
              Stream.of(
                      "name",
                      "namespace",
                      "uid",
                      "resourceVersion",
                      "generation",
                      "deletionTimestamp",
                      "labels",
                      "ownerReferences",
                      "finalizers")
                  .map(name -> List.of("metadata", name)))
          .toList();

  /** Leaves out only the managed fields. */
  public static final Projection WITHOUT_MANAGED_FIELDS = drop("metadata.managedFields");

  private final FieldTree fields;

  /** The paths that the caller gave. */
  private final List<List<String>> paths;

  private final String description;

  private Projection(FieldTree fields, List<List<String>> paths, String description) {
    this.fields = fields;
    this.paths = paths;
    this.description = description;
  }

  /**
   * Returns the projection that keeps the fields at these paths, with everything below them.
   *
   * @throws IllegalArgumentException if one of them is not the path of a field
   */
  public static Projection keep(String... paths) {
    List<List<String>> named = parse(paths);
    List<List<String>> kept = new ArrayList<>(ALWAYS_KEPT);
    kept.addAll(named);
    FieldTree fields = FieldTree.keep(kept);
    boolean managedFieldsNamed = named.stream().anyMatch(Projection::isInManagedFields);
    return new Projection(
        managedFieldsNamed ? fields : fields.and(FieldTree.drop(List.of(MANAGED_FIELDS))),
        named,
        "keep(" + String.join(", ", paths) + ")");
  }

  private static boolean isInManagedFields(List<String> path) {
    return path.size() >= 2 && path.subList(0, 2).equals(MANAGED_FIELDS);
  }

  /**
   * Returns the projection that keeps all fields but those at these paths.
   *
   * @throws IllegalArgumentException if one of them is not the path of a field, or would leave out
   *     a field that is always kept
   */
  public static Projection drop(String... paths) {
    List<List<String>> named = parse(paths);
    FieldTree fields = FieldTree.drop(named);
    for (List<String> always : ALWAYS_KEPT) {
      if (!fields.at(always).keepsAll()) {
        throw new IllegalArgumentException(
            "cannot drop "
                + String.join(".", always)
                + ", which caches and controllers read; name the fields within it");
      }
    }
    return new Projection(fields, named, "drop(" + String.join(", ", paths) + ")");
  }

  private static List<List<String>> parse(String... paths) {
    if (paths.length == 0) {
      throw new IllegalArgumentException("a projection needs the path of at least one field");
    }
    return Arrays.stream(paths).map(path -> FieldPath.parse(requireNonNull(path, "path"))).toList();
  }

  /** Returns the projection that keeps what both this one and the other keep. */
  public Projection and(Projection other) {
    FieldTree both = fields.and(other.fields);
    if (both.equals(fields)) {
      return this;
    }
    return new Projection(
        both,
        Stream.concat(paths.stream(), other.paths.stream()).toList(),
        description + " and " + other.description);
  }

  /**
   * Returns whether the field at a path is kept, at least in part.
   *
   * @throws IllegalArgumentException if this is not the path of a field
   */
  public boolean keeps(String path) {
    return !fields.at(FieldPath.parse(path)).keepsNothing();
  }

  /** Returns whether the managed fields are left out, so that a server need not send them. */
  public boolean dropsManagedFields() {
    return fields.at(MANAGED_FIELDS).keepsNothing();
  }

  /**
   * Returns whether objects that were read with this projection can be written back. They can if
   * only their managed fields are missing: a server keeps its own if an object has none.
   */
  public boolean isWritable() {
    return equals(WITHOUT_MANAGED_FIELDS);
  }

  /** Returns the paths that the caller gave. */
  List<List<String>> paths() {
    return paths;
  }

  FieldTree fields() {
    return fields;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Projection projection && fields.equals(projection.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  /** Returns the projection as it was written, such as {@code keep(status.phase)}. */
  @Override
  public String toString() {
    return description;
  }
}
