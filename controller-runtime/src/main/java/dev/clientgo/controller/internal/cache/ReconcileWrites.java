package dev.clientgo.controller.internal.cache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The writes of one reconcile, as far as a cache will show them. */
public final class ReconcileWrites {

  /** A write, and the cache that will show it. */
  private record Write(OwnWrites<?> cache, String version) {}

  private final List<Write> writes = new CopyOnWriteArrayList<>();

  public void add(OwnWrites<?> cache, String version) {
    writes.add(new Write(cache, version));
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  /** Returns whether the watches have delivered all writes. */
  public boolean areDelivered() {
    return writes.stream().allMatch(write -> write.cache.hasReached(write.version));
  }
}
