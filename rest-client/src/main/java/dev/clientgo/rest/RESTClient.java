package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.TableOptions;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.runtime.NegotiatedSerializer;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.time.Duration;

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

  private final RestConfig config;
  private final Clock clock;
  private final Timeouts timeouts;
  private final Transport transport;
  private final Credentials credentials;

  private RESTClient(RestConfig config, Clock clock, Timeouts timeouts) {
    this.config = requireNonNull(config, "config");
    this.clock = clock;
    this.timeouts = timeouts;
    this.credentials = Credentials.of(config, clock);
    this.transport = new Transport(config, timeouts, credentials::identity, clock);
  }

  /**
   * Creates a client. Nothing is sent yet.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if a file that the configuration names
   *     cannot be read
   */
  public static RESTClient create(RestConfig config) {
    return new RESTClient(config, Clock.system(), Timeouts.STANDARD);
  }

  static RESTClient create(RestConfig config, Clock clock, Timeouts timeouts) {
    return new RESTClient(config, clock, timeouts);
  }

  /** Returns what the client was created with. */
  public RestConfig config() {
    return config;
  }

  /** Returns the client of a resource, in all namespaces. */
  public <T extends KubernetesObject> ResourceClient<T> resource(ResourceType<T> type) {
    return ResourceClient.of(this, type);
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
        this,
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
            this,
            resource,
            NegotiatedSerializer.json(PartialObjectMetadata.CODEC).as(PartialObjectMetadata.KIND),
            PartialObjectMetadata.CODEC));
  }

  /**
   * Returns the client of the metadata of the objects of a kind that a {@linkplain
   * dev.clientgo.apimachinery.restmapper.RESTMapper#restMapping mapper} has found, in all
   * namespaces.
   */
  public MetadataClient metadata(RESTMapping mapping) {
    return new MetadataClient(
        resource(
            PartialObjectMetadata.type(
                mapping.kind(),
                mapping.resource().resource(),
                mapping.scope() == RESTMapping.Scope.NAMESPACE)));
  }

  /** Returns the client of a resource's objects as the server prints them, in all namespaces. */
  public TableClient table(GroupVersionResource resource) {
    return new TableClient(Endpoint.of(this, resource), TableOptions.NONE);
  }

  /** Begins a GET. */
  public Request get() {
    return verb("GET");
  }

  /** Begins a POST. */
  public Request post() {
    return verb("POST");
  }

  /** Begins a PUT. */
  public Request put() {
    return verb("PUT");
  }

  /** Begins a PATCH, whose body says what kind of patch it is. */
  public Request patch() {
    return verb("PATCH");
  }

  /** Begins a DELETE. */
  public Request delete() {
    return verb("DELETE");
  }

  /** Begins a request with any method. */
  public Request verb(String verb) {
    return new Request(this, verb);
  }

  Transport transport() {
    return transport;
  }

  Credentials credentials() {
    return credentials;
  }

  Clock clock() {
    return clock;
  }

  Duration idleTimeout() {
    return timeouts.idle();
  }

  /**
   * Ends all calls and watches and closes all connections. Does nothing the second time; a call
   * made later throws {@link IllegalStateException}.
   */
  @Override
  public void close() {
    transport.close();
  }
}
