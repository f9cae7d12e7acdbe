package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.List;

/**
 * Reads one namespace of a cache; see {@link Lister#inNamespace}.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache.GenericNamespaceLister}.
 *
 * @param <T> the type of the objects
 */
public final class NamespaceLister<T extends KubernetesObject> {

  private final Lister<T> lister;
  private final String namespace;

  NamespaceLister(Lister<T> lister, String namespace) {
    this.lister = lister;
    this.namespace = requireNonNull(namespace, "namespace");
  }

  /** Returns all objects of the namespace. */
  public List<T> list() {
    return list(Selector.everything());
  }

  /** Returns the selected objects of the namespace. */
  public List<T> list(Selector selector) {
    return lister.list(namespace, selector);
  }

  /**
   * Returns an object of the namespace.
   *
   * @throws ApiStatusException if there is none in the cache: {@link ApiStatusException#isNotFound}
   * @throws IllegalStateException if this lists all namespaces, and objects of this type live in
   *     namespaces
   */
  public T get(String name) {
    return lister.get(new ObjectName(namespace, name));
  }
}
