package dev.clientgo.rest.internal.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.OidcConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The ID token of a user of an OpenID Connect provider. It is refreshed shortly before it expires,
 * and after the server has rejected it. A refreshed token is written back to its origin.
 *
 * <p>Corresponds to client-go's {@code plugin/pkg/client/auth/oidc}.
 */
final class OidcCredentials implements Credentials {

  private static final Logger LOG = System.getLogger(OidcCredentials.class.getName());
  private static final Duration LEEWAY = Duration.ofSeconds(10);

  /** Held during a refresh, so that a refresh token is used only once. */
  private final ReentrantLock lock = new ReentrantLock();

  private final OidcProvider provider;
  private final Clock clock;

  @GuardedBy("lock")
  private OidcConfig config;

  @GuardedBy("lock")
  private boolean refused;

  OidcCredentials(OidcConfig config, OidcProvider provider, Clock clock) {
    this.config = config;
    this.provider = provider;
    this.clock = clock;
  }

  @Override
  public Credential current() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      String token = config.idToken();
      if (token == null || refused || isExpired(token)) {
        token = refreshLocked();
      }
      return Credential.bearer(token);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private String refreshLocked() throws InterruptedException {
    OidcProvider.Tokens tokens = provider.refresh(config);
    config = config.with(tokens.idToken(), tokens.refreshToken());
    refused = false;
    try {
      config.persist();
    } catch (ConfigException e) {
      // The token works; only the next program must refresh it again.
      LOG.log(
          Level.WARNING,
          "Cannot write back the refreshed tokens: provider=" + config.describe(),
          e);
    }
    return tokens.idToken();
  }

  /** A token without an expiry never expires. */
  private boolean isExpired(String token) {
    Instant expiry = expiry(token);
    return expiry != null && !expiry.isAfter(clock.now().plus(LEEWAY));
  }

  private static @Nullable Instant expiry(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return Instant.MIN;
    }
    try {
      byte[] claims = Base64.getUrlDecoder().decode(parts[1].getBytes(UTF_8));
      return JsonReader.of(claims).nextTree() instanceof Map<?, ?> map
              && map.get("exp") instanceof Number seconds
          ? Instant.ofEpochSecond(seconds.longValue())
          : null;
    } catch (IllegalArgumentException | DateTimeException | CodecException e) {
      return Instant.MIN;
    }
  }

  @Override
  public String describe() {
    lock.lock();
    try {
      return "the token of " + config.describe();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    provider.close();
  }

  @Override
  public void refused(Credential credential) {
    lock.lock();
    try {
      String token = config.idToken();
      if (token != null
          && config.refreshToken() != null
          && "Bearer ".concat(token).equals(credential.authorization())) {
        refused = true;
      }
    } finally {
      lock.unlock();
    }
  }
}
