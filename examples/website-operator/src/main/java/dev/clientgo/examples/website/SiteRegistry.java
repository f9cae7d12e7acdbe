package dev.clientgo.examples.website;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Client;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.util.Map;
import java.util.Optional;

/**
 * The list of all sites with their addresses: a ConfigMap in the operator's namespace. It stands
 * for what no garbage collector tidies up, such as DNS or a CDN: the entry of a site outlives the
 * site unless a finalizer removes it.
 */
final class SiteRegistry {

  /** The name of the ConfigMap. */
  static final String NAME = "websites";

  private final String namespace;

  SiteRegistry(String namespace) {
    this.namespace = namespace;
  }

  /** Returns the key of a site: no namespace has a dot in its name, so keys are unique. */
  static String key(ObjectName site) {
    return site.namespace() + "." + site.name();
  }

  /** Adds a site, or changes its address. Does nothing if it is there with this address. */
  void add(Client client, ObjectName site, String url) throws InterruptedException {
    CachedResource<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace(namespace);
    Optional<ConfigMap> registry = maps.find(NAME);
    if (registry.isEmpty()) {
      maps.create(
          ConfigMap.of(
              namespace,
              NAME,
              map ->
                  map.editMetadata(
                          m -> m.labels(Map.of(WebsiteChildren.MANAGED_BY, WebsiteOperator.NAME)))
                      .data(Map.of(key(site), url))));
    } else if (!url.equals(registry.get().data().get(key(site)))) {
      maps.edit(NAME, map -> map.with(m -> m.editData(data -> data.put(key(site), url))));
    }
  }

  /** Removes a site. Does nothing if it is not there. */
  void remove(Client client, ObjectName site) throws InterruptedException {
    try {
      client
          .resource(ConfigMap.TYPE)
          .inNamespace(namespace)
          .edit(NAME, map -> map.with(m -> m.editData(data -> data.remove(key(site)))));
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }
}
