package dev.clientgo.simulation.workload;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Optional;

/** A condition that must hold after each change in the cluster. */
@FunctionalInterface
public interface Invariant {

  /**
   * Checks the state, and throws if the invariant does not hold; an {@link AssertionError} will do.
   *
   * @throws Exception if it does not hold
   */
  void check(ClusterState state) throws Exception;

  /** The objects of the simulated cluster, as they are now. The simulation implements it. */
  interface ClusterState {

    /**
     * Returns the objects of a resource.
     *
     * @throws IllegalArgumentException if the server does not serve the resource
     */
    List<Unstructured> list(GroupVersionResource resource);

    /** Returns the objects of a resource. */
    default List<Unstructured> list(ResourceType<?> type) {
      return list(type.resource());
    }

    /**
     * Returns an object.
     *
     * @param namespace the namespace, empty for a cluster-scoped object
     */
    Optional<Unstructured> get(GroupVersionResource resource, String namespace, String name);
  }
}
