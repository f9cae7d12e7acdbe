package dev.clientgo.rest.internal.auth;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.OidcConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.TokenSource;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the credentials that a configuration asks for. */
public final class ConfiguredCredentials {

  private ConfiguredCredentials() {}

  /**
   * Returns the credentials of a configuration; fixed ones take precedence.
   *
   * @param policies receives the metrics of plugins
   * @param connections connects to identity providers
   * @throws ConfigException if they would cross the network as plain text
   */
  public static Credentials of(
      RestConfig config,
      Clock clock,
      RequestPolicies policies,
      Function<RestConfig, ProviderConnection> connections) {
    ExecConfig exec = config.exec();
    OidcConfig oidc = config.oidc();
    Credentials header = header(config, clock);
    if ((header != null || oidc != null || exec != null) && sendsPlainText(config)) {
      throw new ConfigException(
          "credentials are configured for "
              + config.server()
              + ", which would send them as plain text: use https, or config.anonymous()");
    }
    if (header == null && oidc != null) {
      header = new OidcCredentials(oidc, new OidcProvider(connections), clock);
    }
    if (header == null && config.clientCertificate() == null && exec != null) {
      return new ExecCredentials(ExecPlugin.of(exec, config, clock, policies), clock);
    }
    Credentials known = header == null ? fixed(Credential.NONE, "") : header;
    return config.clientCertificate() == null
        ? known
        : new CertificateCredentials(config, known, clock);
  }

  /** A name may lead anywhere; but localhost leads to this machine, unless its hosts file lies. */
  private static boolean sendsPlainText(RestConfig config) {
    String host = String.valueOf(config.server().getHost());
    boolean local =
        config.proxy() == null && host.matches("localhost|\\[::1]|127(\\.[0-9]{1,3}){3}");
    return !config.isTls() && config.connection() == null && !local;
  }

  private static @Nullable Credentials header(RestConfig config, Clock clock) {
    Path tokenFile = config.bearerTokenFile();
    String token = config.bearerToken();
    String username = config.username();
    String password = config.password();
    TokenSource tokenSource = config.bearerTokenSource();
    if (tokenSource != null) {
      return CachedToken.of(tokenSource, Credentials.origin(config), clock);
    } else if (tokenFile != null) {
      return CachedToken.ofFile(tokenFile, token, clock);
    } else if (token != null) {
      return fixed(Credential.bearer(token), "the bearer token" + Credentials.origin(config));
    } else if (username != null && password != null) {
      return fixed(
          basic(username, password),
          "the password of user " + username + Credentials.origin(config));
    }
    return null;
  }

  private static Credential basic(String username, String password) {
    byte[] both = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new Credential("Basic " + Base64.getEncoder().encodeToString(both), null);
  }

  /** Returns credentials that never change. */
  private static Credentials fixed(Credential credential, String description) {
    return new Credentials() {
      @Override
      public String describe() {
        return description;
      }

      @Override
      public Credential current() {
        return credential;
      }

      @Override
      public void refused(Credential refused) {}
    };
  }
}
