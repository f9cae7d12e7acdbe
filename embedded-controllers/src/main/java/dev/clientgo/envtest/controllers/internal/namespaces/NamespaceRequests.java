package dev.clientgo.envtest.controllers.internal.namespaces;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.controller.Request;
import dev.clientgo.kubernetes.core.v1.Namespace;
import java.util.List;
import java.util.Optional;

/** The requests of controllers that keep one object in each namespace. */
final class NamespaceRequests {

  private NamespaceRequests() {}

  /** Returns the function that maps the object of that name to the request for its namespace. */
  static <T extends KubernetesObject> MapFunction<T> of(String name) {
    return object ->
        name.equals(object.metadata().name())
            ? List.of(new Request("", String.valueOf(object.metadata().namespace())))
            : List.of();
  }

  /** Returns whether the namespace of a request exists and is not being deleted. */
  static boolean isActive(Request request, Context context) throws InterruptedException {
    Optional<Namespace> namespace = context.client().resource(Namespace.TYPE).find(request.name());
    return namespace.isPresent() && !namespace.get().metadata().isBeingDeleted();
  }
}
