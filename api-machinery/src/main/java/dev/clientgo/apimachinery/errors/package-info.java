/**
 * What goes wrong, and what to do about it.
 *
 * <p>All errors of this library are {@link dev.clientgo.apimachinery.errors.KubernetesException}s,
 * and unchecked. There are five kinds, by what a caller can do:
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.errors.ApiStatusException}: the server has answered, and
 *       the answer is no. It carries the server's {@link dev.clientgo.apimachinery.meta.Status},
 *       and tells the cases apart.
 *   <li>{@link dev.clientgo.apimachinery.errors.TransportException}: there was no answer, or it
 *       broke off. Whether the server has acted is not known; to ask again is the way to find out.
 *   <li>{@link dev.clientgo.apimachinery.errors.CodecException}: an answer that is not what it
 *       should be. To ask again will not help; the message says where in the bytes it went wrong,
 *       and in which object.
 *   <li>{@link dev.clientgo.apimachinery.errors.MappingException}: nothing that the server has
 *       installed bears the name of a kind or resource, or several do.
 *   <li>{@link dev.clientgo.apimachinery.errors.ConfigException}: the client itself is not set up
 *       right.
 * </ul>
 *
 * <p>A program reads the case from a predicate, never from the text:
 *
 * <pre>{@code
 * try {
 *   update(object);
 * } catch (ApiStatusException e) {
 *   if (e.isConflict()) {
 *     readAgain(); // somebody else was faster
 *   } else if (e.isNotFound()) {
 *     forget(object); // it is gone, which is fine
 *   } else {
 *     retryAfter(e.retryAfter().orElse(Duration.ofSeconds(5)));
 *   }
 * }
 * }</pre>
 *
 * <p>A predicate looks at the reason that the server gives, and where that is none of the known
 * ones, at the HTTP status: so answers of older servers and of proxies are understood, too. Two
 * cases that share a status are still two: an object that exists already and a conflict are both
 * 409, a version that has expired and a resource that is gone are both 410. Where an error may be
 * wrapped in others, {@link dev.clientgo.apimachinery.errors.ApiStatusException#in} finds it.
 *
 * <p>Wrong arguments are {@link java.lang.IllegalArgumentException}s, and a thread that is
 * interrupted gets an {@link java.lang.InterruptedException}, as elsewhere in Java.
 */
package dev.clientgo.apimachinery.errors;
