package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.InformerHealth;

/** Says why the cache of an informer is not filled, and what to do. */
final class CacheProblem {

  private CacheProblem() {}

  static String of(ResourceType<?> type, CacheScope scope, InformerHealth health) {
    RuntimeException error = health.lastError().orElse(null);
    String cache = type + scope.place() + " (" + health.state() + ", ";
    return error == null
        ? cache + "the server has not answered yet)"
        : cache + error.getMessage() + advice(type, scope, error) + ")";
  }

  private static String advice(ResourceType<?> type, CacheScope scope, RuntimeException error) {
    ApiStatusException status = ApiStatusException.find(error).orElse(null);
    if (status == null) {
      return "";
    } else if (status.isForbidden()) {
      return "; grant the verbs list and watch on " + type + scope.place() + " to this user";
    } else if (status.isNotFound()) {
      return "; the server does not serve "
          + type.resource().groupVersion()
          + " "
          + type.resource().resource()
          + ": is the CustomResourceDefinition installed?";
    }
    return "";
  }
}
