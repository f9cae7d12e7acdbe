package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import org.jspecify.annotations.Nullable;

/**
 * Where the objects of a resource are, in one namespace or in all: begins the requests that go
 * there. Immutable.
 *
 * @param scope where the objects live
 * @param namespace the namespace, null for all
 */
record Endpoint(
    ClientContext context, GroupVersionResource resource, Scope scope, @Nullable String namespace) {

  /** Where objects live. */
  enum Scope {
    /** In namespaces. */
    NAMESPACE,
    /** In the cluster. */
    ROOT,
    /** That is for the caller to know: where no namespace is named, in the cluster. */
    UNKNOWN
  }

  Endpoint {
    requireNonNull(resource, "resource");
  }

  /** Returns the place of a resource of which nothing else is known. */
  static Endpoint of(ClientContext context, GroupVersionResource resource) {
    return new Endpoint(context, resource, Scope.UNKNOWN, null);
  }

  /**
   * Returns the part in one namespace.
   *
   * @throws IllegalArgumentException if there are no namespaces, or the name is empty or may not
   *     stand in a path
   */
  Endpoint inNamespace(String namespace) {
    if (scope == Scope.ROOT) {
      throw new IllegalArgumentException(resource.groupResource() + " do not live in namespaces");
    }
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException("the namespace is empty");
    }
    return new Endpoint(context, resource, scope, PathSegments.check("namespace", namespace));
  }

  /** Returns the part in the namespace of an object, if this is not such a part already. */
  Endpoint home(@Nullable String home) {
    return scope != Scope.ROOT && namespace == null && home != null && !home.isEmpty()
        ? inNamespace(home)
        : this;
  }

  /** Begins a request that concerns all objects. */
  Request collection(String verb) {
    Request request =
        new Request(context, verb)
            .groupVersion(resource.groupVersion())
            .resource(resource.resource());
    return namespace == null ? request : request.namespace(namespace);
  }

  /** Begins a request for the objects that the options select, with as much time as they give. */
  Request list(ListOptions options) {
    return bounded(collection("GET"), options);
  }

  /** Begins a request that deletes the objects that the options select. */
  Request deleteCollection(ListOptions options) {
    return bounded(inKnownNamespace("DELETE"), options);
  }

  private static Request bounded(Request request, ListOptions options) {
    return options.timeout() == null
        ? request.options(options)
        : request.options(options).timeout(options.timeout());
  }

  /** Begins a request to watch the objects that the options select, for as long as they say. */
  Request watch(ListOptions options) {
    return collection("GET").watchTimeout(options.timeout()).params(options.toQuery(true));
  }

  /**
   * Begins a request that concerns the objects of one namespace, or of the cluster.
   *
   * @throws IllegalStateException if nobody has said which
   */
  Request inKnownNamespace(String verb) {
    if (scope == Scope.NAMESPACE && namespace == null) {
      throw new IllegalStateException(
          resource.groupResource() + " live in namespaces: say in which one, by inNamespace");
    }
    return collection(verb);
  }

  /** Begins a request that concerns one object. */
  Request named(String verb, String name) {
    return inKnownNamespace(verb).name(name);
  }

  @Override
  public String toString() {
    return resource.groupResource() + (namespace == null ? "" : " in " + namespace);
  }
}
