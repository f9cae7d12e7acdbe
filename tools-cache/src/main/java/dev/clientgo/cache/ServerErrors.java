package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;

/** Recognizes the errors that a list or a watch must treat in a special way. */
final class ServerErrors {

  private ServerErrors() {}

  /** Returns whether the version asked for is too old. Servers up to 1.17 say Gone for it. */
  static boolean isExpired(Throwable error) {
    return error instanceof ApiStatusException api && (api.isResourceExpired() || api.isGone());
  }

  /** Returns whether the server does not have the version asked for, or no longer, or not yet. */
  static boolean isVersionRefused(Throwable error) {
    return isExpired(error) || isTooLargeResourceVersion(error);
  }

  /** Returns whether there is no client any more to ask with. */
  static boolean isClientClosed(Throwable error) {
    return error instanceof TransportException transport
        && transport.kind() == TransportException.Kind.CLIENT_CLOSED;
  }

  static boolean isTooManyRequests(Throwable error) {
    return error instanceof ApiStatusException api && api.isTooManyRequests();
  }

  static boolean isNotFound(Throwable error) {
    return error instanceof ApiStatusException api && api.isNotFound();
  }

  static boolean isInternalError(Throwable error) {
    return error instanceof ApiStatusException api && api.isInternalError();
  }

  /**
   * Returns whether the same request is worth a retry, because the server did not even look at it.
   * The cache is then as good as before, and there is no reason to list again.
   */
  static boolean isWatchErrorRetriable(Throwable error) {
    return isTooManyRequests(error)
        || (error instanceof TransportException transport
            && transport.kind() == TransportException.Kind.CONNECTION_REFUSED);
  }

  /** Returns whether the version asked for is newer than what the server knows. */
  static boolean isTooLargeResourceVersion(Throwable error) {
    return error instanceof ApiStatusException api && api.isTooLargeResourceVersion();
  }
}
