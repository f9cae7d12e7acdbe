package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.GetOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.rest.internal.http.Endpoint;
import java.util.Map;

/**
 * The client of a subresource, such as {@code scale} or {@code eviction}: a part of each object
 * that a server reads and writes separately.
 *
 * <pre>{@code
 * Scale scale = deployments.scale().get("web");
 * deployments.scale().update("web", scale.withReplicas(3));
 * pods.subresource("eviction", Eviction.CODEC).submit("web-0", eviction, CreateOptions.NONE);
 * }</pre>
 *
 * <p>Not every subresource has every verb; a server rejects the others with status 405. Errors are
 * those of {@link ResourceClient}. Immutable, safe for use by many threads.
 *
 * @param <S> the type of the subresource
 */
public final class SubresourceClient<S> {

  private final Endpoint endpoint;
  private final JsonCodec<S> codec;
  private final NegotiatedSerializer<S> serializers;
  private final String[] path;

  SubresourceClient(Endpoint endpoint, JsonCodec<S> codec, String... path) {
    this(endpoint, codec, NegotiatedSerializer.json(codec), path);
  }

  SubresourceClient(
      Endpoint endpoint, JsonCodec<S> codec, NegotiatedSerializer<S> serializers, String... path) {
    this.endpoint = endpoint;
    this.codec = requireNonNull(codec, "codec");
    this.serializers = serializers;
    this.path = path.clone();
  }

  /** Returns the subresource of the named object. */
  public S get(String name) throws InterruptedException {
    return get(name, GetOptions.NONE);
  }

  /** Returns the subresource of the named object. */
  public S get(String name, GetOptions options) throws InterruptedException {
    return send(request("GET", name, options.toQuery()));
  }

  /** Returns the subresource of the named object, in JSON as the server sends it. */
  byte[] raw(String name) throws InterruptedException {
    return request("GET", name, Map.of()).execute().raw();
  }

  /**
   * Creates the subresource of the named object, and returns it as the server stored it; or as it
   * was sent, if the server responds with a status.
   */
  public S create(String name, S value, CreateOptions options) throws InterruptedException {
    return request("POST", name, options.toQuery())
        .body(serializers.forRequest(), value)
        .header("Accept", serializers.accept())
        .execute()
        .into(serializers, value);
  }

  /**
   * Creates the subresource of the named object, and returns when the server has accepted it. For
   * actions such as {@code eviction} and {@code binding}, to which a server responds with a status.
   */
  public void submit(String name, S value, CreateOptions options) throws InterruptedException {
    request("POST", name, options.toQuery()).body(serializers.forRequest(), value).execute();
  }

  /** Replaces the subresource of the named object; returns it as the server stored it. */
  public S update(String name, S value) throws InterruptedException {
    return update(name, value, UpdateOptions.NONE);
  }

  /**
   * Replaces the subresource of the named object; returns it as the server stored it. If its
   * resourceVersion is not the current one, the server responds with a conflict.
   */
  public S update(String name, S value, UpdateOptions options) throws InterruptedException {
    return send(request("PUT", name, options.toQuery()).body(serializers.forRequest(), value));
  }

  /** Patches the subresource of the named object; returns it as the server stored it. */
  public S patch(String name, Patch patch) throws InterruptedException {
    return patch(name, patch, PatchOptions.NONE);
  }

  /** Patches the subresource of the named object; returns it as the server stored it. */
  public S patch(String name, Patch patch, PatchOptions options) throws InterruptedException {
    return send(
        request("PATCH", name, options.toQuery())
            .body(patch.body().toByteArray(), patch.mediaType()));
  }

  /**
   * Applies a configuration to the subresource; see {@link ResourceClient#apply}.
   *
   * @return the subresource as the server stored it
   * @throws IllegalArgumentException if the configuration has managed fields, as an object read
   *     from a server has
   */
  public S apply(String name, S configuration, ApplyOptions options) throws InterruptedException {
    checkApplicable(configuration);
    return patch(name, Patch.apply(codec, configuration), options.toPatchOptions());
  }

  private static void checkApplicable(Object configuration) {
    if (configuration instanceof KubernetesObject object
        && !object.metadata().managedFields().isEmpty()) {
      throw new IllegalArgumentException(
          "cannot apply an object with managed fields already set: apply what you want of it, not"
              + " what you read");
    }
  }

  /** Deletes the subresource of the named object. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    // A server also reads the options from the query, but not the preconditions.
    request("DELETE", name, Map.of()).body(DeleteOptions.CODEC, options).execute();
  }

  private Request request(String verb, String name, Map<String, String> parameters) {
    Request request = new Request(endpoint.requireNamespace(), verb).name(name).subResource(path);
    parameters.forEach(request::param);
    return request;
  }

  private S send(Request request) throws InterruptedException {
    return request.header("Accept", serializers.accept()).execute().into(serializers);
  }

  @Override
  public String toString() {
    return String.join("/", path) + " of " + endpoint;
  }
}
