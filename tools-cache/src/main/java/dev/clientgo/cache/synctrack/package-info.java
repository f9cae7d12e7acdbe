/**
 * Shows when a list has been processed. A {@link dev.clientgo.cache.synctrack.DoneChecker} is a
 * condition to wait for; {@link dev.clientgo.cache.synctrack.SingleFileTracker} counts the objects
 * of the first list that a handler still has to process.
 *
 * <p>Corresponds to client-go's {@code tools/cache/synctrack}.
 */
package dev.clientgo.cache.synctrack;
