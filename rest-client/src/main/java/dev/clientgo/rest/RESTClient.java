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
import java.util.Map;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one API server, from which everything else is made.
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
 * <p>Every call runs in the thread that makes it, and ends at once if that thread is interrupted.
 * How many threads there are, each with a watch of its own, is not limited. Safe for use by many
 * threads. Whoever creates a client closes it.
 *
 * <p>Corresponds to client-go's {@code rest.RESTClient}. Unlike client-go: one client serves all
 * groups and versions.
 */
public final class RESTClient implements AutoCloseable {

  private static final Pattern METHOD = Pattern.compile("[A-Za-z]+");

  private final ClientContext context;

  private RESTClient(ClientContext context) {
    this.context = context;
  }

  /**
   * Creates a client. Nothing is sent yet.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if a file that the configuration names
   *     cannot be read
   */
  public static RESTClient create(RestConfig config) {
    return builder(config).build();
  }

  /** Creates a client that the environment, such as its proxies, does not change. */
  static RESTClient create(RestConfig config, Clock clock, Timeouts timeouts) {
    return builder(config, Map.of()).clock(clock, timeouts).build();
  }

  /** Returns a builder of a client that does more than {@link #create}. */
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
    private Timeouts timeouts;
    private RequestPolicies policies;

    private Builder(RestConfig config, Map<String, String> environment) {
      this.config = requireNonNull(config, "config");
      this.environment = environment;
      this.timeouts = Timeouts.of(environment);
      this.policies = RequestPolicies.of(environment);
    }

    /** Sets what takes the warnings of the server, which are logged if it is not set. */
    public Builder warningHandler(WarningHandler handler) {
      requireNonNull(handler, "handler");
      policies = policies.withWarnings(handler);
      return this;
    }

    /** Sets what limits the rate of requests, which is not limited if it is not set. */
    public Builder rateLimiter(RequestRateLimiter limiter) {
      requireNonNull(limiter, "limiter");
      policies = policies.withLimiter(limiter);
      return this;
    }

    /**
     * Sets what holds requests to a busy server back. If it is not set, the environment variables
     * {@code KUBE_CLIENT_BACKOFF_BASE} and {@code KUBE_CLIENT_BACKOFF_DURATION} say how many
     * seconds it is at first and at most, and nothing does without them.
     */
    public Builder backoff(URLBackoff backoff) {
      requireNonNull(backoff, "backoff");
      policies = policies.withBackoff(backoff);
      return this;
    }

    /**
     * Shows bodies, too, to those who log at TRACE: the beginning of each, with {@code <masked>} in
     * place of tokens and passwords. Bodies of secrets and of token requests are never shown. What
     * people have put elsewhere, in a ConfigMap or an environment variable, is: this is for
     * debugging.
     *
     * @param characters how many of each are shown; 0, as it is by itself, for none
     */
    public Builder logBodies(int characters) {
      policies = policies.withLog(new RequestLog(characters));
      return this;
    }

    /** Sets what is told of each request. */
    public Builder metrics(RequestMetrics metrics) {
      requireNonNull(metrics, "metrics");
      policies = policies.withMetrics(metrics);
      return this;
    }

    Builder clock(Clock clock, Timeouts timeouts) {
      this.clock = clock;
      this.timeouts = timeouts;
      return this;
    }

    /**
     * Returns the client. Nothing is sent yet.
     *
     * @throws dev.clientgo.apimachinery.errors.ConfigException if a file that the configuration
     *     names cannot be read
     */
    public RESTClient build() {
      Credentials credentials =
          Credentials.of(config, clock, policies, RESTClient::providerConnection);
      return new RESTClient(
          new ClientContext(
              config,
              HttpUrl.get(config.server()),
              clock,
              timeouts.idle(),
              policies,
              credentials,
              new Transport(config, environment, timeouts, credentials, clock)));
    }
  }

  /** Returns a connection to an identity provider, whose requests are those of any client. */
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

  /** Returns what the client was created with. */
  public RestConfig config() {
    return context.config();
  }

  /** Returns the client of a resource, in all namespaces. */
  public <T extends KubernetesObject> ResourceClient<T> resource(ResourceType<T> type) {
    return ResourceClient.of(context, type);
  }

  /**
   * Returns the client of a resource of which nothing but the name is known, in all namespaces. Its
   * objects are trees, and take their kind from what the server sends. It is for the caller to know
   * whether they live in namespaces.
   *
   * <p>Corresponds to client-go's {@code dynamic.DynamicClient.Resource}.
   */
  public ResourceClient<Unstructured> dynamic(GroupVersionResource resource) {
    return ResourceClient.of(
        context,
        resource,
        NegotiatedSerializer.json(Unstructured.CODEC, Unstructured::codec),
        Unstructured.CODEC);
  }

  /**
   * Returns the client of a kind that a {@linkplain
   * dev.clientgo.apimachinery.restmapper.RESTMapper#restMapping mapper} has found, in all
   * namespaces. Its objects are trees.
   */
  public ResourceClient<Unstructured> dynamic(RESTMapping mapping) {
    return resource(
        Unstructured.type(
            mapping.kind(),
            mapping.resource().resource(),
            mapping.scope() == RESTMapping.Scope.NAMESPACE));
  }

  /**
   * Returns the client of the metadata of a resource's objects, in all namespaces. They say
   * themselves that they are {@code PartialObjectMetadata}; a {@linkplain #metadata(RESTMapping)
   * mapping} tells of which kind they are.
   */
  public MetadataClient metadata(GroupVersionResource resource) {
    return new MetadataClient(
        ResourceClient.of(
            context, resource, NegotiatedSerializer.metadata(), PartialObjectMetadata.CODEC));
  }

  /**
   * Returns the client of the metadata of the objects of a kind that a {@linkplain
   * dev.clientgo.apimachinery.restmapper.RESTMapper#restMapping mapper} has found, in all
   * namespaces.
   */
  public MetadataClient metadata(RESTMapping mapping) {
    return new MetadataClient(
        resource(
            ResourceType.metadata(
                mapping.kind(),
                mapping.resource().resource(),
                mapping.scope() == RESTMapping.Scope.NAMESPACE)));
  }

  /** Returns the client of a resource's objects as the server prints them, in all namespaces. */
  public TableClient table(GroupVersionResource resource) {
    return new TableClient(Endpoint.of(context, resource), TableOptions.NONE);
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

  /** Begins a PATCH, whose body says what kind of patch it is. */
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
   * @throws IllegalArgumentException if it has other characters than letters, or none
   */
  public Request verb(String verb) {
    if (!METHOD.matcher(verb).matches()) {
      throw new IllegalArgumentException("no HTTP method: " + verb);
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
   * answer. A call that is under way, or made later, throws a {@link
   * dev.clientgo.apimachinery.errors.TransportException} of the kind {@code CLIENT_CLOSED}; a watch
   * ends, and a stream throws an {@link java.io.IOException}. Does nothing the second time.
   */
  @Override
  public void close() {
    context.close();
  }
}
