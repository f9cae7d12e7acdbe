package dev.clientgo.cache;

/**
 * A handler at an informer: the handle with which it is removed, and the answer to whether the
 * handler knows the whole collection.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache.ResourceEventHandlerRegistration}.
 */
public sealed interface ResourceEventHandlerRegistration permits ProcessorListener {

  /**
   * Returns whether the informer is synced and the handler has returned from the {@code onAdd} of
   * each object that existed when it was registered. Never becomes true if one of these calls
   * threw.
   */
  boolean hasSynced();

  /** Returns what to wait on for {@link #hasSynced}. */
  DoneChecker hasSyncedChecker();
}
