package dev.clientgo.rest.internal.http;

import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.Credentials;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.time.Duration;
import okhttp3.HttpUrl;

/**
 * The parts of a client that its requests share. Safe for use by many threads.
 *
 * @param server the URL of the server, ending with a slash
 * @param idleTimeout how long a response that is not a watch may be silent
 */
public record ClientContext(
    RestConfig config,
    HttpUrl server,
    Clock clock,
    Duration idleTimeout,
    RequestPolicies policies,
    Credentials credentials,
    Transport transport)
    implements AutoCloseable {

  /** Ends all calls and closes all connections. */
  @Override
  public void close() {
    transport.close();
    credentials.close();
  }
}
