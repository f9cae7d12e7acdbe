package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.MapFunction;
import dev.clientgo.controller.Request;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The selectors of the owners of one kind, by which an object without a controller finds those that
 * may adopt it. A reconciler reports the selector of an owner before it lists the owner's objects.
 * So it sees an object that came earlier in the list, and one that comes later is mapped to it.
 *
 * <p>Corresponds to upstream's {@code getPodReplicaSets} and its siblings. Safe for use by many
 * threads.
 */
public final class OrphanOwners {

  private final ResourceType<?> ownerType;
  private final Map<Request, Selector> selectors = new ConcurrentHashMap<>();

  /** Creates an instance without owners. */
  public OrphanOwners(ResourceType<?> ownerType) {
    this.ownerType = ownerType;
  }

  /** Sets the selector of an owner. */
  public void put(Request owner, Selector selector) {
    selectors.put(owner, selector);
  }

  /** Forgets an owner that is gone. */
  public void remove(Request owner) {
    selectors.remove(owner);
  }

  /** Maps an object to its controller, or to all that may adopt it if it has none. */
  public <T extends KubernetesObject> MapFunction<T> map() {
    MapFunction<T> controller = MapFunction.controller(ownerType);
    return object ->
        object.metadata().controller().isPresent() ? controller.map(object) : mayAdopt(object);
  }

  private Collection<Request> mayAdopt(KubernetesObject orphan) {
    return selectors.entrySet().stream()
        .filter(entry -> entry.getKey().namespace().equals(orphan.metadata().namespace()))
        .filter(entry -> entry.getValue().matches(orphan.metadata().labels()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
