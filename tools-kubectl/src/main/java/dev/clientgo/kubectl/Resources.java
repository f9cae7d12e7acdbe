package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.restmapper.RESTMapping.Scope;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.UncheckedInterruptedException;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.discovery.DeferredDiscoveryRESTMapper;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.MemCacheClient;
import dev.clientgo.rest.discovery.ServerResources;
import java.util.Locale;

/** Finds where objects are served, by discovery. */
final class Resources {

  private final RESTClient client;
  private final String defaultNamespace;
  private final MemCacheClient discovery;
  private final DeferredDiscoveryRESTMapper mapper;

  Resources(RESTClient client, String defaultNamespace) {
    this.client = client;
    this.defaultNamespace = defaultNamespace;
    this.discovery = MemCacheClient.of(DiscoveryClient.of(client));
    this.mapper = DeferredDiscoveryRESTMapper.of(discovery);
  }

  /** Forgets what the server serves: a CRD has been applied. */
  void reset() {
    mapper.reset();
  }

  /**
   * Returns where the objects of a kind are served.
   *
   * @throws NoMatchException if the server does not know the kind
   */
  RESTMapping mapping(GroupVersionKind kind) throws InterruptedException {
    try {
      return mapper.restMapping(kind.groupKind(), kind.version());
    } catch (UncheckedInterruptedException e) {
      throw e.interruption();
    }
  }

  /**
   * Does the same.
   *
   * @throws NoMatchException only if discovery has succeeded for the group of the kind
   */
  RESTMapping knownMapping(GroupVersionKind kind) throws InterruptedException {
    try {
      return mapping(kind);
    } catch (NoMatchException e) {
      ServerResources served = discovery.serverGroupsAndResources();
      if (served.failures().keySet().stream().anyMatch(v -> v.group().equals(kind.group()))) {
        throw ApiStatusException.serviceUnavailable(served.problem().orElseThrow());
      }
      throw e;
    }
  }

  /** Returns an object with the namespace that it goes to, or none if its kind has none. */
  Unstructured place(Unstructured object, RESTMapping mapping) {
    String namespace = object.metadata().namespace();
    boolean namespaced = mapping.scope() == Scope.NAMESPACE;
    boolean given = namespace != null && !namespace.isEmpty();
    if (namespaced == given) {
      return object;
    }
    String home = namespaced ? defaultNamespace : null;
    return object.withMetadata(object.metadata().with(m -> m.namespace(home)));
  }

  /** Returns the client of the objects of a kind in the namespace of a placed object. */
  ResourceClient<Unstructured> client(RESTMapping mapping, Unstructured placed) {
    ResourceClient<Unstructured> all = all(mapping);
    String namespace = placed.metadata().namespace();
    return namespace == null || namespace.isEmpty() ? all : all.inNamespace(namespace);
  }

  /** Returns the client of the objects of a kind. */
  ResourceClient<Unstructured> all(RESTMapping mapping) {
    return client.dynamic(mapping);
  }

  /** Returns kind and name as kubectl prints them: {@code deployment.apps/web}. */
  static String nameOf(RESTMapping mapping, Unstructured object) {
    String kind = mapping.kind().groupKind().toString().toLowerCase(Locale.ROOT);
    return kind + "/" + object.metadata().name();
  }
}
