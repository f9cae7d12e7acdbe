package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.List;

/**
 * Tells what a server serves. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code discovery.DiscoveryInterface}.
 */
public interface Discovery {

  /**
   * Returns the groups that the server serves, and their versions.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the server does not say
   * @throws InterruptedException if the thread is interrupted
   */
  List<APIGroup> serverGroups() throws InterruptedException;

  /**
   * Returns the resources of one version of a group; none if the server does not know the core
   * version that is asked for.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the server does not say
   * @throws InterruptedException if the thread is interrupted
   */
  List<APIResource> serverResourcesForGroupVersion(GroupVersion version)
      throws InterruptedException;

  /**
   * Returns all that the server serves. What cannot be found out is a failure in the result.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the server does not even say
   *     which groups there are
   * @throws InterruptedException if the thread is interrupted
   */
  ServerResources serverGroupsAndResources() throws InterruptedException;
}
