package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.kinds.ResourceRegistry;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import java.util.List;
import java.util.Set;

/** Deletes objects without requests, whatever their finalizers. Watches report the deletions. */
public final class ObjectPurge {

  private static final GroupResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces").groupResource();

  private final ObjectStore store;
  private final ResourceRegistry resources;
  private final DeleteHandler deletes;
  private final CustomResourceController customResources;

  ObjectPurge(
      ObjectStore store,
      ResourceRegistry resources,
      DeleteHandler deletes,
      CustomResourceController customResources) {
    this.store = store;
    this.resources = resources;
    this.deletes = deletes;
    this.customResources = customResources;
  }

  /** Deletes a namespace and all that is in it. Returns whether it existed. */
  public boolean namespace(String name) {
    StoredObject namespace = store.get(NAMESPACES, name);
    if (namespace == null) {
      return false;
    }
    for (Resource resource : resources.all()) {
      if (resource.isNamespace()) {
        deletes.delete(resource, namespace); // From now on, nothing new can be created in it.
      }
    }
    for (Resource resource : resources.all()) {
      if (resource.namespaced()) {
        purge(resource.groupResource(), StoredObject.prefix(name), Set.of());
      }
    }
    StoredObject empty = store.get(NAMESPACES, name);
    while (empty != null && store.delete(NAMESPACES, empty) == null) {
      empty = store.get(NAMESPACES, name);
    }
    return true;
  }

  /** Deletes all objects, definitions included, but for some namespaces. */
  public void all(Set<String> keptNamespaces) {
    for (Resource resource : resources.all()) {
      boolean keeps = resource.isNamespace();
      purge(resource.groupResource(), "", keeps ? keptNamespaces : Set.of());
    }
    customResources.dropAll();
  }

  private void purge(GroupResource kind, String prefix, Set<String> kept) {
    boolean found = true;
    while (found) { // Other writers may write meanwhile.
      List<StoredObject> objects =
          store.list(kind, prefix).objects().values().stream()
              .filter(object -> !kept.contains(object.key()))
              .toList();
      objects.forEach(object -> store.delete(kind, object));
      found = !objects.isEmpty();
    }
  }
}
