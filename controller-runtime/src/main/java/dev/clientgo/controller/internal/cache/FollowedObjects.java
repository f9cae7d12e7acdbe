package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notes which objects an informer follows when the factory creates it.
 *
 * <p>Safe for use by many threads.
 */
final class FollowedObjects implements SharedInformerFactory.Source {

  private final SharedInformerFactory.Source source;
  private final Map<GroupVersionResource, CacheScope> scopes = new ConcurrentHashMap<>();

  FollowedObjects(SharedInformerFactory.Source source) {
    this.source = source;
  }

  @Override
  public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
      ResourceType<T> type, String namespace, ListOptions selectors) {
    scopes.put(type.resource(), new CacheScope(namespace, selectors));
    return source.listerWatcher(type, namespace, selectors);
  }

  /** Returns what the informers of a resource follow; it is the same for all of them. */
  CacheScope scope(ResourceType<?> type) {
    return scopes.getOrDefault(type.resource(), CacheScope.EVERYTHING);
  }

  /**
   * Reads objects from the server by a list with the selectors of the informers. So it finds only
   * objects that these follow, and needs only the permissions that they need.
   */
  <T extends KubernetesObject> OwnWrites.Answer<T> lookUp(
      ResourceType<T> type, Set<ObjectName> names) throws InterruptedException {
    CacheScope scope = scope(type);
    List<T> found = new ArrayList<>();
    ListMeta list =
        source(type, scope, names)
            .list(
                ListOptions.NONE,
                object -> {
                  ObjectName name = ObjectName.of(object);
                  if (names.contains(name) && scope.hasNamespace(name.namespace())) {
                    found.add(object);
                  }
                });
    String version = list.resourceVersion();
    return new OwnWrites.Answer<>(found, version == null ? "" : version);
  }

  private <T extends KubernetesObject> ListerWatcher<T> source(
      ResourceType<T> type, CacheScope scope, Set<ObjectName> names) {
    if (names.size() > 1) {
      return source.listerWatcher(type, scope.namespace(), scope.selectors());
    }
    ObjectName name = names.iterator().next();
    return source.listerWatcher(type, name.namespace(), scope.named(name.name()));
  }
}
