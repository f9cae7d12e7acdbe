package dev.clientgo.apimachinery.schema;

import static java.util.Objects.requireNonNull;

/**
 * A kind without a version, such as {@code Deployment.apps}.
 *
 * <p>Corresponds to client-go's {@code schema.GroupKind}.
 *
 * @param group the API group, empty for the core group
 * @param kind the kind, in its exact spelling
 */
public record GroupKind(String group, String kind) {

  public GroupKind {
    requireNonNull(group, "group");
    requireNonNull(kind, "kind");
  }

  /** Parses {@code Kind.group}; the group begins behind the first dot. */
  public static GroupKind parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new GroupKind("", text)
        : new GroupKind(text.substring(dot + 1), text.substring(0, dot));
  }

  /** Returns whether neither group nor kind is set. */
  public boolean isEmpty() {
    return group.isEmpty() && kind.isEmpty();
  }

  /** Returns this kind at that version. */
  public GroupVersionKind withVersion(String version) {
    return new GroupVersionKind(group, version, kind);
  }

  /** Returns {@code Kind.group}, or the kind alone for the core group. */
  @Override
  public String toString() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
