package dev.clientgo.apimachinery.schema;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The full name of a resource: the path segments under which a server serves it.
 *
 * <p>Corresponds to client-go's {@code schema.GroupVersionResource}.
 *
 * @param group the API group, empty for the core group
 * @param version the version within the group
 * @param resource the resource, as in a URL: plural and lower-case
 */
public record GroupVersionResource(String group, String version, String resource) {

  public GroupVersionResource {
    requireNonNull(group, "group");
    requireNonNull(version, "version");
    requireNonNull(resource, "resource");
  }

  /**
   * Parses {@code resource.version.group}.
   *
   * @return empty if the text has fewer than two dots; {@link GroupResource#parse} accepts any text
   */
  public static Optional<GroupVersionResource> parseResourceArg(String arg) {
    String[] parts = arg.split("\\.", 3);
    return parts.length < 3
        ? Optional.empty()
        : Optional.of(new GroupVersionResource(parts[2], parts[1], parts[0]));
  }

  /** Returns whether no part is set. */
  public boolean isEmpty() {
    return group.isEmpty() && version.isEmpty() && resource.isEmpty();
  }

  /** Returns group and version. */
  public GroupVersion groupVersion() {
    return new GroupVersion(group, version);
  }

  /** Returns group and resource. */
  public GroupResource groupResource() {
    return new GroupResource(group, resource);
  }

  /**
   * Returns {@code <group>/<version>, Resource=<resource>}, as client-go does; the core group
   * leaves a leading slash. In messages for people use {@link #groupResource()}: {@code pods}.
   */
  @Override
  public String toString() {
    return group + "/" + version + ", Resource=" + resource;
  }
}
