package dev.clientgo.envtest.controllers.internal.namespaces;

import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.ServerResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes all objects in a namespace. Pods go first: other objects stay while a pod, which may use
 * them, is left.
 *
 * <p>Corresponds to {@code namespacedResourcesDeleter} in {@code
 * pkg/controller/namespace/deletion}.
 */
final class NamespaceContent {

  private static final List<String> VERBS = List.of("delete", "list");
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");

  /** How long upstream expects finalizers to hold an object. */
  private static final Duration FINALIZERS_ESTIMATE = Duration.ofSeconds(15);

  private static final DeleteOptions IN_BACKGROUND =
      DeleteOptions.builder().propagationPolicy(DeletionPropagation.BACKGROUND).build();

  private final RESTClient client;
  private final DiscoveryClient discovery;

  NamespaceContent(RESTClient client) {
    this.client = client;
    this.discovery = DiscoveryClient.of(client);
  }

  /**
   * The part of a namespace that could not be deleted at once.
   *
   * @param objects the objects that are left, by their type
   * @param failures the messages of the server about objects that it refused to delete
   * @param undiscovered why not all kinds are known; empty if they are
   */
  record Remains(
      Map<ResourceType<PartialObjectMetadata>, List<PartialObjectMetadata>> objects,
      List<String> failures,
      Optional<String> undiscovered) {

    /** Returns whether pods are left, for which all other objects wait. */
    boolean podsAlone() {
      return objects.keySet().stream().anyMatch(type -> type.resource().equals(PODS));
    }

    boolean isEmpty() {
      return objects.isEmpty() && failures.isEmpty() && undiscovered.isEmpty();
    }

    /** Returns the types of which something is left. */
    List<ResourceType<PartialObjectMetadata>> types() {
      return List.copyOf(objects.keySet());
    }

    /** Returns how long it may take until nothing is left. */
    Duration estimate() {
      return objects.values().stream()
          .flatMap(List::stream)
          .map(Remains::estimate)
          .reduce(Duration.ZERO, (one, other) -> one.compareTo(other) < 0 ? other : one);
    }

    private static Duration estimate(PartialObjectMetadata object) {
      Long seconds = object.metadata().deletionGracePeriodSeconds();
      Duration grace = Duration.ofSeconds(seconds == null ? 0 : seconds);
      boolean isHeld = !object.metadata().finalizers().isEmpty();
      return isHeld && grace.compareTo(FINALIZERS_ESTIMATE) < 0 ? FINALIZERS_ESTIMATE : grace;
    }
  }

  /** Deletes all objects in a namespace, as far as possible at once, and returns the rest. */
  Remains delete(String namespace) throws InterruptedException {
    ServerResources served = discovery.serverGroupsAndResources();
    Map<ResourceType<PartialObjectMetadata>, List<PartialObjectMetadata>> left =
        new LinkedHashMap<>();
    List<String> failures = new ArrayList<>();
    List<ResourceType<PartialObjectMetadata>> pods = new ArrayList<>();
    List<ResourceType<PartialObjectMetadata>> others = new ArrayList<>();
    for (ResourceType<PartialObjectMetadata> type : types(served)) {
      (type.resource().equals(PODS) ? pods : others).add(type);
    }
    for (ResourceType<PartialObjectMetadata> type : pods) {
      deleteAll(type, namespace, left, failures);
    }
    if (left.isEmpty() && failures.isEmpty()) {
      for (ResourceType<PartialObjectMetadata> type : others) {
        deleteAll(type, namespace, left, failures);
      }
    }
    return new Remains(left, failures, served.problem());
  }

  private static List<ResourceType<PartialObjectMetadata>> types(ServerResources served) {
    List<ResourceType<PartialObjectMetadata>> types = new ArrayList<>();
    ServerResources.filter(served.preferredNamespaced(), ServerResources.supportingAllVerbs(VERBS))
        .forEach(
            (version, resources) ->
                resources.forEach(
                    resource ->
                        types.add(
                            ResourceType.metadata(
                                resource.groupVersionKind(version), resource.name(), true))));
    return types;
  }

  private void deleteAll(
      ResourceType<PartialObjectMetadata> type,
      String namespace,
      Map<ResourceType<PartialObjectMetadata>, List<PartialObjectMetadata>> left,
      List<String> failures)
      throws InterruptedException {
    ResourceClient<PartialObjectMetadata> objects = client.resource(type).inNamespace(namespace);
    try {
      if (objects.list().items().isEmpty()) {
        return;
      }
      objects.deleteCollection(ListOptions.NONE, IN_BACKGROUND);
      List<PartialObjectMetadata> rest = objects.list().items();
      if (!rest.isEmpty()) {
        left.put(type, rest);
      }
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) { // A kind that is gone meanwhile has no objects.
        failures.add(String.valueOf(e.getMessage()));
      }
    }
  }
}
