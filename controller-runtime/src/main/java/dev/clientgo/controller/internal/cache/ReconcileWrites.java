package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The writes of one reconcile, as far as a cache will show them. */
public final class ReconcileWrites {

  /** A write, and a cache that will show it. */
  private record Write(OwnWrites<?> cache, WriteMark mark) {}

  private final List<Write> writes = new CopyOnWriteArrayList<>();

  /**
   * Adds a write or a deletion.
   *
   * @param object the object as the server returned it, or as it was last seen
   */
  public void add(List<OwnWrites<?>> caches, KubernetesObject object, boolean isDeletion) {
    WriteMark.of(object, isDeletion)
        .ifPresent(mark -> caches.forEach(cache -> writes.add(new Write(cache, mark))));
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  /** Returns whether the watches have delivered all writes. */
  public boolean areDelivered() {
    return writes.stream().allMatch(each -> each.cache.shows(each.mark));
  }
}
