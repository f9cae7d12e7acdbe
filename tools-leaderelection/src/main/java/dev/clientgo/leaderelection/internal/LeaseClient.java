package dev.clientgo.leaderelection.internal;

import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.RestConfig;

/**
 * Makes clients that write Leases.
 *
 * <p>They use connections of their own: neither the rate limiter of the program nor its traffic may
 * delay a renewal. These are HTTP/1.1, so that a request that times out takes its connection with
 * it, and the next one does not wait on the same broken connection.
 */
public final class LeaseClient {

  private LeaseClient() {}

  /** Returns a client of the same server, which the caller closes. */
  public static RESTClient of(RESTClient client, String userAgent, LeaseTimings timings) {
    RestConfig config =
        client.config().toBuilder()
            .addUserAgent(userAgent)
            .disableHttp2(true)
            .timeout(timings.requestTimeout())
            .build();
    return client.toBuilder(config).rateLimiter(RequestRateLimiter.UNLIMITED).build();
  }
}
