package dev.clientgo.rest;

import dev.clientgo.clock.Clock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the proof of who we are comes from. Safe for use by many threads. */
interface Credentials extends ClientCertificate, AutoCloseable {

  /**
   * Returns what to send with the next request. May read a file or run a program.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if there is none to be had
   * @throws InterruptedException if the thread is interrupted
   */
  Credential current() throws InterruptedException;

  /** Returns what is sent and where it is configured, for messages; empty if nothing is. */
  default String describe() {
    return "";
  }

  /**
   * Takes note that the server does not accept a credential any more. The next one is obtained
   * anew, unless another thread has done so already.
   */
  void refused(Credential credential);

  /** Ends what a thread waits for in {@link #current}, which then throws. */
  @Override
  default void close() {}

  /**
   * Returns the credentials that a configuration asks for; what is fixed in it goes first.
   *
   * @param policies reports what plugins do
   * @param connections makes connections to identity providers
   */
  static Credentials of(
      RestConfig config,
      Clock clock,
      RequestPolicies policies,
      Function<RestConfig, ProviderConnection> connections) {
    ExecConfig exec = config.exec();
    OidcConfig oidc = config.oidc();
    Credentials header = header(config, clock);
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

  private static @Nullable Credentials header(RestConfig config, Clock clock) {
    Path tokenFile = config.bearerTokenFile();
    String token = config.bearerToken();
    String username = config.username();
    String password = config.password();
    if (tokenFile != null) {
      return new TokenFile(tokenFile, token, clock);
    } else if (token != null) {
      return fixed(Credential.bearer(token), "the bearer token" + origin(config));
    } else if (username != null && password != null) {
      return fixed(basic(username, password), "the password of user " + username + origin(config));
    }
    return null;
  }

  /** Returns where a configuration has its user from, to be put behind what it describes. */
  static String origin(RestConfig config) {
    return config.userOrigin() == null ? "" : " (" + config.userOrigin() + ")";
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
