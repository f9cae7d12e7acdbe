package dev.clientgo.apimachinery.schema;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * An API group and one of its versions, such as {@code apps/v1}; the core group is the empty
 * string.
 *
 * <p>Corresponds to client-go's {@code schema.GroupVersion}.
 *
 * @param group the API group, empty for the core group
 * @param version the version within the group
 */
public record GroupVersion(String group, String version) {

  /** The version of an in-memory form, which is never sent. */
  public static final String INTERNAL = "__internal";

  public GroupVersion {
    requireNonNull(group, "group");
    requireNonNull(version, "version");
  }

  /**
   * Parses an {@code apiVersion}: {@code group/version}, or {@code version} alone for the core
   * group. Returns the empty value for the empty string and for {@code "/"}.
   *
   * @throws IllegalArgumentException if the text has more than one slash
   */
  public static GroupVersion parse(String apiVersion) {
    if (apiVersion.isEmpty() || apiVersion.equals("/")) {
      return new GroupVersion("", "");
    }
    int slash = apiVersion.indexOf('/');
    if (slash != apiVersion.lastIndexOf('/')) {
      throw new IllegalArgumentException("unexpected GroupVersion string: " + apiVersion);
    }
    return slash < 0
        ? new GroupVersion("", apiVersion)
        : new GroupVersion(apiVersion.substring(0, slash), apiVersion.substring(slash + 1));
  }

  /** Returns whether neither group nor version is set. */
  public boolean isEmpty() {
    return group.isEmpty() && version.isEmpty();
  }

  /** Returns the kind of that name in this group and version. */
  public GroupVersionKind withKind(String kind) {
    return new GroupVersionKind(group, version, kind);
  }

  /** Returns the resource of that name in this group and version. */
  public GroupVersionResource withResource(String resource) {
    return new GroupVersionResource(group, version, resource);
  }

  /**
   * Chooses, among the kinds that an object may have, the one for this group and version: the first
   * exact match, or else the first kind of the same group, with this version.
   */
  public Optional<GroupVersionKind> kindFor(List<GroupVersionKind> kinds) {
    for (GroupVersionKind kind : kinds) {
      if (kind.groupVersion().equals(this)) {
        return Optional.of(kind);
      }
    }
    for (GroupVersionKind kind : kinds) {
      if (kind.group().equals(group)) {
        return Optional.of(withKind(kind.kind()));
      }
    }
    return Optional.empty();
  }

  /**
   * Chooses, among the kinds that an object may have, the one for these groups and versions: the
   * first result of {@link #kindFor(List)} that is among the kinds, or else the first result.
   *
   * <p>Corresponds to client-go's {@code GroupVersions.KindForGroupVersionKinds}.
   */
  public static Optional<GroupVersionKind> kindFor(
      List<GroupVersion> versions, List<GroupVersionKind> kinds) {
    List<GroupVersionKind> targets =
        versions.stream().flatMap(version -> version.kindFor(kinds).stream()).toList();
    return targets.stream()
        .filter(kinds::contains)
        .findFirst()
        .or(() -> targets.stream().findFirst());
  }

  /** Returns the {@code apiVersion} form: the version alone for the core group. */
  @Override
  public String toString() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
