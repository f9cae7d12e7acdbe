package dev.clientgo.rest;

import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Hides from OkHttp that a server asks to try again at once: it would, once, and be invisible to
 * the retry policy, which decides about that for all statuses and delays.
 */
final class OwnRetries implements Interceptor {

  /** Under which name {@code Retry-After} is handed on. */
  static final String RETRY_AFTER = "Client-Go-Retry-After";

  @Override
  public Response intercept(Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    String retryAfter = response.header("Retry-After");
    return retryAfter == null
        ? response
        : response.newBuilder().removeHeader("Retry-After").header(RETRY_AFTER, retryAfter).build();
  }
}
