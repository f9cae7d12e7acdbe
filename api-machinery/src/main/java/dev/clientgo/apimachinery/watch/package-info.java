/**
 * Changes as they happen.
 *
 * <p>A watch is a request whose answer does not end: for each change to the resource, from a
 * resourceVersion on, the server sends an event. {@link dev.clientgo.apimachinery.watch.WatchEvent}
 * is the closed set of what can come: an object was added, modified or deleted; a bookmark, which
 * says that nothing else happened up to a version; or a failure.
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
 * <p>Every watch ends, after minutes or hours, and that is no error. Whoever needs all changes goes
 * on from the last version seen, and lists anew when the server has forgotten it. That loop is the
 * Reflector's; few programs should write their own.
 *
 * <p>{@link dev.clientgo.apimachinery.watch.WatchDecoder} makes events of bytes. One object that
 * cannot be decoded is one {@link dev.clientgo.apimachinery.watch.WatchEvent.Failed} event with the
 * object's name, and the next event follows.
 */
package dev.clientgo.apimachinery.watch;
