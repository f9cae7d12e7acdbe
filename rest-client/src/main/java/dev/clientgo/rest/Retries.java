package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when one request is sent again.
 *
 * <p>A server that is busy says so by status 429 or 5xx with {@code Retry-After}, for any verb: it
 * has not acted on the request. A connection that broke says nothing of the kind, so only what
 * changes nothing is sent again. One that was refused is for the caller to decide about.
 *
 * <p>Corresponds to client-go's {@code rest.WithRetry}. Not safe for use by many threads.
 */
final class Retries {

  /** What is tried again when the connection broke. */
  enum OnLostConnection {
    /** A GET. */
    GET,
    /** A watch, also when there was no answer in time. */
    WATCH,
    /** Nothing. */
    NEVER
  }

  private static final Duration AFTER_LOST_CONNECTION = Duration.ofSeconds(1);

  private final int max;
  private final boolean repeatable;
  private final OnLostConnection onLostConnection;
  private int attempts;
  private @Nullable TransportException previous;

  /**
   * Creates the state of a request that has not been sent.
   *
   * @param max how often it may be sent again
   * @param repeatable whether its body can be sent again
   */
  Retries(int max, boolean repeatable, OnLostConnection onLostConnection) {
    this.max = max;
    this.repeatable = repeatable;
    this.onLostConnection = onLostConnection;
  }

  /** Returns how long to wait before the next attempt; empty if this answer is the last. */
  Optional<Duration> after(HttpResponse response) {
    if ((response.code() != 429 && response.code() < 500) || !next()) {
      return Optional.empty();
    }
    return response.retryAfter();
  }

  /** Returns how long to wait before the next attempt; empty if this error is the last. */
  Optional<Duration> after(TransportException e, boolean isGet) {
    if (!isRetryable(e, isGet) || !next()) {
      return Optional.empty();
    }
    previous = e;
    return Optional.of(AFTER_LOST_CONNECTION);
  }

  boolean isWatch() {
    return onLostConnection == OnLostConnection.WATCH;
  }

  private boolean next() {
    return repeatable && ++attempts <= max;
  }

  private boolean isRetryable(TransportException e, boolean isGet) {
    return switch (onLostConnection) {
      case GET -> isGet && e.kind() == Kind.CONNECTION_LOST;
      case WATCH -> isLostWatch(e);
      case NEVER -> false;
    };
  }

  /** Returns whether the server was there, but an answer to a watch did not come. */
  static boolean isLostWatch(TransportException e) {
    return e.kind() == Kind.CONNECTION_LOST || e.kind() == Kind.TIMEOUT;
  }

  /** Returns an error together with that of an attempt before, if that was another. */
  TransportException withPrevious(TransportException e) {
    if (previous == null || String.valueOf(previous.getMessage()).equals(e.getMessage())) {
      return e;
    }
    TransportException both =
        new TransportException(
            e.kind(),
            e.getMessage() + " - error from a previous attempt: " + previous.getMessage(),
            e.getCause());
    both.addSuppressed(previous);
    return both;
  }
}
