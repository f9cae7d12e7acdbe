package dev.clientgo.rest.config;

/**
 * Code of the program around each attempt of a client to send a request: it adds headers, logs,
 * measures, traces or refuses.
 *
 * <pre>{@code
 * RESTClient client =
 *     RESTClient.builder(config)
 *         .addInterceptor((request, next) -> next.send(request.withHeader("X-Request-Id", newId())))
 *         .build();
 * }</pre>
 *
 * <p>An interceptor applies to everything that the client sends: objects of any type, tables,
 * discovery and watches. It sees heads, not bodies: the head of the response to a watch arrives
 * before its first event.
 *
 * <ul>
 *   <li><b>When.</b> The client calls it once for each attempt: again for each retry, and again
 *       after it has renewed rejected credentials. An attempt that waits for the rate limiter or a
 *       backoff is intercepted after the wait. Log and metrics of the client tell what leaves the
 *       last interceptor.
 *   <li><b>Order.</b> The interceptor that was added first is called first, and sees the response
 *       last.
 *   <li><b>Credentials.</b> An interceptor sees the {@code User-Agent} and the headers for
 *       impersonation, but not the credentials of the client, so that it can log what it sees. If
 *       it sets the header {@code Authorization} itself, the client sends that one.
 *   <li><b>Errors.</b> The caller of the client gets what an interceptor throws, unchanged. A
 *       {@link dev.clientgo.apimachinery.errors.TransportException} is treated like a broken
 *       connection: it may be retried. If an interceptor throws after the response has arrived, the
 *       client closes the response.
 *   <li><b>Threads.</b> It runs in the thread that makes the call, or in one of discovery. It may
 *       block, and passes an interruption on. Its time counts as time of the request. It must be
 *       safe for use by many threads.
 * </ul>
 *
 * <p>Corresponds to client-go's {@code rest.Config.Wrap}. Unlike client-go: the first interceptor
 * is the outermost, and none sees credentials.
 */
@FunctionalInterface
public interface RequestInterceptor {

  /**
   * Intercepts one attempt. It calls {@code next.send} once and returns the result, or throws.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  ResponseHead intercept(RequestHead request, Next next) throws InterruptedException;

  /** The next interceptor, or the connection to the server. */
  @FunctionalInterface
  interface Next {

    /**
     * Sends the request and waits for the head of the response, whatever its status.
     *
     * @param request the request that was intercepted, or one with other headers
     * @throws dev.clientgo.apimachinery.errors.TransportException if there is no response
     * @throws IllegalStateException if the interceptor has sent the request before, calls this from
     *     another thread, or has changed the method or the URL
     * @throws InterruptedException if the thread is interrupted
     */
    ResponseHead send(RequestHead request) throws InterruptedException;
  }
}
