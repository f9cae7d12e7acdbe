/**
 * Writes events to the server: a bounded queue, the threads that empty it, and the retries. The
 * room knows no event; it sends what {@link dev.clientgo.events.internal.writing.WriteQueue.Write}s
 * give it.
 */
package dev.clientgo.events.internal.writing;
