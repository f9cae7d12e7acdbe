package dev.clientgo.rest.config;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.internal.text.ServerUrl;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The credentials of a {@link RestConfig}, which only its builder changes. */
final class Credentials {

  @Nullable PemSource clientCertificate;
  @Nullable PemSource clientKey;
  @Nullable String clientKeyPassphrase;
  @Nullable String bearerToken;
  @Nullable Path bearerTokenFile;
  @Nullable TokenSource bearerTokenSource;
  @Nullable String username;
  @Nullable String password;
  @Nullable ExecConfig exec;
  @Nullable OidcConfig oidc;
  @Nullable ImpersonationConfig impersonate;

  /** Where they are configured, for messages. */
  @Nullable String origin;

  Credentials copy() {
    Credentials copy = new Credentials();
    copy.clientCertificate = clientCertificate;
    copy.clientKey = clientKey;
    copy.clientKeyPassphrase = clientKeyPassphrase;
    copy.bearerToken = bearerToken;
    copy.bearerTokenFile = bearerTokenFile;
    copy.bearerTokenSource = bearerTokenSource;
    copy.username = username;
    copy.password = password;
    copy.exec = exec;
    copy.oidc = oidc;
    copy.impersonate = impersonate;
    copy.origin = origin;
    return copy;
  }

  /** Takes the user of a URL. As in client-go, it takes precedence. */
  void takeUserOf(ServerUrl address) {
    username = address.username();
    password = address.password();
    bearerToken = null;
    bearerTokenFile = null;
    bearerTokenSource = null;
    exec = null;
    oidc = null;
  }

  /**
   * Checks that they do not contradict each other.
   *
   * @throws ConfigException if they do
   */
  void validate() {
    if ((clientCertificate == null) != (clientKey == null)) {
      throw new ConfigException(
          clientKey == null
              ? "a client certificate is configured, but no key for it"
              : "a client key is configured, but no certificate for it");
    }
    if (exec != null && oidc != null) {
      throw new ConfigException(
          "both a credential plugin and an auth provider are configured: remove one of the two");
    }
    boolean hasToken = bearerToken != null || bearerTokenFile != null;
    if (bearerTokenSource != null
        && (hasToken || username != null || exec != null || oidc != null)) {
      throw new ConfigException(
          "both a token source and another credential are configured: remove one of the two, or"
              + " begin with config.anonymous().toBuilder(), which drops all credentials");
    }
    if (username != null && hasToken) {
      throw new ConfigException(
          "both a user name and a bearer token are configured: remove one of the two");
    }
  }
}
