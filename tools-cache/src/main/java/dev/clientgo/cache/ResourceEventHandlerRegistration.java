package dev.clientgo.cache;

/**
 * The registration of a handler at an informer: it removes the handler, and tells whether the
 * handler has been told of the whole collection.
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

  /** Returns a checker that waits for {@link #hasSynced}. */
  DoneChecker hasSyncedChecker();
}
