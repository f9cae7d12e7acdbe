package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where an API server is, how it is trusted, and who we are to it.
 *
 * <p>A configuration is read from a kubeconfig ({@code KubeConfigLoader}), taken from the pod that
 * the program runs in ({@link InClusterConfig}), or built:
 *
 * <pre>{@code
 * RestConfig config =
 *     RestConfig.builder("https://10.0.0.1:6443")
 *         .certificateAuthority(Path.of("/etc/kubernetes/pki/ca.crt"))
 *         .bearerTokenFile(Path.of("/var/run/secrets/token"))
 *         .build();
 * }</pre>
 *
 * <p>Immutable. {@link #toString} shows no secret. Files are named here and read when a client is
 * created; those that are rotated on disk are read again in time.
 *
 * <p>Corresponds to client-go's {@code rest.Config}.
 */
public final class RestConfig {

  /** The namespace of a configuration that names none. */
  public static final String DEFAULT_NAMESPACE = "default";

  private final ServerUrl server;
  private final Builder values;

  private RestConfig(Builder builder) {
    values = new Builder(builder);
    values.validate();
    server = ServerUrl.parse(builder.server, values.impliesTls());
    if (server.hasUser()) {
      values.takeUserOf(server);
    }
  }

  /**
   * Returns a builder for a server.
   *
   * @param server a URL, whose path is put before the path of each request, or {@code host:port},
   *     which means https if anything about TLS is configured. An IPv6 address may have a zone,
   *     {@code https://[fe80::1%25eth0]:6443}. A user and a password in it go before all other
   *     credentials, apart from a client certificate.
   */
  public static Builder builder(String server) {
    return new Builder(server);
  }

  /** Returns a builder that starts with this configuration. */
  public Builder toBuilder() {
    return new Builder(values);
  }

  /**
   * Returns this configuration without credentials: server, trust, proxy and limits are kept.
   *
   * <p>Corresponds to client-go's {@code rest.AnonymousClientConfig}.
   */
  public RestConfig anonymous() {
    return new Builder(values).withoutCredentials().build();
  }

  /** Returns the URL of the server, ending with a slash, without a user, a password and a zone. */
  public URI server() {
    return server.url().uri();
  }

  /** Returns whether the server is reached by TLS. Only then are credentials of a user sent. */
  public boolean isTls() {
    return server.url().isHttps();
  }

  /** Returns the namespace of a call that names none, {@value #DEFAULT_NAMESPACE} if not set. */
  public String namespace() {
    return values.namespace;
  }

  /** Returns what is sent as {@code User-Agent}. */
  public String userAgent() {
    return values.userAgent;
  }

  /** Returns whom to act as, if somebody. */
  public @Nullable ImpersonationConfig impersonate() {
    return values.impersonate;
  }

  /** Returns the proxy that requests go through, if one is configured here. */
  public @Nullable URI proxy() {
    return values.proxy;
  }

  /** Returns the program that credentials come from, if one is configured. */
  public @Nullable ExecConfig exec() {
    return values.exec;
  }

  /** Returns how long a request may take until its answer is read; zero if there is no limit. */
  public Duration timeout() {
    return values.timeout;
  }

  /** Returns the encoding in which objects are read; null for the one that their type prefers. */
  public @Nullable String contentType() {
    return values.contentType;
  }

  /** Returns the URL of the server with its zone, ending with a slash, without a user. */
  public String address() {
    return server.toString();
  }

  /**
   * Returns the interface by which a link-local address of the server is reached, if one is named.
   */
  public @Nullable String serverZone() {
    return server.zone();
  }

  boolean insecure() {
    return values.insecure;
  }

  @Nullable String tlsServerName() {
    return values.tlsServerName;
  }

  @Nullable PemSource certificateAuthority() {
    return values.certificateAuthority;
  }

  @Nullable PemSource clientCertificate() {
    return values.clientCertificate;
  }

  @Nullable PemSource clientKey() {
    return values.clientKey;
  }

  @Nullable String clientKeyPassphrase() {
    return values.clientKeyPassphrase;
  }

  /** Returns where the credentials are configured, for messages; null if that is not known. */
  @Nullable String userOrigin() {
    return values.userOrigin;
  }

  @Nullable String bearerToken() {
    return values.bearerToken;
  }

  @Nullable Path bearerTokenFile() {
    return values.bearerTokenFile;
  }

  @Nullable String username() {
    return values.username;
  }

  @Nullable String password() {
    return values.password;
  }

  @Nullable OidcConfig oidc() {
    return values.oidc;
  }

  PluginPolicy pluginPolicy() {
    return values.pluginPolicy;
  }

  boolean disableCompression() {
    return values.disableCompression;
  }

  boolean disableHttp2() {
    return values.disableHttp2;
  }

  Duration watchIdleTimeout() {
    return values.watchIdleTimeout;
  }

  /** Returns a description without secrets. */
  @Override
  public String toString() {
    return "RestConfig[server=" + server + values.describe() + "]";
  }

  /** Builds a {@link RestConfig}. Not safe for use by many threads. */
  public static final class Builder {
    private static final String REDACTED = "--- REDACTED ---";

    private String server;
    private boolean insecure;
    private @Nullable String tlsServerName;
    private @Nullable PemSource certificateAuthority;
    private @Nullable PemSource clientCertificate;
    private @Nullable PemSource clientKey;
    private @Nullable String clientKeyPassphrase;
    private @Nullable String userOrigin;
    private @Nullable String bearerToken;
    private @Nullable Path bearerTokenFile;
    private @Nullable String username;
    private @Nullable String password;
    private @Nullable ExecConfig exec;
    private @Nullable OidcConfig oidc;
    private PluginPolicy pluginPolicy = PluginPolicy.allowAll();
    private @Nullable ImpersonationConfig impersonate;
    private String userAgent = UserAgent.standard();
    private @Nullable URI proxy;
    private String namespace = DEFAULT_NAMESPACE;
    private @Nullable String contentType;
    private boolean disableCompression;
    private boolean disableHttp2;
    private Duration timeout = Duration.ZERO;
    private Duration watchIdleTimeout = Duration.ofMinutes(5);

    private Builder(String server) {
      this.server = requireNonNull(server, "server");
    }

    private Builder(Builder other) {
      server = other.server;
      insecure = other.insecure;
      tlsServerName = other.tlsServerName;
      certificateAuthority = other.certificateAuthority;
      clientCertificate = other.clientCertificate;
      clientKey = other.clientKey;
      clientKeyPassphrase = other.clientKeyPassphrase;
      userOrigin = other.userOrigin;
      bearerToken = other.bearerToken;
      bearerTokenFile = other.bearerTokenFile;
      username = other.username;
      password = other.password;
      exec = other.exec;
      oidc = other.oidc;
      pluginPolicy = other.pluginPolicy;
      impersonate = other.impersonate;
      userAgent = other.userAgent;
      proxy = other.proxy;
      namespace = other.namespace;
      contentType = other.contentType;
      disableCompression = other.disableCompression;
      disableHttp2 = other.disableHttp2;
      timeout = other.timeout;
      watchIdleTimeout = other.watchIdleTimeout;
    }

    /** Sets the server, as {@link RestConfig#builder} takes it. */
    public Builder server(String server) {
      this.server = requireNonNull(server, "server");
      return this;
    }

    /** Trusts the certificates of a PEM file instead of those of the JDK. */
    public Builder certificateAuthority(Path file) {
      certificateAuthority = new PemSource.File(file);
      return this;
    }

    /** Trusts certificates in PEM form instead of those of the JDK. */
    public Builder certificateAuthorityData(byte[] pem) {
      certificateAuthority = new PemSource.Data(pem);
      return this;
    }

    /** Sets whether any certificate of the server is accepted. For tests. */
    public Builder insecure(boolean insecure) {
      this.insecure = insecure;
      return this;
    }

    /** Sets the name that the server's certificate must have, and that it is asked for by SNI. */
    public Builder tlsServerName(@Nullable String tlsServerName) {
      this.tlsServerName = tlsServerName;
      return this;
    }

    /** Shows the server a certificate of ours, in a PEM file. It needs a key. */
    public Builder clientCertificate(Path file) {
      clientCertificate = new PemSource.File(file);
      return this;
    }

    /** Shows the server a certificate of ours, in PEM form. It needs a key. */
    public Builder clientCertificateData(byte[] pem) {
      clientCertificate = new PemSource.Data(pem);
      return this;
    }

    /**
     * Names the place where the credentials are configured, such as {@code user "jane" in
     * kubeconfig /home/jane/.kube/config}. Errors about a refused or expired credential show it.
     */
    public Builder userOrigin(@Nullable String userOrigin) {
      this.userOrigin = userOrigin;
      return this;
    }

    /** Sets the key of our certificate, in a PEM file. */
    public Builder clientKey(Path file) {
      clientKey = new PemSource.File(file);
      return this;
    }

    /** Sets the key of our certificate, in PEM form. */
    public Builder clientKeyData(byte[] pem) {
      clientKey = new PemSource.Data(pem);
      return this;
    }

    /** Sets what the client key is encrypted with, if it is. */
    public Builder clientKeyPassphrase(@Nullable String clientKeyPassphrase) {
      this.clientKeyPassphrase = clientKeyPassphrase;
      return this;
    }

    /** Authenticates by a token. */
    public Builder bearerToken(@Nullable String bearerToken) {
      this.bearerToken =
          bearerToken == null ? null : HeaderValues.check("the bearer token", bearerToken.strip());
      return this;
    }

    /**
     * Authenticates by a token in a file, which is read again about every minute. Once it can be
     * read, it replaces a {@link #bearerToken}.
     */
    public Builder bearerTokenFile(@Nullable Path bearerTokenFile) {
      this.bearerTokenFile = bearerTokenFile;
      return this;
    }

    /** Authenticates by name and password. */
    public Builder basicAuth(String username, String password) {
      this.username = requireNonNull(username, "username");
      this.password = requireNonNull(password, "password");
      return this;
    }

    /**
     * Authenticates by what a program answers. A token, a password or a client certificate that is
     * configured here, too, goes first, and the program is not run.
     */
    public Builder exec(@Nullable ExecConfig exec) {
      this.exec = exec;
      return this;
    }

    /**
     * Authenticates as a user of an OpenID Connect provider, by tokens that are refreshed. A token
     * or a password that is configured here, too, goes first.
     */
    public Builder oidc(@Nullable OidcConfig oidc) {
      this.oidc = oidc;
      return this;
    }

    /** Sets which programs may be run for credentials, any of them if not set. */
    public Builder pluginPolicy(PluginPolicy pluginPolicy) {
      this.pluginPolicy = requireNonNull(pluginPolicy, "pluginPolicy");
      return this;
    }

    /** Sets whom to act as. */
    public Builder impersonate(@Nullable ImpersonationConfig impersonate) {
      this.impersonate = impersonate;
      return this;
    }

    /** Sets what is sent as {@code User-Agent}. */
    public Builder userAgent(String userAgent) {
      this.userAgent = HeaderValues.check("the user agent", userAgent);
      return this;
    }

    /** Adds a name behind a slash to what is sent as {@code User-Agent}. */
    public Builder addUserAgent(String name) {
      return userAgent(userAgent + "/" + name);
    }

    /**
     * Sends requests through a proxy: an http, https or socks5 URL. If not set, the environment
     * variables {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} say whether there is
     * one, and otherwise the properties of the JDK.
     */
    public Builder proxy(@Nullable URI proxy) {
      this.proxy = proxy;
      return this;
    }

    /** Sets the namespace of a call that names none. */
    public Builder namespace(String namespace) {
      this.namespace = requireNonNull(namespace, "namespace");
      return this;
    }

    /**
     * Sets the encoding in which objects are read: {@code application/json} for all. If not set, it
     * is the one that their type prefers, which for those of Kubernetes itself is {@code
     * application/vnd.kubernetes.protobuf}; a server that does not have it answers in JSON. Objects
     * are sent in JSON, whatever is set.
     *
     * <p>Corresponds to client-go's {@code ContentConfig.ContentType}.
     */
    public Builder contentType(@Nullable String contentType) {
      this.contentType =
          contentType == null ? null : HeaderValues.check("the content type", contentType);
      return this;
    }

    /** Sets whether answers are asked for without compression. */
    public Builder disableCompression(boolean disableCompression) {
      this.disableCompression = disableCompression;
      return this;
    }

    /**
     * Sets whether HTTP/1.1 is spoken where HTTP/2 would be possible. It is in any case if the
     * environment variable {@code DISABLE_HTTP2} is not empty.
     */
    public Builder disableHttp2(boolean disableHttp2) {
      this.disableHttp2 = disableHttp2;
      return this;
    }

    /**
     * Sets how long a request, but not a watch, may take until its answer is read. Zero, the
     * default, sets no bound, as in client-go: such a request ends when its thread is interrupted
     * or the client is closed.
     */
    public Builder timeout(Duration timeout) {
      this.timeout = requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets after how long without an event or a bookmark a watch is taken for dead, 5 minutes if
     * not set. Servers send a bookmark every minute or so.
     */
    public Builder watchIdleTimeout(Duration watchIdleTimeout) {
      this.watchIdleTimeout = requireNonNull(watchIdleTimeout, "watchIdleTimeout");
      return this;
    }

    /**
     * Returns the configuration built.
     *
     * @throws ConfigException if settings contradict each other or the server is no URL
     */
    public RestConfig build() {
      return new RestConfig(this);
    }

    /** As upstream: who stands in the address goes first. */
    private void takeUserOf(ServerUrl address) {
      server = address.toString();
      username = address.username();
      password = address.password();
      bearerToken = null;
      bearerTokenFile = null;
      exec = null;
      oidc = null;
    }

    private Builder withoutCredentials() {
      clientCertificate = null;
      clientKey = null;
      clientKeyPassphrase = null;
      bearerToken = null;
      bearerTokenFile = null;
      username = null;
      password = null;
      exec = null;
      oidc = null;
      impersonate = null;
      userOrigin = null;
      return this;
    }

    private boolean impliesTls() {
      return insecure || certificateAuthority != null || clientCertificate != null;
    }

    private void validate() {
      if (insecure && certificateAuthority != null) {
        throw new ConfigException(
            "a certificate authority is configured and the server's certificate is not to be"
                + " checked: remove one of the two");
      }
      if ((clientCertificate == null) != (clientKey == null)) {
        throw new ConfigException(
            clientKey == null
                ? "a client certificate is configured, but no key for it"
                : "a client key is configured, but no certificate for it");
      }
      if (timeout.isNegative() || watchIdleTimeout.isNegative()) {
        throw new ConfigException("a timeout is negative: zero means any time");
      }
      if (exec != null && oidc != null) {
        throw new ConfigException(
            "both a credential plugin and an auth provider are configured: remove one of the two");
      }
      if (username != null && (bearerToken != null || bearerTokenFile != null)) {
        throw new ConfigException(
            "both a user name and a bearer token are configured: remove one of the two");
      }
    }

    private String describe() {
      StringBuilder text = new StringBuilder();
      append(text, "namespace", namespace);
      append(text, "insecure", insecure ? "true" : null);
      append(text, "tlsServerName", tlsServerName);
      append(text, "certificateAuthority", certificateAuthority);
      append(text, "clientCertificate", clientCertificate);
      append(text, "clientKey", clientKey == null ? null : REDACTED);
      append(text, "bearerToken", bearerToken == null ? null : REDACTED);
      append(text, "bearerTokenFile", bearerTokenFile);
      append(text, "username", username);
      append(text, "password", password == null ? null : REDACTED);
      append(text, "exec", exec);
      append(text, "oidc", oidc);
      append(text, "impersonate", impersonate);
      append(text, "proxy", proxy == null ? null : proxy.getHost() + ":" + proxy.getPort());
      append(text, "userAgent", userAgent);
      return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
      if (value != null) {
        text.append(", ").append(name).append('=').append(value);
      }
    }
  }
}
