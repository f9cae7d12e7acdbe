package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * An object that was created or changed, and which of both it was.
 *
 * @param result what was done
 * @param object the object as the server stored it, or as the cache has it if nothing was done
 * @param <T> the type of the object
 */
public record Operation<T extends KubernetesObject>(OperationResult result, T object) {

  /** Returns whether something was written. */
  public boolean isChanged() {
    return result != OperationResult.UNCHANGED;
  }
}
