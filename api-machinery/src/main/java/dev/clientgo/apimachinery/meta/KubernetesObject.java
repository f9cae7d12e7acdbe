package dev.clientgo.apimachinery.meta;

import java.util.function.UnaryOperator;

/**
 * An object of the API, with a type, a name and a version. Immutable, so a cache can share it with
 * all readers without a copy.
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

  /**
   * Returns this object with other metadata. An implementation returns its own type.
   *
   * <p>Code that knows the type can use the type's {@code with}. This method is for code that works
   * with objects of any type; {@link #edit} calls it.
   */
  KubernetesObject withMetadata(ObjectMeta metadata);

  /**
   * Returns an object of any type with metadata that a function has changed; the same object if the
   * function has changed nothing.
   *
   * <pre>{@code
   * T slim = KubernetesObject.edit(object, meta -> meta.with(m -> m.managedFields(List.of())));
   * }</pre>
   */
  @SuppressWarnings("unchecked") // withMetadata returns the type of the object
  static <T extends KubernetesObject> T edit(T object, UnaryOperator<ObjectMeta> change) {
    ObjectMeta changed = change.apply(object.metadata());
    return changed.equals(object.metadata()) ? object : (T) object.withMetadata(changed);
  }
}
