package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.table.TableOptions;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.ExchangeListener;
import dev.clientgo.rest.config.RequestGuard;
import dev.clientgo.rest.config.RequestInterceptor;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.URLBackoff;
import dev.clientgo.rest.config.WarningHandler;
import dev.clientgo.rest.internal.auth.ConfiguredCredentials;
import dev.clientgo.rest.internal.auth.Credentials;
import dev.clientgo.rest.internal.auth.ProviderConnection;
import dev.clientgo.rest.internal.http.ClientContext;
import dev.clientgo.rest.internal.http.Endpoint;
import dev.clientgo.rest.internal.http.Transport;
import dev.clientgo.rest.internal.net.Timeouts;
import dev.clientgo.rest.internal.policy.RequestLog;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * The client of one API server; it makes requests and the clients of single resources.
 *
 * <pre>{@code
 * try (RESTClient client = RESTClient.create(KubeConfigLoader.standard().load())) {
 *   ResourceClient<Pod> pods = client.resource(Pod.TYPE);
 *   for (Pod pod : pods.inNamespace("kube-system").list(ListOptions.NONE).items()) {
 *     System.out.println(pod.metadata().name());
 *   }
 * }
 * }</pre>
 *
 * <p>Each call runs in the thread of the caller, and ends at once if that thread is interrupted.
 * The number of threads is not limited, even if each of them watches. Safe for use by many threads.
 * The creator closes it.
 *
 * <p>Corresponds to client-go's {@code rest.RESTClient}. Unlike client-go: one client serves all
 * groups and versions.
 */
public final class RESTClient implements AutoCloseable {

  private static final Pattern METHOD = Pattern.compile("[A-Za-z]+");

  private final ClientContext context;

  private final Builder options;

  /** Whether this client shares its connections with the client that made it. */
  private final boolean view;

  private RESTClient(ClientContext context, Builder options, boolean view) {
    this.context = context;
    this.options = options;
    this.view = view;
  }

  /**
   * Creates a client, without sending a request.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if a file of the configuration cannot
   *     be read
   */
  public static RESTClient create(RestConfig config) {
    return builder(config).build();
  }

  /** Creates a client that ignores environment variables. */
  static RESTClient create(RestConfig config, Clock clock, Timeouts timeouts) {
    return builder(config, Map.of()).clock(clock, timeouts).build();
  }

  /** Returns a builder, for options that {@link #create} does not offer. */
  public static Builder builder(RestConfig config) {
    return builder(config, System.getenv());
  }

  static Builder builder(RestConfig config, Map<String, String> environment) {
    return new Builder(config, environment);
  }

  /** Builds a {@link RESTClient}. Not safe for use by many threads. */
  public static final class Builder {
    private final RestConfig config;
    private final Map<String, String> environment;
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private Timeouts timeouts;
    private RequestPolicies policies;
    private boolean dropManagedFields;

    private Builder(RestConfig config, Map<String, String> environment) {
      this.config = requireNonNull(config, "config");
      this.environment = environment;
      this.timeouts = Timeouts.of(environment);
      this.policies = RequestPolicies.of(environment);
    }

    private Builder(Builder options, RestConfig config) {
      this.config = requireNonNull(config, "config");
      this.environment = options.environment;
      this.clock = options.clock;
      this.random = options.random;
      this.timeouts = options.timeouts;
      this.policies = options.policies;
      this.dropManagedFields = options.dropManagedFields;
    }

    /** Sets the handler of the server's warnings; by default they are logged. */
    public Builder warningHandler(WarningHandler handler) {
      requireNonNull(handler, "handler");
      policies = policies.withWarnings(handler);
      return this;
    }

    /**
     * Adds an interceptor, which is called around each attempt to send a request, after those that
     * were added before.
     *
     * <p>Corresponds to client-go's {@code rest.Config.Wrap}.
     */
    public Builder addInterceptor(RequestInterceptor interceptor) {
      requireNonNull(interceptor, "interceptor");
      policies = policies.withInterceptor(interceptor);
      return this;
    }

    /**
     * Sets the rate limiter of requests; by default their rate is not limited. client-go's default
     * is {@code RequestRateLimiter.tokenBucket(5, 10)}.
     */
    public Builder rateLimiter(RequestRateLimiter limiter) {
      requireNonNull(limiter, "limiter");
      policies = policies.withLimiter(limiter);
      return this;
    }

