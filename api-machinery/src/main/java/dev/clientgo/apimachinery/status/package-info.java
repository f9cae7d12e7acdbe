/**
 * The errors of the server, which it sends instead of an object.
 *
 * <p>An API server describes an error in a {@link dev.clientgo.apimachinery.status.Status}, with a
 * {@link dev.clientgo.apimachinery.status.StatusReason} that programs can rely on. A client throws
 * it as an {@link dev.clientgo.apimachinery.status.ApiStatusException}. A program distinguishes the
 * cases by a predicate, never by the text:
 *
 * <pre>{@code
 * try {
 *   update(object);
 * } catch (ApiStatusException e) {
 *   if (e.isConflict()) {
 *     readAgain(); // another client was faster
 *   } else if (e.isNotFound()) {
 *     forget(object); // it is gone, which is fine
 *   } else {
 *     retryAfter(e.retryAfter().orElse(Duration.ofSeconds(5)));
 *   }
 * }
 * }</pre>
 *
 * <p>A predicate looks at the server's reason first, and at the HTTP status if the reason is
 * unknown. So it understands older servers and proxies too. Two cases that share an HTTP status
 * stay apart: an object that exists already and a conflict are both 409, an expired version and a
 * resource that is gone are both 410. If an error may be wrapped in others, {@link
 * dev.clientgo.apimachinery.status.ApiStatusException#find} finds it.
 */
package dev.clientgo.apimachinery.status;
