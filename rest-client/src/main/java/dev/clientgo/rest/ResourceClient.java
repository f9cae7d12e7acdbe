package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.GetOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.rest.Endpoint.Scope;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type, in one namespace or in all.
 *
 * <pre>{@code
 * ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
 * Pod created = pods.create(pod);
 * pods.edit("web-0", p -> p.with(b -> b.editMetadata(m -> m.editLabels(l -> l.put("tier", "front")))));
 * pods.apply(wanted, ApplyOptions.of("my-controller").force());
 * pods.delete("web-0");
 * }</pre>
 *
 * <p>A write goes to the namespace of this client, or if it has none, to that of the object; a read
 * without a namespace is of all. Whatever an object leaves out is not sent, so any object that was
 * built and not read can be applied.
 *
 * <p>Every call blocks until the server has answered, and throws {@link
 * dev.clientgo.apimachinery.status.ApiStatusException} if it answers with an error, {@link
 * dev.clientgo.apimachinery.errors.TransportException} if it does not answer, {@link
 * dev.clientgo.apimachinery.errors.CodecException} if the answer is not of the type, and {@link
 * InterruptedException} at once if the thread is interrupted. Immutable, safe for use by many
 * threads.
 *
 * <p>Corresponds to client-go's {@code gentype.Client} and {@code gentype.ClientWithList}.
 *
 * @param <T> the type of the objects
 */
public final class ResourceClient<T extends KubernetesObject> {

  private final Endpoint endpoint;
  private final ResourceType<T> type;

  private ResourceClient(Endpoint endpoint, ResourceType<T> type) {
    this.endpoint = endpoint;
    this.type = type;
  }

  /** Returns the client of a type in all namespaces. */
  static <T extends KubernetesObject> ResourceClient<T> of(
      ClientContext context, ResourceType<T> type) {
    requireNonNull(type, "type");
    Scope scope = type.isNamespaced() ? Scope.NAMESPACE : Scope.ROOT;
    return new ResourceClient<>(
        new Endpoint(context, type.resource(), scope, null), configured(context, type));
  }

  /** Returns the client of a resource of which nothing but the name is known. */
  static <T extends KubernetesObject> ResourceClient<T> of(
      ClientContext context,
      GroupVersionResource resource,
      NegotiatedSerializer<T> serializers,
      JsonCodec<T> codec) {
    GroupVersionKind kind = resource.groupVersion().withKind("");
    ResourceType<T> type =
        ResourceType.namespaced(kind, resource.resource(), codec).with(json -> serializers);
    return new ResourceClient<>(Endpoint.of(context, resource), configured(context, type));
  }

  private static <T extends KubernetesObject> ResourceType<T> configured(
      ClientContext context, ResourceType<T> type) {
    String contentType = context.config().contentType();
    return contentType == null ? type : type.with(encodings -> encodings.only(contentType));
  }

  /** Returns the type of the objects; its kind is empty if only the resource is known. */
  public ResourceType<T> type() {
    return type;
  }

  /** Returns the namespace in which the objects are, null for all. */
  public @Nullable String namespace() {
    return endpoint.namespace();
  }

  /**
   * Returns the client of this type in one namespace.
   *
   * @throws IllegalArgumentException if objects of this type do not live in namespaces, or the name
   *     is empty or may not stand in a path
   */
  public ResourceClient<T> inNamespace(String namespace) {
    return new ResourceClient<>(endpoint.inNamespace(namespace), type);
  }

  /* --------------- Reading --------------- */

  /** Returns the object of that name. */
  public T get(String name) throws InterruptedException {
    return whole().get(name);
  }

  /** Returns the object of that name. */
  public T get(String name, GetOptions options) throws InterruptedException {
    return whole().get(name, options);
  }

  /**
   * Returns the objects that the options select. If the options limit the size of a page, all pages
   * are fetched; if the server forgets the version of the first page before the last is fetched,
   * all objects are fetched anew, at once.
   */
  public ResourceList<T> list(ListOptions options) throws InterruptedException {
    return new ListPager<>(this).all(options);
  }

