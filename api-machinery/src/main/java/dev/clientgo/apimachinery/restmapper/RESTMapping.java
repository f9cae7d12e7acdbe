package dev.clientgo.apimachinery.restmapper;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;

/**
 * The resource under which a server serves the objects of a kind, and its scope. Corresponds to
 * apimachinery's {@code meta.RESTMapping}.
 *
 * @param resource the resource under which the objects are served
 * @param kind the kind of the objects
 * @param scope whether they live in namespaces
 */
public record RESTMapping(GroupVersionResource resource, GroupVersionKind kind, Scope scope) {

  /** Whether objects live in namespaces or belong to the cluster. */
  public enum Scope {
    /** They live in namespaces. */
    NAMESPACE,
    /** They belong to the cluster. */
    ROOT
  }

  public RESTMapping {
    requireNonNull(resource, "resource");
    requireNonNull(kind, "kind");
    requireNonNull(scope, "scope");
  }

  /** Returns whether the objects live in namespaces. */
  public boolean isNamespaced() {
    return scope == Scope.NAMESPACE;
  }

  /** Returns the resource in a form for people: {@code deployments in apps/v1}. */
  @Override
  public String toString() {
    return resource.resource() + " in " + resource.groupVersion();
  }
}
