package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import org.jspecify.annotations.Nullable;

/**
 * Why the resources of one version of a group are not known.
 *
 * <p>Corresponds to client-go's {@code discovery.StaleGroupVersionError} and the values of {@code
 * discovery.ErrGroupDiscoveryFailed}.
 *
 * @param message what went wrong
 * @param cause the answer of the server, or the lack of it; null if the server has said that what
 *     it knows is out of date, since the API server behind it does not answer
 */
public record DiscoveryFailure(String message, @Nullable KubernetesException cause) {

  static DiscoveryFailure of(KubernetesException cause) {
    return new DiscoveryFailure(String.valueOf(cause.getMessage()), cause);
  }

  static DiscoveryFailure stale(Object groupVersion) {
    return new DiscoveryFailure("stale GroupVersion discovery: " + groupVersion, null);
  }

  static DiscoveryFailure empty(Object groupVersion) {
    return new DiscoveryFailure("received empty response for: " + groupVersion, null);
  }

  /** Returns this as an exception. */
  KubernetesException exception() {
    return cause == null ? ApiStatusException.serviceUnavailable(message) : cause;
  }

  /** Returns whether it may be different soon, without anybody doing anything. */
  boolean isTransient() {
    if (cause instanceof TransportException) {
      return true;
    }
    return cause instanceof ApiStatusException e && (e.isTooManyRequests() || code(e) >= 500);
  }

  private static int code(ApiStatusException e) {
    Integer code = e.status().code();
    return code == null ? 0 : code;
  }
}
