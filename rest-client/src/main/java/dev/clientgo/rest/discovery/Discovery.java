package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.schema.GroupVersion;
import java.util.List;

/**
 * Finds the groups, versions and resources of a server. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code discovery.DiscoveryInterface}.
 */
public interface Discovery {

  /**
   * Returns the groups of the server and their versions.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if discovery fails
   * @throws InterruptedException if the thread is interrupted
   */
  List<APIGroup> serverGroups() throws InterruptedException;

  /**
   * Returns the resources of one version of a group; empty if the server does not have that version
   * of the core group.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if discovery fails
   * @throws InterruptedException if the thread is interrupted
   */
  List<APIResource> serverResourcesForGroupVersion(GroupVersion version)
      throws InterruptedException;

  /**
   * Returns all groups and resources of the server, with the versions that could not be read as
   * failures.
   *
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the groups cannot be read
   * @throws InterruptedException if the thread is interrupted
   */
  ServerResources serverGroupsAndResources() throws InterruptedException;
}
