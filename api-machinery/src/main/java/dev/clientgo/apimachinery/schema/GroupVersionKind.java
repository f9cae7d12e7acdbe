package dev.clientgo.apimachinery.schema;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The full name of a kind, which an object has in {@code apiVersion} and {@code kind}.
 *
 * <p>Corresponds to client-go's {@code schema.GroupVersionKind}.
 *
 * @param group the API group, empty for the core group
 * @param version the version within the group
 * @param kind the kind, in its exact spelling
 */
public record GroupVersionKind(String group, String version, String kind) {

  public GroupVersionKind {
    requireNonNull(group, "group");
    requireNonNull(version, "version");
    requireNonNull(kind, "kind");
  }

  /**
   * Returns the kind that {@code apiVersion} and {@code kind} name. If the {@code apiVersion} is
   * not valid, the result has only the kind, as upstream.
   */
  public static GroupVersionKind fromApiVersionAndKind(String apiVersion, String kind) {
    try {
      return GroupVersion.parse(apiVersion).withKind(kind);
    } catch (IllegalArgumentException e) {
      return new GroupVersionKind("", "", kind);
    }
  }

  /**
   * Parses {@code Kind.version.group}.
   *
   * @return empty if the text has fewer than two dots; {@link GroupKind#parse} accepts any text
   */
  public static Optional<GroupVersionKind> parseKindArg(String arg) {
    String[] parts = arg.split("\\.", 3);
    return parts.length < 3
        ? Optional.empty()
        : Optional.of(new GroupVersionKind(parts[2], parts[1], parts[0]));
  }

  /** Returns whether no part is set. */
  public boolean isEmpty() {
    return group.isEmpty() && version.isEmpty() && kind.isEmpty();
  }

  /** Returns group and version. */
  public GroupVersion groupVersion() {
    return new GroupVersion(group, version);
  }

  /** Returns group and kind. */
  public GroupKind groupKind() {
    return new GroupKind(group, kind);
  }

  /** Returns the {@code apiVersion} of objects of this kind. */
  public String apiVersion() {
    return groupVersion().toString();
  }

  /** Returns {@code <group>/<version>, Kind=<kind>}; begins with a slash in the core group. */
  @Override
  public String toString() {
    return group + "/" + version + ", Kind=" + kind;
  }
}
