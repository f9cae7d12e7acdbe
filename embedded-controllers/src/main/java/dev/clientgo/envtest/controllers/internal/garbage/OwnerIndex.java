package dev.clientgo.envtest.controllers.internal.garbage;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.cache.IndexFunction;

/** The index of all caches that files objects under each of their owners. */
public final class OwnerIndex {

  /** The name of the index. */
  public static final String NAME = "owner";

  /** Files an object under each of its owners. */
  public static final IndexFunction<KubernetesObject> FUNCTION =
      object -> object.metadata().ownerReferences().stream().map(OwnerIndex::value).toList();

  private OwnerIndex() {}

  /** Returns the value for an owner, without its namespace, which is that of the dependents. */
  public static String value(GroupKind kind, String name) {
    return kind + "/" + name;
  }

  private static String value(OwnerReference owner) {
    return value(kind(owner), String.valueOf(owner.name()));
  }

  /** Returns the group and kind of an owner. */
  static GroupKind kind(OwnerReference owner) {
    return new GroupKind(group(owner), String.valueOf(owner.kind()));
  }

  /** Returns the group, version and kind of an owner. */
  static GroupVersionKind versionedKind(OwnerReference owner) {
    String version = String.valueOf(owner.apiVersion());
    return kind(owner).withVersion(version.substring(version.indexOf('/') + 1));
  }

  private static String group(OwnerReference owner) {
    String version = String.valueOf(owner.apiVersion());
    return version.substring(0, Math.max(0, version.indexOf('/')));
  }
}
