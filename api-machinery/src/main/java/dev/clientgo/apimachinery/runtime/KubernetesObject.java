package dev.clientgo.apimachinery.runtime;

import dev.clientgo.apimachinery.meta.ObjectMeta;

/**
 * An object of the API: something with a type, a name and a version. Immutable, so that it can be
 * cached and handed to every reader without a copy.
 *
 * <p>Corresponds to client-go's {@code runtime.Object} with {@code metav1.Object}.
 */
public interface KubernetesObject {

  /** Returns group and version of the type, such as {@code apps/v1}. */
  String apiVersion();

  /** Returns the kind of the type, such as {@code Deployment}. */
  String kind();

  /** Returns the metadata; {@link ObjectMeta#EMPTY} if the object has none. */
  ObjectMeta metadata();
}
