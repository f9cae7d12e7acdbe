package dev.clientgo.rest.config;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Receives each attempt of a client to send a request, with its body and its response, such as to
 * record them. {@link dev.clientgo.rest.RESTClient#observedBy} returns a client that has one.
 *
 * <p>The thread that makes the request calls it, when the response is closed or the attempt has
 * failed. So it must be quick and safe for use by many threads. An exception of its own is logged
 * and ignored.
 */
@FunctionalInterface
public interface ExchangeListener {

  /** Ignores all exchanges. */
  ExchangeListener NONE = exchanged -> {};

  /** How many bytes of the body of a response it gets at most: 1 MiB. */
  int MAX_BODY = 1 << 20;

  /** Called when an attempt has ended. */
  void exchanged(Exchanged exchanged);

  /**
   * One attempt. Bodies may hold the values of Secrets; there are no credentials of the client.
   *
   * @param url the URL with its query
   * @param sent the body of the request, empty if there is none or it was a stream; not to be
   *     changed
   * @param code the HTTP status, 0 if there was no response
   * @param headers the {@code Content-Type}, {@code ETag} and {@code Retry-After} of the response
   * @param received the body of the response, not compressed, as far as it was read; not to be
   *     changed
   * @param isComplete whether {@code received} has all bytes that were read
   * @param error why there was no response, or why its body ended too early; null otherwise
   */
  @SuppressWarnings("ArrayRecordComponent") // No two attempts are compared.
  record Exchanged(
      String method,
      URI url,
      byte[] sent,
      int code,
      Map<String, String> headers,
      byte[] received,
      boolean isComplete,
      @Nullable Exception error) {}
}
