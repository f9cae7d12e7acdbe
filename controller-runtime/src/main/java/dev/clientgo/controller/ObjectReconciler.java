package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * A step of a reconciler that has the object already.
 *
 * <p>Corresponds to controller-runtime's {@code reconcile.ObjectReconciler}.
 *
 * @param <T> the type of the object
 */
@FunctionalInterface
public interface ObjectReconciler<T extends KubernetesObject> {

  /**
   * Takes the step. A failure is any exception, as in {@link Reconciler#reconcile}.
   *
   * @return when to reconcile again
   */
  Result reconcile(T object, Context context) throws Exception;
}
