package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.InformerHealth;

/** Says why the cache of an informer is not filled, and what to do. */
public final class CacheProblem {

  private CacheProblem() {}

  public static String of(ResourceType<?> type, InformerHealth health) {
    RuntimeException error = health.lastError().orElse(null);
    return error == null
        ? type + " (" + health.state() + ", the server has not answered yet)"
        : type + " (" + health.state() + ", " + error.getMessage() + advice(type, error) + ")";
  }

  private static String advice(ResourceType<?> type, RuntimeException error) {
    ApiStatusException status = ApiStatusException.find(error).orElse(null);
    if (status == null) {
      return "";
    } else if (status.isForbidden()) {
      return "; grant the verbs list and watch on " + type + " to this user";
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
