package dev.clientgo.cache;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which informers of a factory have synced, and how those that have not are doing.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.SyncResult}.
 */
public final class SyncResult {

  private final Map<String, InformerHealth> unsynced;

  SyncResult(Map<String, InformerHealth> unsynced) {
    this.unsynced = new TreeMap<>(unsynced);
  }

  /** Returns whether all informers have synced. */
  public boolean isSynced() {
    return unsynced.isEmpty();
  }

  /** Returns the sorted names of the informers that have not synced. */
  public List<String> unsynced() {
    return List.copyOf(unsynced.keySet());
  }

  /**
   * Does nothing if all informers have synced.
   *
   * @throws IllegalStateException otherwise; it says which have not, and why as far as is known
   */
  public void orThrow() {
    if (!isSynced()) {
      throw new IllegalStateException("failed to sync all caches: " + this);
    }
  }

  /** Returns what each informer is doing that has not synced, and its last error. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    unsynced.forEach(
        (name, health) -> {
          text.append(text.isEmpty() ? "" : ", ").append(name).append(" (");
          text.append(
              health.state() == Reflector.State.NEW ? "not started" : health.state().toString());
          if (health.lastError().isPresent()) {
            text.append(", ").append(health.lastError().get().getMessage());
          } else if (health.state() == Reflector.State.STREAMING && health.lastEvent().isEmpty()) {
            text.append(", the server has sent nothing yet");
          }
          text.append(')');
        });
    return text.isEmpty() ? "all synced" : text.toString();
  }
}