    /**
     * Sets the backoff from an overloaded server. By default it is taken from the environment
     * variables {@code KUBE_CLIENT_BACKOFF_BASE} and {@code KUBE_CLIENT_BACKOFF_DURATION}, in
     * seconds; without them there is none.
     */
    public Builder backoff(URLBackoff backoff) {
      requireNonNull(backoff, "backoff");
      policies = policies.withBackoff(backoff);
      return this;
    }

    /**
     * Logs the beginning of each body at level TRACE, with {@code <masked>} instead of tokens and
     * passwords. Bodies of secrets and of token requests are never logged. Secrets in other places,
     * such as a ConfigMap or an environment variable, are logged: use this for debugging only.
     *
     * @param characters the length of the beginning; 0, the default, for none
     */
    public Builder logBodies(int characters) {
      policies = policies.withLog(new RequestLog(characters));
      return this;
    }

    /** Sets the receiver of metrics; none by default. */
    public Builder metrics(RequestMetrics metrics) {
      requireNonNull(metrics, "metrics");
      policies = policies.withMetrics(metrics);
      return this;
    }

    /**
     * Sets whether the client reads all objects without their managed fields, as {@link
     * ResourceType#dropManagedFields} does for one type: a server with the gate {@code
     * ManagedFieldsOptOut} does not send them, and the reader skips them otherwise. Default: false.
     *
     * <p>Corresponds to client-go's part of KEP-5958.
     */
    public Builder dropManagedFields(boolean dropManagedFields) {
      this.dropManagedFields = dropManagedFields;
      return this;
    }

    /** Sets the clock of delays, deadlines and token caches, for tests; the system's by default. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Sets the source of randomness of the delays between conflicting edits, for tests. It must be
     * thread-safe.
     */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    Builder clock(Clock clock, Timeouts timeouts) {
      this.clock = clock;
      this.timeouts = timeouts;
      return this;
    }

    /**
     * Returns the client, without sending a request.
     *
     * @throws dev.clientgo.apimachinery.errors.ConfigException if a file of the configuration
     *     cannot be read
     */
    public RESTClient build() {
      Credentials credentials =
          ConfiguredCredentials.of(config, clock, policies, RESTClient::providerConnection);
      return new RESTClient(
          new ClientContext(
              config,
              HttpUrl.get(config.server()),
              clock,
              random,
              timeouts.idle(),
              policies,
              credentials,
              new Transport(config, environment, timeouts, credentials, clock),
              RequestGuard.NONE,
              dropManagedFields),
          new Builder(this, config),
          /* view= */ false);
    }
  }

