package dev.clientgo.cache;

import dev.clientgo.cache.synctrack.DoneChecker;

/**
 * The registration of a handler at an informer. It identifies the handler when it is removed, and
 * shows whether the handler has processed the whole first list. Informers create registrations.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache.ResourceEventHandlerRegistration}.
 */
public interface ResourceEventHandlerRegistration {

  /**
   * Returns whether the informer is synced and the handler has returned from the {@code onAdd} of
   * each object that existed when it was registered. Never becomes true if one of these calls
   * threw.
   */
  boolean hasSynced();

  /** Returns a checker that waits for {@link #hasSynced}. */
  DoneChecker hasSyncedChecker();
}
