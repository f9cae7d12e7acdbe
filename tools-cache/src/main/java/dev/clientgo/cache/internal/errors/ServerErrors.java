package dev.clientgo.cache.internal.errors;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;

/** Recognizes the errors that a list or a watch must treat in a special way. */
public final class ServerErrors {

  private ServerErrors() {}

  /** Returns whether the requested version is too old. Servers up to 1.17 answer Gone. */
  public static boolean isExpired(Throwable error) {
    return error instanceof ApiStatusException api && (api.isResourceExpired() || api.isGone());
  }

  /** Returns whether the server no longer has the requested version, or has not reached it. */
  public static boolean isVersionRefused(Throwable error) {
    return isExpired(error) || isTooLargeResourceVersion(error);
  }

  /** Returns whether the program has closed the client. */
  public static boolean isClientClosed(Throwable error) {
    return error instanceof TransportException transport
        && transport.kind() == TransportException.Kind.CLIENT_CLOSED;
  }

  /** Returns whether the server is too busy. */
  public static boolean isTooManyRequests(Throwable error) {
    return error instanceof ApiStatusException api && api.isTooManyRequests();
  }

  /** Returns whether the server has no such resource or object. */
  public static boolean isNotFound(Throwable error) {
    return error instanceof ApiStatusException api && api.isNotFound();
  }

  /** Returns whether the server failed. */
  public static boolean isInternalError(Throwable error) {
    return error instanceof ApiStatusException api && api.isInternalError();
  }

  /**
   * Returns whether a retry of the same request makes sense, because the server did not process it.
   * The cache is as good as before, so there is no reason to list again.
   */
  public static boolean isWatchErrorRetriable(Throwable error) {
    return isTooManyRequests(error)
        || (error instanceof TransportException transport
            && transport.kind() == TransportException.Kind.CONNECTION_REFUSED);
  }

  /** Returns whether the requested version is newer than the server's. */
  public static boolean isTooLargeResourceVersion(Throwable error) {
    return error instanceof ApiStatusException api && api.isTooLargeResourceVersion();
  }
}
