package dev.clientgo.rest.internal.http;

import java.time.Duration;
import java.util.Optional;
import okhttp3.Response;

/**
 * The header {@code Retry-After}, under a name that OkHttp does not know: it would follow {@code
 * Retry-After: 0} once by itself. Only {@link RequestSender} decides about retries.
 */
final class RetryAfter {

  private static final String THEIRS = "Retry-After";
  private static final String OURS = "Client-Go-Retry-After";

  private RetryAfter() {}

  /** Returns a response whose {@code Retry-After} OkHttp does not see. */
  static Response hide(Response response) {
    String retryAfter = response.header(THEIRS);
    return retryAfter == null
        ? response
        : response.newBuilder().removeHeader(THEIRS).header(OURS, retryAfter).build();
  }

  /** Returns the hidden header in seconds; empty if it is absent or a date. */
  static Optional<Duration> of(Response response) {
    String seconds = response.header(OURS);
    return seconds != null && seconds.matches("[0-9]{1,9}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds)))
        : Optional.empty();
  }
}
