package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that this library reports.
 *
 * <p>There are five kinds, by what a caller can do. The library adds no others:
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.status.ApiStatusException}: the server answered with an
 *       error.
 *   <li>{@link TransportException}: the server could not be reached, or the connection broke.
 *   <li>{@link CodecException}: bytes could not be decoded, or an object could not be encoded.
 *   <li>{@link MappingException}: a kind or resource has no single match.
 *   <li>{@link ConfigException}: the configuration of the client is not valid.
 * </ul>
 *
 * <p>A call with wrong arguments throws {@link IllegalArgumentException}, as elsewhere in Java.
 */
public abstract class KubernetesException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an error of one of the five kinds. */
  protected KubernetesException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
