/**
 * Watches: streams of the changes to a resource.
 *
 * <p>A watch is a request whose response does not end. From a resourceVersion on, the server sends
 * an event for each change. {@link dev.clientgo.apimachinery.watch.WatchEvent} is the closed set of
 * events: an object was added, modified or deleted; a bookmark, up to which all events were sent;
 * or a failure.
 *
 * <pre>{@code
 * try (Watch<Unstructured> watch = ships.watch(options)) {
 *   for (var event = watch.next(); event.isPresent(); event = watch.next()) {
 *     seen.add(event.get());
 *   }
 * }
 * // ended: open another from the last resourceVersion
 * }</pre>
 *
 * <p>Every watch ends after minutes or hours; that is not an error. A program that needs all
 * changes opens the next watch from the last version that it has seen, and lists again if the
 * server has forgotten that version. The Reflector does this; few programs need their own loop.
 *
 * <p>{@link dev.clientgo.apimachinery.watch.WatchDecoder} decodes the events. One object that
 * cannot be decoded is one {@link dev.clientgo.apimachinery.watch.WatchEvent.Failed} event with the
 * object's name, and the next event follows.
 */
package dev.clientgo.apimachinery.watch;
