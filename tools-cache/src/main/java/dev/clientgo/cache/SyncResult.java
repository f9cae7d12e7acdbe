package dev.clientgo.cache;

import dev.clientgo.cache.InformerHealth.ReflectorState;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of waiting for the informers of a factory: which informers have synced, why the others
 * have not, and which objects are missing from the caches.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.SyncResult}.
 */
public final class SyncResult {

  private final Map<String, InformerHealth> unsynced = new TreeMap<>();
  private final Map<String, InformerHealth.Omitted> omitted = new TreeMap<>();

  /**
   * Creates an instance.
   *
   * @param synced the health of the informers that have synced, by their names
   * @param unsynced the health of the other informers
   */
  SyncResult(Map<String, InformerHealth> synced, Map<String, InformerHealth> unsynced) {
    this.unsynced.putAll(unsynced);
    synced.forEach(
        (name, health) -> {
          if (!health.omitted().isEmpty()) {
            omitted.put(name, health.omitted());
          }
        });
  }

  /**
   * Returns whether all informers have synced. Their caches may still lack objects that could not
   * be decoded or indexed: see {@link #omitted}.
   */
  public boolean isSynced() {
    return unsynced.isEmpty();
  }

  /** Returns the sorted names of the informers that have not synced. */
  public List<String> unsynced() {
    return List.copyOf(unsynced.keySet());
  }

  /**
   * Returns the objects that are missing from the caches of informers that have synced, by the
   * names of the informers; empty if no object is missing.
   */
  public Map<String, InformerHealth.Omitted> omitted() {
    return Collections.unmodifiableMap(omitted);
  }

  /**
   * Throws if a program that needs the caches should not start.
   *
   * <p>Single objects that cannot be decoded are no reason to throw: otherwise every client that
   * may create such an object could keep a program from starting. {@link #omitted} and the log name
   * these objects.
   *
   * @throws IllegalStateException if an informer has not synced, if a transform or an index
   *     function failed on an object, or if none of the objects of an informer could be decoded.
   *     The message names the informers, the number of objects, and the last error of each.
   */
  public void orThrow() {
    if (!isSynced()) {
      throw new IllegalStateException("failed to sync all caches: " + this);
    }
    for (InformerHealth.Omitted objects : omitted.values()) {
      if (objects.isFatal()) {
        throw new IllegalStateException(
            "the caches are synced, but lack objects: " + this, objects.cause().orElse(null));
      }
    }
  }

  /**
   * Returns the state and the last error of each informer that has not synced, and the objects that
   * are missing from the caches of the others.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    unsynced.forEach(
        (name, health) -> {
          text.append(text.isEmpty() ? "" : ", ").append(name).append(" (");
          text.append(
              health.state() == ReflectorState.NEW ? "not started" : health.state().toString());
          if (health.lastError().isPresent()) {
            text.append(", ").append(health.lastError().get().getMessage());
          } else if (health.state() == ReflectorState.STREAMING && health.lastEvent().isEmpty()) {
            text.append(", the server has sent nothing yet");
          }
          text.append(')');
        });
    omitted.forEach(
        (name, objects) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(name)
                .append(" (")
                .append(objects)
                .append(')'));
    return text.isEmpty() ? "all synced" : text.toString();
  }
}
