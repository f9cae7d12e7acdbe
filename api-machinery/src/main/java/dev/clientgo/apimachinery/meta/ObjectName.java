package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

/**
 * The namespace and the name of an object, which identify it among the objects of one resource. It
 * is the structured form of the keys of stores, and the item that controllers put into their
 * queues.
 *
 * <p>{@link #toString} gives the key and {@link #parse} reads it back:
 *
 * <pre>{@code
 * new ObjectName("kube-system", "coredns").toString(); // kube-system/coredns
 * ObjectName.parse("node-1");                          // no namespace: a cluster-scoped object
 * }</pre>
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.ObjectName}.
 *
 * @param namespace the namespace, empty for a cluster-scoped object
 * @param name the name
 */
public record ObjectName(String namespace, String name) {

  public ObjectName {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  /**
   * Returns the name of the object.
   *
   * @throws KeyException if the object has no name
   */
  public static ObjectName of(KubernetesObject object) {
    ObjectMeta metadata = object.metadata();
    String name = metadata.name();
    if (name == null || name.isEmpty()) {
      throw new KeyException(
          "an object of kind " + object.kind() + " has no metadata.name and so no key", null);
    }
    String namespace = metadata.namespace();
    return new ObjectName(namespace == null ? "" : namespace, name);
  }

  /**
   * Parses {@code namespace/name}, or {@code name} alone for a cluster-scoped object.
   *
   * <p>Corresponds to client-go's {@code ParseObjectName} and {@code SplitMetaNamespaceKey}.
   *
   * @throws KeyException if there is more than one slash
   */
  public static ObjectName parse(String key) {
    int slash = key.indexOf('/');
    if (slash != key.lastIndexOf('/')) {
      throw new KeyException(
          "unexpected key \"" + key + "\": expected \"namespace/name\" or \"name\"", null);
    }
    return slash < 0
        ? new ObjectName("", key)
        : new ObjectName(key.substring(0, slash), key.substring(slash + 1));
  }

  /** Returns {@code namespace/name}, or the name alone for a cluster-scoped object. */
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
