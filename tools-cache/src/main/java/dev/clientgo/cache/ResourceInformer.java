package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;

/**
 * The informer of one resource in a factory, which is made when it is first asked for.
 *
 * <p>This is what the methods of a generated factory return: {@code factory.core().v1().pods()}.
 * Immutable, safe for use by many threads. Corresponds to the informers that client-go's
 * informer-gen makes, such as {@code informers/core/v1.PodInformer}.
 *
 * @param <T> the type of the objects
 */
public final class ResourceInformer<T extends KubernetesObject> {

  private final SharedInformerFactory factory;
  private final ResourceType<T> type;

  private ResourceInformer(SharedInformerFactory factory, ResourceType<T> type) {
    this.factory = requireNonNull(factory, "factory");
    this.type = requireNonNull(type, "type");
  }

  /** Returns the informer of a resource in a factory. */
  public static <T extends KubernetesObject> ResourceInformer<T> of(
      SharedInformerFactory factory, ResourceType<T> type) {
    return new ResourceInformer<>(factory, type);
  }

  /** Returns the resource. */
  public ResourceType<T> type() {
    return type;
  }

  /** Returns the factory's informer of the resource; it is made, but not started, by this call. */
  public SharedIndexInformer<T> informer() {
    return factory.informer(type);
  }

  /** Returns a lister of the informer's cache. */
  public Lister<T> lister() {
    return informer().lister(type);
  }

  @Override
  public String toString() {
    return "ResourceInformer[" + type + "]";
  }
}
