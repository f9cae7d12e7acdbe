package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import org.jspecify.annotations.Nullable;

/**
 * The reason why the resources of one version of a group are unknown.
 *
 * <p>Corresponds to client-go's {@code discovery.StaleGroupVersionError} and the values of {@code
 * discovery.ErrGroupDiscoveryFailed}.
 *
 * @param message the reason
 * @param cause the error of the request; null if the server reports the version as stale, because
 *     the aggregated API server does not respond
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

  /** Returns this failure as an exception. */
  KubernetesException exception() {
    return cause == null ? ApiStatusException.serviceUnavailable(message) : cause;
  }

  /** Returns whether a later attempt may succeed. */
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
