package dev.clientgo.envtest;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.MetadataClient;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.WarningHandler;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DiscoveryClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Deletes through the API what tests have made, and does the work of the namespace controller,
 * which a kube-apiserver alone does not have.
 */
final class Cleanup {

  /** The namespaces that a server makes itself. */
  static final Set<String> FIRST_NAMESPACES =
      Set.of("default", "kube-node-lease", "kube-public", "kube-system");

  /** The cluster-scoped resources of which a server creates objects itself. */
  private static final Set<String> SERVERS_OWN =
      Set.of(
          "apiservices",
          "clusterrolebindings",
          "clusterroles",
          "customresourcedefinitions",
          "flowschemas",
          "ipaddresses",
          "namespaces",
          "priorityclasses",
          "prioritylevelconfigurations",
          "servicecidrs");

  /** The server's own service and what belongs to it are called so, in {@code default}. */
  private static final FieldSelector NOT_THE_SERVERS_OWN =
      FieldSelector.notEqual("metadata.name", "kubernetes");

  private static final List<String> VERBS = List.of("list", "delete", "deletecollection");

  private static final DeleteOptions AT_ONCE =
      DeleteOptions.builder()
          .gracePeriod(Duration.ZERO)
          .propagationPolicy(DeletionPropagation.BACKGROUND)
          .build();

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final ResourceType<Unstructured> NAMESPACES =
      Unstructured.type(new GroupVersionKind("", "v1", "Namespace"), "namespaces", false);

  private static final GroupVersionResource DEFINITIONS =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  /** A resource whose objects can be deleted. */
  private record Deletable(GroupVersionResource resource, boolean namespaced) {}

  private final RESTClient client;
  private final Set<String> kept;
  private final ResourceClient<Unstructured> namespaces;

  Cleanup(RESTClient client) {
    this(client, Set.of());
  }

  /** Creates a cleanup that also keeps the objects of other cluster-scoped resources. */
  Cleanup(RESTClient client, Set<String> kept) {
    this.client = client;
    this.kept = kept;
    this.namespaces = client.resource(NAMESPACES);
  }

  /** Returns a client that does not tell which of the resources are deprecated: it asks for all. */
  static RESTClient client(RestConfig config) {
    return RESTClient.builder(config).warningHandler(WarningHandler.NONE).build();
  }

  /** Refuses to delete a namespace that the server makes itself. */
  static void requireDeletable(String namespace) {
    if (FIRST_NAMESPACES.contains(namespace)) {
      throw new IllegalArgumentException(
          "the namespace "
              + namespace
              + " is the server's own and cannot be deleted: use one of the test's own");
    }
  }

  boolean deleteNamespace(String name) throws InterruptedException {
    requireDeletable(name);
    if (!namespaces.deleteIfExists(name)) {
      return false;
    }
    for (Deletable kind : deletable()) {
      if (kind.namespaced()) {
        empty(client.metadata(kind.resource()).inNamespace(name), ListOptions.NONE);
      }
    }
    finish(name);
    return true;
  }

  void reset() throws InterruptedException {
    List<String> ending = new ArrayList<>();
    for (Unstructured namespace : namespaces.list().items()) {
      String name = nameOf(namespace.metadata().name());
      if (!FIRST_NAMESPACES.contains(name)) {
        namespaces.deleteIfExists(name);
        ending.add(name);
      }
    }
    for (Deletable kind : deletable()) {
      if (kind.namespaced()) {
        emptyAllNamespaces(client.metadata(kind.resource()));
      } else if (!SERVERS_OWN.contains(kind.resource().resource())
          && !kept.contains(kind.resource().resource())) {
        empty(client.metadata(kind.resource()), ListOptions.NONE);
      }
    }
    for (String name : ending) {
      finish(name);
    }
    deleteDefinitions();
  }

  private List<Deletable> deletable() throws InterruptedException {
    List<Deletable> found = new ArrayList<>();
    DiscoveryClient.of(client)
        .serverGroupsAndResources()
        .preferred()
        .forEach(
            (version, resources) -> {
              for (APIResource resource : resources) {
                if (!resource.isSubresource() && resource.supports(VERBS)) {
                  found.add(
                      new Deletable(version.withResource(resource.name()), resource.namespaced()));
                }
              }
            });
    return found;
  }

  private void emptyAllNamespaces(MetadataClient kind) throws InterruptedException {
    Set<String> used = new TreeSet<>();
    for (PartialObjectMetadata object : kind.list(ListOptions.NONE).items()) {
      used.add(nameOf(object.metadata().namespace()));
    }
    for (String namespace : used) {
      if (namespace.equals("default")) {
        ListOptions which =
            ListOptions.builder().fieldSelector(NOT_THE_SERVERS_OWN.toString()).build();
        empty(kind.inNamespace(namespace), which);
      } else if (!FIRST_NAMESPACES.contains(namespace)) {
        empty(kind.inNamespace(namespace), ListOptions.NONE);
      }
    }
  }

  /** Deletes objects, even if they have finalizers. */
  private static void empty(MetadataClient kind, ListOptions which) throws InterruptedException {
    List<PartialObjectMetadata> objects = kind.list(which).items();
    if (objects.isEmpty()) {
      return;
    }
    for (PartialObjectMetadata object : objects) {
      List<String> finalizers = object.metadata().finalizers();
      if (finalizers != null && !finalizers.isEmpty()) {
        ignoringAbsence(
            () ->
                kind.patch(
                    nameOf(object.metadata().name()),
                    Patch.merge("{\"metadata\":{\"finalizers\":null}}"),
                    PatchOptions.NONE));
      }
    }
    kind.deleteCollection(which, AT_ONCE);
  }

  private interface Call {
    void run() throws InterruptedException;
  }

  private static void ignoringAbsence(Call call) throws InterruptedException {
    try {
      call.run();
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /** Removes an empty namespace that is being deleted. */
  private void finish(String name) throws InterruptedException {
    Unstructured done =
        Unstructured.of(
                Map.of("metadata", Map.of("name", name), "spec", Map.of("finalizers", List.of())))
            .withType("v1", "Namespace");
    ignoringAbsence(() -> namespaces.subresource("finalize").update(name, done));
  }

  /** The server deletes the objects before their definition, which takes a moment. */
  private void deleteDefinitions() throws InterruptedException {
    ResourceClient<Unstructured> definitions = client.dynamic(DEFINITIONS);
    List<String> names =
        definitions.list().items().stream()
            .map(definition -> nameOf(definition.metadata().name()))
            .toList();
    for (String name : names) {
      definitions.deleteIfExists(name);
    }
    for (String name : names) {
      try {
        definitions.await(name, Optional::isEmpty, TIMEOUT);
      } catch (TimeoutException e) {
        throw new IllegalStateException(
            "the definition " + name + " is not deleted after " + TIMEOUT.toSeconds() + " s", e);
      }
    }
  }

  private static String nameOf(@Nullable String name) {
    return Objects.requireNonNullElse(name, "");
  }
}
