package dev.clientgo.rest.internal.http;

import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.RequestGuard;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.Credentials;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.time.Duration;
import java.util.random.RandomGenerator;
import okhttp3.HttpUrl;

/**
 * The parts of a client that its requests share. Safe for use by many threads.
 *
 * @param server the URL of the server, ending with a slash
 * @param random spreads the delays of retries
 * @param idleTimeout how long a response that is not a watch may be silent
 * @param guard decides whether requests may be sent
 * @param dropManagedFields whether objects are read without their managed fields
 */
public record ClientContext(
    RestConfig config,
    HttpUrl server,
    Clock clock,
    RandomGenerator random,
    Duration idleTimeout,
    RequestPolicies policies,
    Credentials credentials,
    Transport transport,
    RequestGuard guard,
    boolean dropManagedFields)
    implements AutoCloseable {

  /** Returns a context that shares all with this one except the guard. */
  public ClientContext withGuard(RequestGuard other) {
    return with(policies, other);
  }

  /** Returns a context that shares all with this one except the policies. */
  public ClientContext withPolicies(RequestPolicies other) {
    return with(other, guard);
  }

  private ClientContext with(RequestPolicies otherPolicies, RequestGuard otherGuard) {
    return new ClientContext(
        config,
        server,
        clock,
        random,
        idleTimeout,
        otherPolicies,
        credentials,
        transport,
        otherGuard,
        dropManagedFields);
  }

  /** Ends all calls and closes all connections. */
  @Override
  public void close() {
    transport.close();
    credentials.close();
  }
}
