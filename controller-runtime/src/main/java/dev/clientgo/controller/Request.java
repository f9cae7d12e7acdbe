package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;

/**
 * Names the object that a {@link Reconciler} should reconcile. It holds no event: however many
 * changes asked for the reconcile, the reconciler looks at the state as it is.
 *
 * <p>Immutable. Corresponds to controller-runtime's {@code reconcile.Request}, and to {@code
 * mcreconcile.Request} of multicluster-runtime.
 *
 * @param cluster the cluster, empty outside of {@link Clusters}
 * @param namespace the namespace, empty for a cluster-scoped object
 * @param name the name
 */
public record Request(String cluster, String namespace, String name) {

  public Request {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  /** Creates a request without a cluster. */
  public Request(String namespace, String name) {
    this("", namespace, name);
  }

  /** Returns the request for an object with that namespace and name. */
  public static Request of(ObjectName name) {
    return new Request(name.namespace(), name.name());
  }

  /**
   * Returns the request for an object.
   *
   * @throws RuntimeException if the object has no name
   */
  public static Request of(KubernetesObject object) {
    return of(ObjectName.of(object));
  }

  /** Returns the request for the object of the same name in a cluster. */
  public Request inCluster(String other) {
    return new Request(other, namespace, name);
  }

  /** Returns the name of the object in its cluster, as listers take it. */
  public ObjectName objectName() {
    return new ObjectName(namespace, name);
  }

  /**
   * Returns {@code namespace/name}, or the name alone for a cluster-scoped object; with a cluster,
   * {@code cluster://CLUSTER/} stands before it.
   */
  @Override
  public String toString() {
    return cluster.isEmpty()
        ? objectName().toString()
        : "cluster://" + cluster + "/" + objectName();
  }
}
