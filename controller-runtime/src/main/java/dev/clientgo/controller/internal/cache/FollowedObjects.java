package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Notes which objects an informer follows when the factory creates it.
 *
 * <p>Safe for use by many threads.
 */
final class FollowedObjects implements SharedInformerFactory.Source {

  private final SharedInformerFactory.Source source;

  /** The objects that the newest informer follows; {@link Informers} holds its lock meanwhile. */
  private volatile CacheScope last = CacheScope.EVERYTHING;

  FollowedObjects(SharedInformerFactory.Source source) {
    this.source = source;
  }

  @Override
  public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
      ResourceType<T> type, String namespace, ListOptions selectors) {
    last = new CacheScope(namespace, selectors);
    return source.listerWatcher(type, namespace, selectors);
  }

  /** Returns what the informer follows that was created last. */
  CacheScope ofLast() {
    return last;
  }

  /**
   * Reads objects from the server by a list with the selectors of an informer. So it finds only
   * objects that this follows, and needs only the permissions that it needs.
   */
  <T extends KubernetesObject> OwnWrites.Answer<T> lookUp(
      ResourceType<T> type, CacheScope scope, Set<ObjectName> names) throws InterruptedException {
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
    String read = list.resourceVersion();
    return new OwnWrites.Answer<>(found, read == null ? "" : read);
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
