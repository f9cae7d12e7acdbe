package dev.clientgo.simulation;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.simulation.workload.Invariant.ClusterState;
import java.util.List;
import java.util.Optional;

/**
 * The objects of the simulated server, read without requests.
 *
 * @param server the server
 */
record ServerState(EmbeddedApiServer server) implements ClusterState {

  @Override
  public List<Unstructured> list(GroupVersionResource resource) {
    return server.objects(resource).list();
  }

  @Override
  public Optional<Unstructured> get(GroupVersionResource resource, String namespace, String name) {
    return server.objects(resource).get(namespace, name);
  }

  /** Returns the resource version of the latest change. */
  String version() {
    return server.resourceVersion();
  }
}
