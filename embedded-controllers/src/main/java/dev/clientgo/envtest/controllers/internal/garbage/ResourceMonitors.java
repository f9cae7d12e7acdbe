package dev.clientgo.envtest.controllers.internal.garbage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.ServerResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The kinds whose objects the garbage collector follows: all that the server lets list, watch and
 * delete, without events. Only metadata is followed.
 *
 * <p>Safe for use by many threads. Corresponds to the monitors of {@code GraphBuilder} in {@code
 * pkg/controller/garbagecollector}. Unlike there, a change of a CustomResourceDefinition is a
 * reason to ask which kinds there are, and not the time.
 */
final class ResourceMonitors {

  private static final List<String> VERBS = List.of("delete", "list", "watch");
  private static final Set<String> IGNORED = Set.of("events", "events.events.k8s.io");

  /**
   * The kinds at one moment.
   *
   * @param types the followed types by their resource, such as {@code deployments.apps}
   * @param resources the resource of each kind that is served, in each version
   */
  private record Kinds(
      Map<String, ResourceType<PartialObjectMetadata>> types,
      Map<GroupVersionKind, String> resources) {}

  private final DiscoveryClient discovery;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile Kinds kinds = new Kinds(Map.of(), Map.of());

  /** Kinds that were served and are no more, and so have no objects. */
  @GuardedBy("lock")
  private final Set<GroupKind> vanished = new HashSet<>();

  private ResourceMonitors(RESTClient client) {
    discovery = DiscoveryClient.of(client);
  }

  /** Returns the kinds that the server has now. */
  static ResourceMonitors discover(RESTClient client) throws InterruptedException {
    ResourceMonitors monitors = new ResourceMonitors(client);
    monitors.kinds = monitors.discover();
    return monitors;
  }

  private Kinds discover() throws InterruptedException {
    ServerResources served = discovery.serverGroupsAndResources();
    Map<String, ResourceType<PartialObjectMetadata>> types = new LinkedHashMap<>();
    served.preferred().forEach((version, all) -> all.forEach(each -> add(types, version, each)));
    kinds.types.forEach(
        (resource, type) -> {
          if (served.failures().containsKey(type.resource().groupVersion())) {
            types.putIfAbsent(resource, type);
          }
        });
    Map<GroupVersionKind, String> resources = new HashMap<>();
    served
        .resources()
        .forEach(
            (version, all) ->
                all.stream()
                    .filter(each -> !each.isSubresource())
                    .forEach(
                        each ->
                            resources.put(
                                each.groupVersionKind(version),
                                version.withResource(each.name()).groupResource().toString())));
    return new Kinds(types, resources);
  }

  private static void add(
      Map<String, ResourceType<PartialObjectMetadata>> types,
      GroupVersion version,
      APIResource resource) {
    ResourceType<PartialObjectMetadata> type =
        ResourceType.metadata(
            resource.groupVersionKind(version), resource.name(), resource.namespaced());
    if (!resource.isSubresource()
        && resource.supports(VERBS)
        && !IGNORED.contains(type.toString())) {
      types.put(type.toString(), type);
    }
  }

  /** Returns all followed types. */
  Collection<ResourceType<PartialObjectMetadata>> all() {
    return kinds.types.values();
  }

  /** Returns the followed type of that resource, such as {@code deployments.apps}. */
  Optional<ResourceType<PartialObjectMetadata>> byResource(String resource) {
    return Optional.ofNullable(kinds.types.get(resource));
  }

  /** Returns the followed type of an owner; empty if the server does not serve its version. */
  Optional<ResourceType<PartialObjectMetadata>> ofOwner(OwnerReference owner) {
    Kinds now = kinds;
    return Optional.ofNullable(now.resources.get(OwnerIndex.versionedKind(owner)))
        .map(now.types::get);
  }

  /** Returns whether the server has once served the kind of an owner, and does so no longer. */
  boolean hasVanished(OwnerReference owner) {
    lock.lock();
    try {
      return vanished.contains(OwnerIndex.kind(owner));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks the server which kinds it has, and lets a controller watch new ones, and no others.
   *
   * @return whether there was a change
   */
  boolean sync(
      Controller controller,
      Function<ResourceType<PartialObjectMetadata>, MapFunction<PartialObjectMetadata>> map)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Kinds next = discover();
      Map<String, ResourceType<PartialObjectMetadata>> gone = new HashMap<>(kinds.types);
      List<ResourceType<PartialObjectMetadata>> added = new ArrayList<>();
      next.types.replaceAll(
          (resource, type) -> {
            ResourceType<PartialObjectMetadata> present = kinds.types.get(resource);
            if (present != null && present.resource().equals(type.resource())) {
              gone.remove(resource);
              return present;
            }
            added.add(type);
            return type;
          });
      kinds = next;
      Set<GroupKind> served =
          next.resources.keySet().stream()
              .map(GroupVersionKind::groupKind)
              .collect(Collectors.toSet());
      gone.values().forEach(type -> vanished.add(type.kind().groupKind()));
      vanished.removeAll(served);
      for (ResourceType<PartialObjectMetadata> type : added) {
        controller.watch(type, map.apply(type));
      }
      gone.values().forEach(controller::unwatch);
      return !added.isEmpty() || !gone.isEmpty();
    } finally {
      lock.unlock();
    }
  }
}
