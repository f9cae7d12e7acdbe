package dev.clientgo.rest.config;

/**
 * Provides the bearer tokens of a client, for example from a secret store or an identity provider.
 *
 * <pre>{@code
 * RestConfig.builder(url).bearerTokenSource(() -> vault.read("cluster/token")).build();
 * }</pre>
 *
 * <ul>
 *   <li><b>When.</b> A request calls the source if the last token is 50 seconds old, and a request
 *       whose token the server has rejected with 401 calls it at once. All other requests use the
 *       last token. The first call is made by the first request.
 *   <li><b>Threads.</b> A client calls its source from the thread of a request, one call at a time;
 *       the other requests wait for the result. Clients that share a source may call it at the same
 *       time.
 *   <li><b>Errors.</b> If a call fails, the client logs a warning and uses the last token; without
 *       one, the request fails with a {@link dev.clientgo.apimachinery.errors.ConfigException}. The
 *       next request calls the source again.
 *   <li><b>Secrets.</b> The client never logs a token. It does log what the source throws.
 * </ul>
 *
 * <p>A source must not send requests with the client that it serves. To set a token for each single
 * request, use a {@link RequestInterceptor} that sets the header {@code Authorization}.
 *
 * <p>Corresponds to Go's {@code oauth2.TokenSource}, cached as by client-go's {@code
 * transport.NewCachedTokenSource}.
 */
@FunctionalInterface
public interface TokenSource {

  /**
   * Returns a token that is valid for a minute at least. White space around it is ignored.
   *
   * @throws InterruptedException if the thread is interrupted; the request then ends with it
   * @throws Exception if there is no token
   */
  String token() throws Exception;
}
