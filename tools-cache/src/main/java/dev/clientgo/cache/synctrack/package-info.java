/**
 * Tells when a list has been processed. A {@link dev.clientgo.cache.synctrack.DoneChecker} is a
 * condition to wait for; the trackers count the objects of the first list that a handler, or the
 * workers behind it, still have to process. {@link dev.clientgo.cache.synctrack.Lazy} is a value
 * that is computed from a cache again after the cache has changed.
 *
 * <p>Corresponds to client-go's {@code tools/cache/synctrack}.
 */
package dev.clientgo.cache.synctrack;
