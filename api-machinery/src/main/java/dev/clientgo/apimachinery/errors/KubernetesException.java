package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that this library reports.
 *
 * <p>There are five kinds, by what a caller can do: the server answered with an error ({@link
 * ApiStatusException}), the server could not be reached or the connection broke ({@link
 * TransportException}), bytes could not be read or written as the object they should be ({@link
 * CodecException}), a kind or resource has no single match ({@link MappingException}), or the
 * client is not configured right ({@link ConfigException}). A call with wrong arguments throws
 * {@link IllegalArgumentException}, as elsewhere in Java.
 */
public abstract sealed class KubernetesException extends RuntimeException
    permits ApiStatusException,
        TransportException,
        CodecException,
        MappingException,
        ConfigException {

  private static final long serialVersionUID = 1;

  KubernetesException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
