package dev.clientgo.simulation.workload;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import java.util.Optional;

/** The objects of the simulated cluster, as they are now. The simulation implements it. */
public interface ClusterState {

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
