package dev.clientgo.rest.config;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.internal.text.HeaderValues;
import dev.clientgo.rest.internal.text.ServerUrl;
import dev.clientgo.rest.internal.text.UserAgent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a client: the server's URL, the certificates to trust and the credentials.
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
 * <p>Requests are not limited in their rate; where client-go allows 5 requests per second with a
 * burst of 10 unless told otherwise. API servers protect themselves by priority and fairness, and a
 * client that waits silently is hard to debug. {@code RESTClient.builder(config).rateLimiter(…)}
 * sets a {@link RequestRateLimiter}, and {@code addInterceptor} a {@link RequestInterceptor}.
 *
 * <p>Immutable. {@link #toString} shows no secret. A client reads the files when it is created, and
 * again when they are rotated.
 *
 * <p>Corresponds to client-go's {@code rest.Config}.
 */
public final class RestConfig {

  /** The namespace of a configuration that sets none. */
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
   * @param server a URL, whose path is the prefix of each request's path; or {@code host:port},
   *     which means https if anything about TLS is configured. An IPv6 address may have a zone,
   *     {@code https://[fe80::1%25eth0]:6443}. A user and a password in the URL take precedence
   *     over all credentials but a client certificate.
   */
  public static Builder builder(String server) {
    return new Builder(server);
  }

  /** Returns a builder that starts with this configuration. */
  public Builder toBuilder() {
    return new Builder(values);
  }

  /**
   * Returns this configuration without credentials. Server, trust, proxy and limits stay.
   *
   * <p>Corresponds to client-go's {@code rest.AnonymousClientConfig}.
   */
  public RestConfig anonymous() {
    return new Builder(values).withoutCredentials().build();
  }

  /** Returns the URL of the server: ends with a slash, has no user, password or zone. */
  public URI server() {
    return server.url().uri();
  }

  /**
   * Returns whether the server is reached by TLS. User credentials are sent only then, or to this
   * machine itself without a proxy, or over a {@link Builder#connection}: a client that would send
   * them as plain text cannot be created.
   */
  public boolean isTls() {
    return server.url().isHttps();
  }

  /** Returns the namespace for calls that set none; {@value #DEFAULT_NAMESPACE} by default. */
  public String namespace() {
    return values.namespace;
  }

  /** Returns the header {@code User-Agent}. */
  public String userAgent() {
    return values.userAgent;
  }

  /** Returns the user to impersonate, null for none. */
  public @Nullable ImpersonationConfig impersonate() {
    return values.credentials.impersonate;
  }

  /** Returns the configured proxy; null if the environment decides. */
  public @Nullable URI proxy() {
    return values.proxy;
  }

  /** Returns the credential plugin, null if none is configured. */
  public @Nullable ExecConfig exec() {
    return values.credentials.exec;
  }

  /** Returns the timeout of a request, its response included; zero for no limit. */
  public Duration timeout() {
    return values.timeout;
  }

  /** Returns the media type in which objects are read; null for the one that the type prefers. */
  public @Nullable String contentType() {
    return values.contentType;
  }

  /** Returns the URL of the server with its zone: ends with a slash, has no user. */
  public String address() {
    return server.toString();
  }

  /** Returns the zone of a link-local server address, that is the network interface, or null. */
  public @Nullable String serverZone() {
    return server.zone();
  }

  /** Returns whether any certificate of the server is accepted. */
  public boolean insecure() {
    return values.insecure;
  }

  /** Returns the name expected in the server's certificate; null for the host of the URL. */
  public @Nullable String tlsServerName() {
    return values.tlsServerName;
  }

  /** Returns the trusted certificates; null means the certificates of the JDK. */
  public @Nullable PemSource certificateAuthority() {
    return values.certificateAuthority;
  }

  /** Returns the client certificate, null if none is configured. */
  public @Nullable PemSource clientCertificate() {
    return values.credentials.clientCertificate;
  }

  /** Returns the key of the client certificate, null if none is configured. */
  public @Nullable PemSource clientKey() {
    return values.credentials.clientKey;
  }

  /** Returns the passphrase of the client key, null if it is not encrypted. */
  public @Nullable String clientKeyPassphrase() {
    return values.credentials.clientKeyPassphrase;
  }

  /** Returns where the credentials are configured, for messages; null if unknown. */
  public @Nullable String userOrigin() {
    return values.credentials.origin;
  }

  /** Returns the bearer token, null if none is configured. */
  public @Nullable String bearerToken() {
    return values.credentials.bearerToken;
  }

  /** Returns the file of the bearer token, null if none is configured. */
  public @Nullable Path bearerTokenFile() {
    return values.credentials.bearerTokenFile;
  }

  /** Returns the source of bearer tokens, null if none is configured. */
  public @Nullable TokenSource bearerTokenSource() {
    return values.credentials.bearerTokenSource;
  }

  /** Returns the name for basic authentication, null if none is configured. */
  public @Nullable String username() {
    return values.credentials.username;
  }

  /** Returns the password for basic authentication, null if none is configured. */
  public @Nullable String password() {
    return values.credentials.password;
  }

  /** Returns the OpenID Connect user, null if none is configured. */
  public @Nullable OidcConfig oidc() {
    return values.credentials.oidc;
  }

  /** Returns the policy about credential plugins. */
  public PluginPolicy pluginPolicy() {
    return values.pluginPolicy;
  }

  /** Returns whether responses are requested without compression. */
  public boolean disableCompression() {
    return values.disableCompression;
  }

  /** Returns whether HTTP/2 is switched off. */
  public boolean disableHttp2() {
    return values.disableHttp2;
  }

  /** Returns how long a watch may be silent before it ends; see the builder. */
  public Duration watchIdleTimeout() {
    return values.watchIdleTimeout;
  }

  /** Returns the connection that is used instead of the network, null for the network. */
  public @Nullable ServerConnection connection() {
    return values.connection;
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
    private Credentials credentials;
    private PluginPolicy pluginPolicy = PluginPolicy.allowAll();
    private String userAgent = UserAgent.standard();
    private @Nullable URI proxy;
    private String namespace = DEFAULT_NAMESPACE;
    private @Nullable String contentType;
    private boolean disableCompression;
    private boolean disableHttp2;
    private Duration timeout = Duration.ZERO;
    private Duration watchIdleTimeout = Duration.ofMinutes(5);

    private @Nullable ServerConnection connection;

    private Builder(String server) {
      this.server = requireNonNull(server, "server");
      credentials = new Credentials();
    }

    private Builder(Builder other) {
      server = other.server;
      insecure = other.insecure;
      tlsServerName = other.tlsServerName;
      certificateAuthority = other.certificateAuthority;
      credentials = other.credentials.copy();
      pluginPolicy = other.pluginPolicy;
      userAgent = other.userAgent;
      proxy = other.proxy;
      namespace = other.namespace;
      contentType = other.contentType;
      disableCompression = other.disableCompression;
      disableHttp2 = other.disableHttp2;
      timeout = other.timeout;
      watchIdleTimeout = other.watchIdleTimeout;
      connection = other.connection;
    }

    /** Sets the server, as in {@link RestConfig#builder}. */
    public Builder server(String server) {
      this.server = requireNonNull(server, "server");
      return this;
    }

    /** Trusts the certificates of a PEM file instead of the certificates of the JDK. */
    public Builder certificateAuthority(Path file) {
      certificateAuthority = new PemSource.File(file);
      return this;
    }

    /** Trusts certificates from a source instead of those of the JDK. */
    public Builder certificateAuthority(PemSource source) {
      certificateAuthority = requireNonNull(source, "source");
      return this;
    }

    /** Trusts certificates in PEM form instead of those of the JDK. */
    public Builder certificateAuthorityData(byte[] pem) {
      certificateAuthority = new PemSource.Data(pem);
      return this;
    }

    /** Sets whether any certificate of the server is accepted; false by default. For tests. */
    public Builder insecure(boolean insecure) {
      this.insecure = insecure;
      return this;
    }

    /** Sets the name that the server's certificate must have, also sent as SNI. */
    public Builder tlsServerName(@Nullable String tlsServerName) {
      this.tlsServerName = tlsServerName;
      return this;
    }

    /** Sets the client certificate, a PEM file. It needs a key. */
    public Builder clientCertificate(Path file) {
      credentials.clientCertificate = new PemSource.File(file);
      return this;
    }

    /** Sets the client certificate, in PEM form. It needs a key. */
    public Builder clientCertificateData(byte[] pem) {
      credentials.clientCertificate = new PemSource.Data(pem);
      return this;
    }

    /**
     * Sets where the credentials are configured, such as {@code user "jane" in kubeconfig
     * /home/jane/.kube/config}. Errors about a rejected or expired credential show it.
     */
    public Builder userOrigin(@Nullable String userOrigin) {
      credentials.origin = userOrigin;
      return this;
    }

    /** Sets the key of the client certificate, a PEM file. */
    public Builder clientKey(Path file) {
      credentials.clientKey = new PemSource.File(file);
      return this;
    }

    /** Sets the key of the client certificate, in PEM form. */
    public Builder clientKeyData(byte[] pem) {
      credentials.clientKey = new PemSource.Data(pem);
      return this;
    }

    /** Sets the passphrase of an encrypted client key. */
    public Builder clientKeyPassphrase(@Nullable String clientKeyPassphrase) {
      credentials.clientKeyPassphrase = clientKeyPassphrase;
      return this;
    }

    /** Authenticates with a bearer token. */
    public Builder bearerToken(@Nullable String bearerToken) {
      credentials.bearerToken =
          bearerToken == null ? null : HeaderValues.check("the bearer token", bearerToken.strip());
      return this;
    }

    /**
     * Authenticates with a bearer token in a file, which is read again about every minute. If the
     * file can be read, its token replaces {@link #bearerToken}.
     */
    public Builder bearerTokenFile(@Nullable Path bearerTokenFile) {
      credentials.bearerTokenFile = bearerTokenFile;
      return this;
    }

    /**
     * Authenticates with the bearer tokens of a function, which is called again about every minute
     * and when the server has rejected the last token. Apart from a client certificate, no
     * credentials may be configured besides; {@link RestConfig#anonymous} drops them.
     */
    public Builder bearerTokenSource(@Nullable TokenSource bearerTokenSource) {
      credentials.bearerTokenSource = bearerTokenSource;
      return this;
    }

    /** Authenticates with a name and a password. */
    public Builder basicAuth(String username, String password) {
      credentials.username = requireNonNull(username, "username");
      credentials.password = requireNonNull(password, "password");
      return this;
    }

    /**
     * Authenticates with the output of a credential plugin. If a token, a password or a client
     * certificate is configured too, the plugin is not run.
     */
    public Builder exec(@Nullable ExecConfig exec) {
      credentials.exec = exec;
      return this;
    }

    /**
     * Authenticates as a user of an OpenID Connect provider, with tokens that are refreshed. A
     * token or a password that is configured too takes precedence.
     */
    public Builder oidc(@Nullable OidcConfig oidc) {
      credentials.oidc = oidc;
      return this;
    }

    /** Sets which credential plugins may be run; all by default. */
    public Builder pluginPolicy(PluginPolicy pluginPolicy) {
      this.pluginPolicy = requireNonNull(pluginPolicy, "pluginPolicy");
      return this;
    }

    /** Sets the user to impersonate. */
    public Builder impersonate(@Nullable ImpersonationConfig impersonate) {
      credentials.impersonate = impersonate;
      return this;
    }

    /** Sets the header {@code User-Agent}. */
    public Builder userAgent(String userAgent) {
      this.userAgent = HeaderValues.check("the user agent", userAgent);
      return this;
    }

    /** Appends a slash and a name to the header {@code User-Agent}. */
    public Builder addUserAgent(String name) {
      return userAgent(userAgent + "/" + name);
    }

    /**
     * Sends requests through a proxy: an http, https or socks5 URL. If not set, the environment
     * variables {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} decide, then the
     * system properties of the JDK.
     */
    public Builder proxy(@Nullable URI proxy) {
      this.proxy = proxy;
      return this;
    }

    /** Sets the namespace for calls that set none. */
    public Builder namespace(String namespace) {
      this.namespace = requireNonNull(namespace, "namespace");
      return this;
    }

    /**
     * Sets the media type in which objects are read, such as {@code application/json}. By default
     * the type decides; types built into Kubernetes prefer {@code
     * application/vnd.kubernetes.protobuf}, and a server without it responds in JSON. Objects are
     * always sent in JSON.
     *
     * <p>Corresponds to client-go's {@code ContentConfig.ContentType}.
     */
    public Builder contentType(@Nullable String contentType) {
      this.contentType =
          contentType == null ? null : HeaderValues.check("the content type", contentType);
      return this;
    }

    /** Sets whether responses are requested without compression; false by default. */
    public Builder disableCompression(boolean disableCompression) {
      this.disableCompression = disableCompression;
      return this;
    }

    /**
     * Sets whether HTTP/2 is switched off; false by default. A non-empty environment variable
     * {@code DISABLE_HTTP2} switches it off too.
     */
    public Builder disableHttp2(boolean disableHttp2) {
      this.disableHttp2 = disableHttp2;
      return this;
    }

    /**
     * Sets the timeout of a request, its response included. It does not apply to a watch. Zero, the
     * default as in client-go, means no limit: the request ends when its thread is interrupted or
     * the client is closed.
     */
    public Builder timeout(Duration timeout) {
      this.timeout = requireNonNull(timeout, "timeout");
      return this;
    }

    /**
     * Sets how long a watch may be silent, without event or bookmark, before it counts as broken; 5
     * minutes by default. Servers send a bookmark about every minute.
     */
    public Builder watchIdleTimeout(Duration watchIdleTimeout) {
      this.watchIdleTimeout = requireNonNull(watchIdleTimeout, "watchIdleTimeout");
      return this;
    }

    /**
     * Sets a connection to use instead of the network, such as that to a server in the same
     * process. Proxies, TLS and the timeouts of sockets do not apply then; {@link #timeout} does.
     */
    public Builder connection(@Nullable ServerConnection connection) {
      this.connection = connection;
      return this;
    }

    /**
     * Returns the configuration built.
     *
     * @throws ConfigException if settings contradict each other or the server is not a URL
     */
    public RestConfig build() {
      return new RestConfig(this);
    }

    private void takeUserOf(ServerUrl address) {
      server = address.toString();
      credentials.takeUserOf(address);
    }

    private Builder withoutCredentials() {
      credentials = new Credentials();
      return this;
    }

    private boolean impliesTls() {
      return insecure || certificateAuthority != null || credentials.clientCertificate != null;
    }

    private void validate() {
      if (insecure && certificateAuthority != null) {
        throw new ConfigException(
            "a certificate authority is configured and the server's certificate is not to be"
                + " checked: remove one of the two");
      }
      if (timeout.isNegative() || watchIdleTimeout.isNegative()) {
        throw new ConfigException("a timeout is negative: zero means any time");
      }
      credentials.validate();
    }

    private String describe() {
      StringBuilder text = new StringBuilder();
      append(text, "namespace", namespace);
      append(text, "insecure", insecure ? "true" : null);
      append(text, "tlsServerName", tlsServerName);
      append(text, "certificateAuthority", certificateAuthority);
      append(text, "clientCertificate", credentials.clientCertificate);
      append(text, "clientKey", credentials.clientKey == null ? null : REDACTED);
      append(text, "bearerToken", credentials.bearerToken == null ? null : REDACTED);
      append(text, "bearerTokenFile", credentials.bearerTokenFile);
      append(text, "bearerTokenSource", credentials.bearerTokenSource == null ? null : REDACTED);
      append(text, "username", credentials.username);
      append(text, "password", credentials.password == null ? null : REDACTED);
      append(text, "exec", credentials.exec);
      append(text, "oidc", credentials.oidc);
      append(text, "impersonate", credentials.impersonate);
      append(text, "proxy", proxy == null ? null : proxy.getHost() + ":" + proxy.getPort());
      append(text, "userAgent", userAgent);
      append(text, "connection", connection);
      return text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable Object value) {
      if (value != null) {
        text.append(", ").append(name).append('=').append(value);
      }
    }
  }
}
