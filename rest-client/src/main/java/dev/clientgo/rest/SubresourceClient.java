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
import java.util.Map;

/**
 * One part of each object of a resource, such as {@code scale} or {@code eviction}, which a server
 * reads and writes apart from the rest.
 *
 * <pre>{@code
 * Scale scale = deployments.scale().get("web");
 * deployments.scale().update("web", scale.withReplicas(3));
 * pods.subresource("eviction", Eviction.CODEC).submit("web-0", eviction, CreateOptions.NONE);
 * }</pre>
 *
 * <p>Which verbs there are depends on the subresource; a server answers to others that the method
 * is not allowed. Errors are those of {@link ResourceClient}. Immutable, safe for use by many
 * threads.
 *
 * @param <S> what is read and written
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

  /** Returns that of the object of that name. */
  public S get(String name) throws InterruptedException {
    return get(name, GetOptions.NONE);
  }

  /** Returns that of the object of that name. */
  public S get(String name, GetOptions options) throws InterruptedException {
    return send(request("GET", name, options.toQuery()));
  }

  /** Returns that of the object of that name, as the server sends it. */
  byte[] raw(String name) throws InterruptedException {
    return request("GET", name, Map.of()).execute().raw();
  }

  /**
   * Creates that of the object of that name, and returns it as the server answered, or as it was
   * sent if the server says no more than that it is done.
   */
  public S create(String name, S value, CreateOptions options) throws InterruptedException {
    return request("POST", name, options.toQuery())
        .body(serializers.forRequest(), value)
        .header("Accept", serializers.accept())
        .execute()
        .into(serializers, value);
  }

  /**
   * Creates that of the object of that name, and returns when the server has accepted it. For what
   * is a deed and not a thing, as {@code eviction} and {@code binding} are: a server answers to it
   * that it is done, and no more.
   */
  public void submit(String name, S value, CreateOptions options) throws InterruptedException {
    request("POST", name, options.toQuery()).body(serializers.forRequest(), value).execute();
  }

  /** Replaces that of the object of that name, and returns it as the server stored it. */
  public S update(String name, S value) throws InterruptedException {
    return update(name, value, UpdateOptions.NONE);
  }

  /**
   * Replaces that of the object of that name, and returns it as the server stored it. If it carries
   * a resourceVersion that is not the current one, the server answers with a conflict.
   */
  public S update(String name, S value, UpdateOptions options) throws InterruptedException {
    return send(request("PUT", name, options.toQuery()).body(serializers.forRequest(), value));
  }

  /** Changes that of the object of that name, and returns it as the server stored it. */
  public S patch(String name, Patch patch) throws InterruptedException {
    return patch(name, patch, PatchOptions.NONE);
  }

  /** Changes that of the object of that name, and returns it as the server stored it. */
  public S patch(String name, Patch patch, PatchOptions options) throws InterruptedException {
    return send(
        request("PATCH", name, options.toQuery())
            .body(patch.body().toByteArray(), patch.mediaType()));
  }

  /**
   * Applies a configuration: all that the field manager wants of that of the object, and nothing
   * else. What it wanted before and does not name now is given up.
   *
   * @return it as the server stored it
   * @throws IllegalArgumentException if the configuration carries managed fields, as an object does
   *     that was read from a server
   */
  public S apply(String name, S configuration, ApplyOptions options) throws InterruptedException {
    checkApplicable(configuration);
    return patch(name, Patch.apply(codec, configuration), options.toPatchOptions());
  }

  private static void checkApplicable(Object configuration) {
    if (configuration instanceof KubernetesObject object
        && object.metadata().managedFields() != null
        && !object.metadata().managedFields().isEmpty()) {
      throw new IllegalArgumentException(
          "cannot apply an object with managed fields already set: apply what you want of it, not"
              + " what you read");
    }
  }

  /** Deletes that of the object of that name. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    // A server reads the options from the query, too, but not the preconditions.
    request("DELETE", name, Map.of()).body(DeleteOptions.CODEC, options).execute();
  }

  private Request request(String verb, String name, Map<String, String> parameters) {
    Request request = endpoint.named(verb, name).subResource(path);
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
