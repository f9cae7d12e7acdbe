package dev.clientgo.rest.internal.http;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.rest.internal.text.PathSegments;
import org.jspecify.annotations.Nullable;

/**
 * A resource of a server, in one namespace or in all. Immutable.
 *
 * @param scope where the objects live
 * @param namespace the namespace, null for all
 */
public record Endpoint(
    ClientContext context, GroupVersionResource resource, Scope scope, @Nullable String namespace) {

  /** Where objects live. */
  public enum Scope {
    /** In namespaces. */
    NAMESPACE,
    /** In the cluster. */
    ROOT,
    /** The caller knows. Without a namespace, requests go to the cluster. */
    UNKNOWN
  }

  public Endpoint {
    requireNonNull(resource, "resource");
  }

  /** Returns the endpoint of a resource by its name alone. */
  public static Endpoint of(ClientContext context, GroupVersionResource resource) {
    return new Endpoint(context, resource, Scope.UNKNOWN, null);
  }

  /**
   * Returns the endpoint for one namespace.
   *
   * @throws IllegalArgumentException if the resource has no namespaces, or the name is empty or not
   *     allowed in a path
   */
  public Endpoint inNamespace(String namespace) {
    if (scope == Scope.ROOT) {
      throw new IllegalArgumentException(resource.groupResource() + " do not live in namespaces");
    }
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException("the namespace is empty");
    }
    return new Endpoint(context, resource, scope, PathSegments.check("namespace", namespace));
  }

  /** Returns the endpoint for the namespace of an object, unless this is for one namespace. */
  public Endpoint inNamespaceOf(@Nullable String objectNamespace) {
    return scope != Scope.ROOT
            && namespace == null
            && objectNamespace != null
            && !objectNamespace.isEmpty()
        ? inNamespace(objectNamespace)
        : this;
  }

  /**
   * Returns this endpoint if it is for one namespace or for the cluster.
   *
   * @throws IllegalStateException if the objects live in namespaces and none is set
   */
  public Endpoint requireNamespace() {
    if (scope == Scope.NAMESPACE && namespace == null) {
      throw new IllegalStateException(
          resource.groupResource() + " live in namespaces: say in which one, by inNamespace");
    }
    return this;
  }

  @Override
  public String toString() {
    return resource.groupResource() + (namespace == null ? "" : " in " + namespace);
  }
}
