package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.CauseType;
import dev.clientgo.apimachinery.meta.StatusCause;
import dev.clientgo.apimachinery.meta.StatusDetails;
import java.util.List;

/** The errors on which a list or a watch does something else than to try again later. */
final class ServerErrors {

  private static final String TOO_LARGE_MESSAGE = "Too large resource version";

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
   * What is in the cache is then as good as before, and there is no reason to list again.
   */
  static boolean isWatchErrorRetriable(Throwable error) {
    return isTooManyRequests(error)
        || (error instanceof TransportException transport
            && transport.kind() == TransportException.Kind.CONNECTION_REFUSED);
  }

  /**
   * Returns whether the version asked for is newer than what the server knows. It says so in one of
   * three ways: by a cause's type since 1.18.6, before by a cause's message, before 1.17 by its
   * message alone.
   */
  static boolean isTooLargeResourceVersion(Throwable error) {
    if (!(error instanceof ApiStatusException api)) {
      return false;
    }
    if (api.hasStatusCause(CauseType.RESOURCE_VERSION_TOO_LARGE)) {
      return true;
    }
    StatusDetails details = api.status().details();
    List<StatusCause> causes = details == null ? null : details.causes();
    String message = api.status().message();
    return api.isTimeout()
        && ((causes != null
                && causes.stream().anyMatch(cause -> TOO_LARGE_MESSAGE.equals(cause.message())))
            || (message != null && message.contains(TOO_LARGE_MESSAGE)));
  }
}