  /** Returns a connection to an identity provider, which uses a separate client. */
  static ProviderConnection providerConnection(RestConfig config) {
    RESTClient client = create(config);
    return new ProviderConnection() {
      @Override
      public byte[] get(String url) throws InterruptedException {
        return client.get().requestURI(url).execute().raw();
      }

      @Override
      public byte[] post(String url, String form, @Nullable String authorization)
          throws InterruptedException {
        Request request =
            client
                .post()
                .requestURI(url)
                .body(form.getBytes(UTF_8), "application/x-www-form-urlencoded");
        if (authorization != null) {
          request.header("Authorization", authorization);
        }
        return request.execute().raw();
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /** Returns the configuration of the client. */
  public RestConfig config() {
    return context.config();
  }

  /** Returns the clock of delays and deadlines: the system's, unless the builder was given one. */
  public Clock clock() {
    return context.clock();
  }

  /**
   * Returns a builder with the options of this client, such as its interceptors, and another
   * configuration. The client that it builds has its own connections and credentials; its creator
   * closes it.
   */
  public Builder toBuilder(RestConfig config) {
    return new Builder(options, config);
  }

  /**
   * Returns a client that reports its requests to the metrics, beside those of this client. It
   * shares the connections, the credentials and all settings of this client, and works until this
   * client is closed; its own {@link #close} does nothing. Runs of credential plugins are reported
   * to the metrics of this client alone.
   */
  public RESTClient measuredBy(RequestMetrics metrics) {
    RequestPolicies measured =
        context.policies().withMoreMetrics(requireNonNull(metrics, "metrics"));
    return new RESTClient(context.withPolicies(measured), options, /* view= */ true);
  }

  /**
   * Returns a client that passes each attempt of a request to a listener, with the bodies. It asks
   * the server for objects in JSON. It shares the connections, the credentials and all settings of
   * this client, and works until this client is closed; its own {@link #close} does nothing.
   * Listeners do not add up: only the last one is called.
   */
  public RESTClient observedBy(ExchangeListener listener) {
    RequestPolicies observed =
        context.policies().withExchanges(requireNonNull(listener, "listener"));
    return new RESTClient(context.withPolicies(observed), options, /* view= */ true);
  }

  /**
   * Returns a client that asks a guard before each attempt of a request. It shares the connections,
   * the credentials and all settings of this client, and works until this client is closed; its own
   * {@link #close} does nothing. Guards do not add up: only the last one is asked.
   */
  public RESTClient guardedBy(RequestGuard guard) {
    return new RESTClient(
        context.withGuard(requireNonNull(guard, "guard")), options, /* view= */ true);
  }

  /** Returns the client of a resource, in all namespaces. */
  public <T extends KubernetesObject> ResourceClient<T> resource(ResourceType<T> type) {
    return ResourceClient.of(context, type);
  }

  /**
   * Returns the client of a resource without a type, in all namespaces. Its objects are {@link
   * Unstructured}, with the kind that the server sends. The caller must know whether they live in
   * namespaces.
   *
   * <p>Corresponds to client-go's {@code dynamic.DynamicClient.Resource}.
   */
  public ResourceClient<Unstructured> dynamic(GroupVersionResource resource) {
    return ResourceClient.dynamic(context, resource);
  }

  /**
   * Returns the client of a kind without a type, in all namespaces. Its objects are {@link
   * Unstructured}.
   *
   * @param mapping from {@link dev.clientgo.apimachinery.restmapper.RESTMapper#restMapping}
   */
  public ResourceClient<Unstructured> dynamic(RESTMapping mapping) {
    return resource(
        Unstructured.type(
            mapping.kind(),
            mapping.resource().resource(),
            mapping.scope() == RESTMapping.Scope.NAMESPACE));
  }

  /**
   * Returns the metadata client of a resource, for all namespaces. The kind of its objects is
   * {@code PartialObjectMetadata}; {@link #metadata(RESTMapping)} sets the real kind.
   */
  public MetadataClient metadata(GroupVersionResource resource) {
    return new MetadataClient(
        ResourceClient.of(
            context, resource, NegotiatedSerializer.metadata(), PartialObjectMetadata.CODEC));
  }

  /**
   * Returns the metadata client of a kind, for all namespaces.
   *
   * @param mapping from {@link dev.clientgo.apimachinery.restmapper.RESTMapper#restMapping}
   */
  public MetadataClient metadata(RESTMapping mapping) {
    return new MetadataClient(
        resource(
            ResourceType.metadata(
                mapping.kind(),
                mapping.resource().resource(),
                mapping.scope() == RESTMapping.Scope.NAMESPACE)));
  }

  /** Returns the client of the tables of a resource, which the server prints, in all namespaces. */
  public TableClient table(GroupVersionResource resource) {
    return new TableClient(Endpoint.of(context, resource), TableOptions.NONE);
  }

  /**
   * Returns the client of the tables of a kind, which the server prints, in all namespaces.
   *
   * @param mapping from {@link dev.clientgo.apimachinery.restmapper.RESTMapper#restMapping}
   */
  public TableClient table(RESTMapping mapping) {
    return table(mapping.resource());
  }

  /** Begins a GET. */
  public Request get() {
    return new Request(context, "GET");
  }

  /** Begins a POST. */
  public Request post() {
    return new Request(context, "POST");
  }

  /** Begins a PUT. */
  public Request put() {
    return new Request(context, "PUT");
  }

  /** Begins a PATCH; the media type of its body is the kind of patch. */
  public Request patch() {
    return new Request(context, "PATCH");
  }

  /** Begins a DELETE. */
  public Request delete() {
    return new Request(context, "DELETE");
  }

  /**
   * Begins a request with any method, such as {@code GET}.
   *
   * @throws IllegalArgumentException if it is empty or not made of letters
   */
  public Request verb(String verb) {
    if (!METHOD.matcher(verb).matches()) {
      throw new IllegalArgumentException("not an HTTP method: " + verb);
    }
    return new Request(context, verb);
  }

  Transport transport() {
    return context.transport();
  }

  Credentials credentials() {
    return context.credentials();
  }

  /**
   * Ends all calls and watches at once and closes all connections, even if the server does not
   * respond. A current or later call throws a {@link
   * dev.clientgo.apimachinery.errors.TransportException} of kind {@code CLIENT_CLOSED}; a watch
   * ends, and a stream throws an {@link java.io.IOException}. A second call does nothing.
   */
  @Override
  public void close() {
    if (!view) {
      context.close();
    }
  }
}