  /**
   * Lists by one request, and hands over each object as it arrives: no more than one is held here.
   *
   * @return what the list carries besides its items, among them how to get the next page
   */
  public ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    return list(options, DecodeContext.create(), sink);
  }

  /**
   * Does the same, for a reader that lists and watches again and again, as an informer does.
   *
   * @param context what all that this reader decodes has in common; it is for one thread
   */
  public ListMeta list(ListOptions options, DecodeContext context, ListSink<? super T> sink)
      throws InterruptedException {
    return endpoint.list(options).list(type.serializers(), context, sink);
  }

  /**
   * Lists page by page, 500 objects each if the options do not say, and hands over each object as
   * it arrives. What was handed over cannot be taken back: if the server forgets the version of the
   * first page before the last is fetched, that is an error.
   *
   * @return what the first page carries besides its items: its version is that of the list
   */
  public ListMeta eachListItem(ListOptions options, ListSink<? super T> sink)
      throws InterruptedException {
    return new ListPager<>(this).each(options, sink);
  }

  /**
   * Watches the objects that the options select. The caller closes the watch. The server ends it
   * after the {@linkplain ListOptions#timeout timeout}; if it does not, the watch ends by itself
   * ten seconds later.
   */
  public Watch<T> watch(ListOptions options) throws InterruptedException {
    return watch(options, DecodeContext.create());
  }

  /**
   * Does the same, for a reader that lists and watches again and again, as an informer does.
   *
   * @param context what all that this reader decodes has in common; it is for one thread
   */
  public Watch<T> watch(ListOptions options, DecodeContext context) throws InterruptedException {
    return endpoint
        .watch(options)
        .header("Accept", type.serializers().accept())
        .watch(type.serializers(), context);
  }

  /**
   * Waits until the object of that name is as it should be, by watching it.
   *
   * <pre>{@code
   * pods.await("web-0", pod -> pod.isPresent() && isReady(pod.get()), Duration.ofMinutes(1));
   * pods.await("web-0", Optional::isEmpty, Duration.ofMinutes(1)); // until it is deleted
   * }</pre>
   *
   * @param condition tells whether the wait is over; it is shown the object as it is and each time
   *     that it changes, empty if it is not there
   * @return what the condition was last shown
   * @throws TimeoutException if the time is up before
   */
  public Optional<T> await(String name, Predicate<? super Optional<T>> condition, Duration timeout)
      throws InterruptedException, TimeoutException {
    return new Await<>(this, name, condition, endpoint.context().clock()).run(timeout);
  }

  /* --------------- Writing --------------- */

  /** Creates an object and returns it as the server stored it. */
  public T create(T object) throws InterruptedException {
    return create(object, CreateOptions.NONE);
  }

  /**
   * Creates an object and returns it as the server stored it, or as it was sent if the server says
   * no more than that it is done, as it does of a binding.
   */
  public T create(T object, CreateOptions options) throws InterruptedException {
    Request request = home(object).inKnownNamespace("POST");
    options.toQuery().forEach(request::param);
    return request
        .header("Accept", type.serializers().accept())
        .body(type.serializers().forRequest(), object)
        .execute()
        .into(type.serializers(), object);
  }

  /**
   * Replaces an object and returns it as the server stored it. If it carries a resourceVersion that
   * is not the current one, the server answers with a conflict.
   */
  public T update(T object) throws InterruptedException {
    return update(object, UpdateOptions.NONE);
  }

  /**
   * Replaces an object and returns it as the server stored it. If it carries a resourceVersion that
   * is not the current one, the server answers with a conflict.
   */
  public T update(T object, UpdateOptions options) throws InterruptedException {
    return part(object).update(nameOf(object), object, options);
  }

  /** Replaces the status of an object and returns the object as the server stored it. */
  public T updateStatus(T object) throws InterruptedException {
    return updateStatus(object, UpdateOptions.NONE);
  }

  /** Replaces the status of an object and returns the object as the server stored it. */
  public T updateStatus(T object, UpdateOptions options) throws InterruptedException {
    return part(object, "status").update(nameOf(object), object, options);
  }

  /** Changes the object of that name and returns it as the server stored it. */
  public T patch(String name, Patch patch) throws InterruptedException {
    return patch(name, patch, PatchOptions.NONE);
  }

  /** Changes the object of that name and returns it as the server stored it. */
  public T patch(String name, Patch patch, PatchOptions options) throws InterruptedException {
    return whole().patch(name, patch, options);
  }

  /**
   * Applies a configuration: all that the field manager wants of the object, and nothing else. The
   * object is created if it is not there; what the manager wanted before and does not name now is
   * given up; what another manager wants otherwise is a conflict, unless it is {@linkplain
   * ApplyOptions#force forced}.
   *
   * @return the object as the server stored it
   * @throws IllegalArgumentException if the configuration carries managed fields, as an object does
   *     that was read from a server
   */
  public T apply(T configuration, ApplyOptions options) throws InterruptedException {
    return part(configuration).apply(nameOf(configuration), configuration, options);
  }

  /** Applies a configuration that has a type of its own, as {@link Patch#apply} makes of it. */
  public T apply(String name, Patch configuration, ApplyOptions options)
      throws InterruptedException {
    if (!configuration.mediaType().equals(Patch.APPLY)) {
      throw new IllegalArgumentException("no apply patch but " + configuration.mediaType());
    }
    return whole().patch(name, configuration, options.toPatchOptions());
  }

  /** Applies a configuration of the status, and returns the object as the server stored it. */
  public T applyStatus(T configuration, ApplyOptions options) throws InterruptedException {
    return part(configuration, "status").apply(nameOf(configuration), configuration, options);
  }

  /**
   * Reads the object of that name, changes it, and sends what has changed and nothing else, so that
   * fields that the type does not know survive. If somebody else was faster, it does so again, up
   * to five times.
   *
   * @param change makes the changed object of the current one; it may be called more than once
   * @return the object as the server stored it; as it was read, if nothing has changed
   */
  public T edit(String name, UnaryOperator<T> change) throws InterruptedException {
    return edit(name, change, PatchOptions.NONE);
  }

  /** Does the same, with options. */
  public T edit(String name, UnaryOperator<T> change, PatchOptions options)
      throws InterruptedException {
    return new Edit<>(whole(), type.codec(), retry()).run(name, change, options);
  }

  /** Edits the status of the object of that name, as {@link #edit} does with the rest. */
  public T editStatus(String name, UnaryOperator<T> change) throws InterruptedException {
    return new Edit<>(status(), type.codec(), retry()).run(name, change, PatchOptions.NONE);
  }

  /** Deletes the object of that name. Finalizers may keep it for a while. */
  public void delete(String name) throws InterruptedException {
    delete(name, DeleteOptions.NONE);
  }

  /** Deletes the object of that name. Finalizers may keep it for a while. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    whole().delete(name, options);
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which) throws InterruptedException {
    deleteCollection(which, DeleteOptions.NONE);
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which, DeleteOptions options)
      throws InterruptedException {
    endpoint.deleteCollection(which).body(DeleteOptions.CODEC, options).execute();
  }

  /* --------------- Subresources --------------- */

  /** Returns the client of the status of the objects; it reads and writes whole objects. */
  public SubresourceClient<T> status() {
    return subresource("status");
  }

  /** Returns the client that scales the objects. */
  public SubresourceClient<Scale> scale() {
    return subresource("scale", Scale.CODEC);
  }

  /** Returns the client of a subresource that reads and writes whole objects. */
  public SubresourceClient<T> subresource(String name) {
    requireNonNull(name, "name");
    return new SubresourceClient<>(endpoint, type.codec(), type.serializers(), name);
  }

  /**
   * Returns the client of a subresource.
   *
   * @param name such as {@code eviction}
   * @param codec of what the subresource reads and writes
   */
  public <S> SubresourceClient<S> subresource(String name, JsonCodec<S> codec) {
    requireNonNull(name, "name");
    return new SubresourceClient<>(endpoint, codec, name);
  }

  private SubresourceClient<T> whole() {
    return new SubresourceClient<>(endpoint, type.codec(), type.serializers());
  }

  private SubresourceClient<T> part(T object, String... subresource) {
    return new SubresourceClient<>(home(object), type.codec(), type.serializers(), subresource);
  }

  private Endpoint home(T object) {
    return endpoint.home(object.metadata().namespace());
  }

  private String nameOf(T object) {
    String name = object.metadata().name();
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("the object of " + type + " has no name");
    }
    return name;
  }

  private Retry retry() {
    return Retry.onConflict().withClock(endpoint.context().clock(), new Random());
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
