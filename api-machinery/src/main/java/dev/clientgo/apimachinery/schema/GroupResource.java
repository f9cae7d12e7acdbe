package dev.clientgo.apimachinery.schema;

import static java.util.Objects.requireNonNull;

/**
 * A resource without a version, such as {@code deployments.apps}.
 *
 * <p>Corresponds to client-go's {@code schema.GroupResource}.
 *
 * @param group the API group, empty for the core group
 * @param resource the resource, as in a URL: plural and lower-case
 */
public record GroupResource(String group, String resource) {

  public GroupResource {
    requireNonNull(group, "group");
    requireNonNull(resource, "resource");
  }

  /** Parses {@code resource.group}; the group begins behind the first dot. */
  public static GroupResource parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new GroupResource("", text)
        : new GroupResource(text.substring(dot + 1), text.substring(0, dot));
  }

  /** Returns whether neither group nor resource is set. */
  public boolean isEmpty() {
    return group.isEmpty() && resource.isEmpty();
  }

  /** Returns this resource at that version. */
  public GroupVersionResource withVersion(String version) {
    return new GroupVersionResource(group, version, resource);
  }

  /** Returns {@code resource.group}, or the resource alone for the core group. */
  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
