/**
 * The errors of this library.
 *
 * <p>Each is a {@link dev.clientgo.apimachinery.errors.KubernetesException}, and unchecked. There
 * are five kinds, by what a caller can do:
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.status.ApiStatusException}: the server answered with an
 *       error. It carries the server's {@link dev.clientgo.apimachinery.status.Status}.
 *   <li>{@link dev.clientgo.apimachinery.errors.TransportException}: there was no response, or it
 *       broke off. The server may have acted on the request; read the object to find out.
 *   <li>{@link dev.clientgo.apimachinery.errors.CodecException}: a response is malformed. Another
 *       attempt does not help; the message names the place in the bytes and the object.
 *   <li>{@link dev.clientgo.apimachinery.errors.MappingException}: the server has no kind or
 *       resource of that name, or several.
 *   <li>{@link dev.clientgo.apimachinery.errors.ConfigException}: the configuration of the client
 *       is not valid.
 * </ul>
 *
 * <pre>{@code
 * try {
 *   update(object);
 * } catch (TransportException e) {
 *   tryAgain(); // the server may have acted or not
 * } catch (CodecException e) {
 *   report(e.getMessage()); // names the object and the place in the bytes
 * } catch (KubernetesException e) {
 *   giveUp(e);
 * }
 * }</pre>
 *
 * <p>Wrong arguments are {@link java.lang.IllegalArgumentException}s, and an interrupted thread
 * gets an {@link java.lang.InterruptedException}, as elsewhere in Java.
 */
package dev.clientgo.apimachinery.errors;
