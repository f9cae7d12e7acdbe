package dev.clientgo.apimachinery.schema;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The full name of a kind: what {@code apiVersion} and {@code kind} of an object say together.
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
   * Returns the kind that an object's two fields name. An {@code apiVersion} that does not parse
   * gives a value with the kind alone, as upstream does.
   */
  public static GroupVersionKind fromApiVersionAndKind(String apiVersion, String kind) {
    try {
      return GroupVersion.parse(apiVersion).withKind(kind);
    } catch (IllegalArgumentException e) {
      return new GroupVersionKind("", "", kind);
    }
  }

  /**
   * Reads {@code Kind.version.group}, which needs at least two dots.
   *
   * @return empty if there are fewer dots; {@link GroupKind#parse} always gives a reading
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

  /** Returns {@code <group>/<version>, Kind=<kind>}; the core group leaves a leading slash. */
  @Override
  public String toString() {
    return group + "/" + version + ", Kind=" + kind;
  }
}
