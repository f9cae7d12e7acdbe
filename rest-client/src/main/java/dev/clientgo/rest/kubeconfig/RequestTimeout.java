package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.meta.GoDuration;
import java.time.Duration;

/** Parses the timeout of a request, as in kubectl's {@code --request-timeout}. */
final class RequestTimeout {

  private RequestTimeout() {}

  /**
   * Parses seconds, or a number with a unit.
   *
   * @throws ConfigException if the text is neither
   */
  static Duration parse(String text) {
    if (text.matches("[0-9]{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Duration timeout = GoDuration.parse(text).toDuration();
      if (!timeout.isNegative()) {
        return timeout;
      }
    } catch (IllegalArgumentException e) {
      // The error below says what is right.
    }
    throw new ConfigException(
        "the request timeout is \""
            + text
            + "\", but must be seconds, or a number with a unit such as 1s, 2m or 3h");
  }
}
