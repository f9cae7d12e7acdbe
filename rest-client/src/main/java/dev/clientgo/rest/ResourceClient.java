package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.GetOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.internal.edit.EditPatch;
import dev.clientgo.rest.internal.http.ClientContext;
import dev.clientgo.rest.internal.http.Endpoint;
import dev.clientgo.rest.internal.http.Endpoint.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The client of one type of object, in one namespace or in all.
 *
 * <pre>{@code
 * ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
 * Pod created = pods.create(pod);
 * pods.edit("web-0", p -> p.with(b -> b.editMetadata(m -> m.editLabels(l -> l.put("tier", "front")))));
 * pods.apply(wanted, ApplyOptions.of("my-controller").force());
 * pods.delete("web-0");
 * }</pre>
 *
 * <p>A write goes to the namespace of this client or, if it has none, to the object's namespace; a
 * read without a namespace covers all namespaces. Absent fields of an object are not sent, so any
 * object that was built, not read, can be applied.
 *
 * <p>Each call blocks until the server responds. It throws {@link
 * dev.clientgo.apimachinery.status.ApiStatusException} if the response is an error, {@link
 * dev.clientgo.apimachinery.errors.TransportException} if there is no response, {@link
 * dev.clientgo.apimachinery.errors.CodecException} if the response is not of the type, and {@link
 * InterruptedException} at once if the thread is interrupted. Immutable, safe for use by many
 * threads.
 *
 * <p>Corresponds to client-go's {@code gentype.Client} and {@code gentype.ClientWithList}.
 *
 * @param <T> the type of the objects
 */
public final class ResourceClient<T extends KubernetesObject> {

  /** The number of objects in a page if the caller sets none, as in client-go. */
  private static final long PAGE_SIZE = 500;

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

  /** Returns the client of a resource without a type. */
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

  /** Returns the client of a resource whose objects are {@link Unstructured}. */
  static ResourceClient<Unstructured> dynamic(
      ClientContext context, GroupVersionResource resource) {
    return of(context, resource, Unstructured.type(resource).serializers(), Unstructured.CODEC);
  }

  private static <T extends KubernetesObject> ResourceType<T> configured(
      ClientContext context, ResourceType<T> type) {
    boolean readable = // Of a type that has only JSON, no other need be made.
        context.policies().hasExchanges() && type.serializers().accept().contains("protobuf");
    String contentType = readable ? "application/json" : context.config().contentType();
    ResourceType<T> encoded = contentType == null ? type : type.with(all -> all.only(contentType));
    return context.dropManagedFields() ? encoded.dropManagedFields() : encoded;
  }

  /** Returns the type of the objects; its kind is empty if only the resource is known. */
  public ResourceType<T> type() {
    return type;
  }

  /**
   * Returns the client of another resource of the same server without a type, in all namespaces, as
   * {@link RESTClient#dynamic(GroupVersionResource)} does.
   */
  public ResourceClient<Unstructured> dynamic(GroupVersionResource other) {
    return dynamic(endpoint.context(), other);
  }

  /** Returns the namespace of the objects, null for all. */
  public @Nullable String namespace() {
    return endpoint.namespace();
  }

  /**
   * Returns the client of this type in one namespace.
   *
   * @throws IllegalArgumentException if objects of this type do not live in namespaces, or the name
   *     is empty or not allowed in a path
   */
  public ResourceClient<T> inNamespace(String namespace) {
    return new ResourceClient<>(endpoint.inNamespace(namespace), type);
  }

  /* --------------- Reading --------------- */

  /** Returns the named object. */
  public T get(String name) throws InterruptedException {
    return whole().get(name);
  }

  /** Returns the named object. */
  public T get(String name, GetOptions options) throws InterruptedException {
    return whole().get(name, options);
  }

  /**
   * Returns the named object, or empty if there is none. If the server does not know the resource
   * at all, such as a custom resource that is not installed, this is an error.
   */
  public Optional<T> find(String name) throws InterruptedException {
    try {
      return Optional.of(get(name));
    } catch (ApiStatusException e) {
      return emptyIfNoObject(e);
    }
  }

  /**
   * Returns the named objectspace and name, or empty if there is none, as {@link #find(String)}
   * does: {@code pods.find(ObjectName.parse("shop/web-0"))}.
   *
   * @throws IllegalArgumentException if this client is for another namespace, or the name has one
   *     and objects of this type do not live in namespaces
   * @throws IllegalStateException if the name has no namespace and objects of this type have
   */
  public Optional<T> find(ObjectName name) throws InterruptedException {
    return inNamespaceOf(name).find(name.name());
  }

  private ResourceClient<T> inNamespaceOf(ObjectName name) {
    String namespace = namespace();
    if (namespace == null) {
      return name.namespace().isEmpty() ? this : inNamespace(name.namespace());
    }
    if (!namespace.equals(name.namespace())) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is not in the namespace of this client, " + namespace);
    }
    return this;
  }

  private static <R> Optional<R> emptyIfNoObject(ApiStatusException e) {
    if (!e.isNotFound() || e.isUnexpectedServerError()) {
      throw e;
    }
    return Optional.empty();
  }

  /** Returns all objects, of the namespace or of all. */
  public ResourceList<T> list() throws InterruptedException {
    return list(ListOptions.NONE);
  }

  /** Returns the objects with these labels: {@code pods.list(Selector.parse("app=web"))}. */
  public ResourceList<T> list(Selector labels) throws InterruptedException {
    return list(ListOptions.builder().labelSelector(labels).build());
  }

  /**
   * Returns the objects that the options select. If the options limit the size of a page, this
   * fetches all pages. If the version of the first page expires before the last page is fetched, it
   * fetches all objects again, in one page.
   */
  public ResourceList<T> list(ListOptions options) throws InterruptedException {
    List<T> items = new ArrayList<>();
    ListMeta first = list(options, items::add);
    if (hasMore(first)) {
      try {
        listRest(options, first, items::add);
      } catch (ApiStatusException e) {
        if (!e.isResourceExpired()) {
          throw e;
        }
        items.clear();
        first = list(options.toBuilder().limit(null).build(), items::add);
      }
    }
    return new ResourceList<>(
        first.toBuilder().continueToken(null).remainingItemCount(null).build(), items);
  }

  /**
   * Lists in one request, and passes each object to the sink as it arrives, so only one is in
   * memory.
   *
   * @return the metadata of the list, with the token of the next page
   */
  public ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    return list(options, DecodeContext.create(), sink);
  }

  /**
   * Does the same for a reader that lists and watches repeatedly, such as an informer.
   *
   * @param context holds the strings and values that all objects of this reader share; for one
   *     thread
   */
  public ListMeta list(ListOptions options, DecodeContext context, ListSink<? super T> sink)
      throws InterruptedException {
    return new Request(endpoint, "GET").select(options).list(type.serializers(), context, sink);
  }

  /**
   * Lists page by page, and passes each object to the sink as it arrives. A page has 500 objects
   * unless the options set a limit. If the version of the first page expires before the last page
   * is fetched, this is an error, because objects already passed on cannot be withdrawn.
   *
   * @return the metadata of the first page, with the version of the list
   */
  public ListMeta eachListItem(ListOptions options, ListSink<? super T> sink)
      throws InterruptedException {
    Long limit = options.limit();
    ListOptions page =
        limit == null || limit == 0 ? options.toBuilder().limit(PAGE_SIZE).build() : options;
    ListMeta first = list(page, sink);
    listRest(page, first, sink);
    return first;
  }

  private void listRest(ListOptions options, ListMeta first, ListSink<? super T> sink)
      throws InterruptedException {
    // The token names the version that is listed; a server rejects a second version beside it.
    ListOptions next = options.toBuilder().resourceVersion(null).resourceVersionMatch(null).build();
    for (ListMeta page = first; hasMore(page); ) {
      page = list(next.toBuilder().continueToken(page.continueToken()).build(), sink);
    }
  }

  private static boolean hasMore(ListMeta page) {
    String token = page.continueToken();
    return token != null && !token.isEmpty();
  }

  /**
   * Watches all objects from now on, after events that add those that exist; see {@link
   * #watch(ListOptions)}.
   */
  public Watch<T> watch() throws InterruptedException {
    return watch(ListOptions.NONE);
  }

  /** Watches the objects with these labels; see {@link #watch()}. */
  public Watch<T> watch(Selector labels) throws InterruptedException {
    return watch(ListOptions.builder().labelSelector(labels).build());
  }

  /**
   * Watches the objects that the options select. The caller closes the watch. The server ends it
   * after the {@linkplain ListOptions#timeout timeout}; if it does not, the client ends it ten
   * seconds later.
   */
  public Watch<T> watch(ListOptions options) throws InterruptedException {
    return watch(options, DecodeContext.create());
  }

  /**
   * Does the same for a reader that lists and watches repeatedly, such as an informer.
   *
   * @param context holds the strings and values that all objects of this reader share; for one
   *     thread
   */
  public Watch<T> watch(ListOptions options, DecodeContext context) throws InterruptedException {
    return new Request(endpoint, "GET")
        .selectWatch(options)
        .header("Accept", type.serializers().accept())
        .watch(type.serializers(), context);
  }

  /**
   * Watches the objects that the options select, and opens another watch when one ends. This call
   * opens no watch. If no event or bookmark arrives for 5 minutes, the watcher asks by a list of
   * one object whether the server has reached the version of the watch.
   *
   * @param options with the resourceVersion after which to begin
   * @throws IllegalArgumentException if the resourceVersion is absent, empty or {@code "0"}
   */
  public RetryWatcher<T> retryWatcher(ListOptions options) {
    return RetryWatcher.create(
        options, this::watch, version -> list(newerThan(version), object -> {}), clock());
  }

  private static ListOptions newerThan(String version) {
    return ListOptions.builder()
        .resourceVersion(version)
        .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
        .limit(1L)
        .build();
  }

  /**
   * Waits until the named object meets a condition, by watching it.
   *
   * <pre>{@code
   * pods.await("web-0", pod -> pod.isPresent() && isReady(pod.get()), Duration.ofMinutes(1));
   * pods.await("web-0", Optional::isEmpty, Duration.ofMinutes(1)); // until it is deleted
   * }</pre>
   *
   * @param condition tested on the current object and after each change; empty if the object does
   *     not exist
   * @return the object that met the condition, empty if it does not exist
   * @throws TimeoutException if the timeout expires first
   */
  public Optional<T> await(String name, Predicate<? super Optional<T>> condition, Duration timeout)
      throws InterruptedException, TimeoutException {
    endpoint.requireNamespace();
    return new Await<>(toString(), this::list, this::retryWatcher, clock())
        .run(name, condition, timeout);
  }

  /* --------------- Writing --------------- */

  /** Creates an object and returns it as the server stored it. */
  public T create(T object) throws InterruptedException {
    return create(object, CreateOptions.NONE);
  }

  /**
   * Creates an object and returns it as the server stored it; or as it was sent, if the server
   * responds with a status, as for a binding.
   */
  public T create(T object, CreateOptions options) throws InterruptedException {
    Request request = new Request(home(object).requireNamespace(), "POST");
    options.toQuery().forEach(request::param);
    return request
        .header("Accept", type.serializers().accept())
        .body(type.serializers().forRequest(), object)
        .execute()
        .into(type.serializers(), object);
  }

  /**
   * Replaces an object and returns it as the server stored it. If its resourceVersion is not the
   * current one, the server responds with a conflict.
   */
  public T update(T object) throws InterruptedException {
    return update(object, UpdateOptions.NONE);
  }

  /**
   * Replaces an object and returns it as the server stored it. If its resourceVersion is not the
   * current one, the server responds with a conflict.
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

  /** Patches the named object and returns it as the server stored it. */
  public T patch(String name, Patch patch) throws InterruptedException {
    return patch(name, patch, PatchOptions.NONE);
  }

  /** Patches the named object and returns it as the server stored it. */
  public T patch(String name, Patch patch, PatchOptions options) throws InterruptedException {
    return whole().patch(name, patch, options);
  }

  /**
   * Applies a configuration: exactly the fields that the field manager owns. The server creates the
   * object if it does not exist, removes fields that the manager owned and no longer names, and
   * reports a conflict about fields of other managers, unless it is {@linkplain ApplyOptions#force
   * forced}.
   *
   * @return the object as the server stored it
   * @throws IllegalArgumentException if the configuration has managed fields, as an object read
   *     from a server has
   */
  public T apply(T configuration, ApplyOptions options) throws InterruptedException {
    return part(configuration).apply(nameOf(configuration), configuration, options);
  }

  /** Applies a configuration of another type, made by {@link Patch#apply}. */
  public T apply(String name, Patch configuration, ApplyOptions options)
      throws InterruptedException {
    if (!configuration.mediaType().equals(Patch.APPLY)) {
      throw new IllegalArgumentException("not an apply patch but " + configuration.mediaType());
    }
    return whole().patch(name, configuration, options.toPatchOptions());
  }

  /** Applies a configuration of the status, and returns the object as the server stored it. */
  public T applyStatus(T configuration, ApplyOptions options) throws InterruptedException {
    return part(configuration, "status").apply(nameOf(configuration), configuration, options);
  }

  /**
   * Reads the named object, changes it, and sends only the difference, so that fields that the type
   * does not know survive. If another writer changes the object in between, it tries again, up to
   * five attempts in all. The change gets the whole object, also if this client reads objects with
   * a {@linkplain ResourceType#projection projection}.
   *
   * @param change returns the changed object; it may be called more than once
   * @return the object as the server stored it, or as it was read if nothing has changed
   */
  public T edit(String name, UnaryOperator<T> change) throws InterruptedException {
    return edit(name, change, PatchOptions.NONE);
  }

  /** Does the same, with options. */
  public T edit(String name, UnaryOperator<T> change, PatchOptions options)
      throws InterruptedException {
    return edit(whole(), name, change, options);
  }

  /** Edits the status of the named object; see {@link #edit}. */
  public T editStatus(String name, UnaryOperator<T> change) throws InterruptedException {
    return edit(status(), name, change, PatchOptions.NONE);
  }

  private T edit(
      SubresourceClient<T> client, String name, UnaryOperator<T> change, PatchOptions options)
      throws InterruptedException {
    requireNonNull(change, "change");
    JsonCodec<T> whole = type.whole().codec();
    return Retry.onConflict()
        .withClock(clock(), endpoint.context().random())
        .run(
            () -> {
              byte[] raw = client.raw(name);
              T before = whole.read(JsonReader.of(raw));
              T after = requireNonNull(change.apply(before), "the change of the object is null");
              Optional<Patch> patch = EditPatch.of(whole, raw, before, after);
              return patch.isPresent() ? client.patch(name, patch.get(), options) : before;
            });
  }

  /** Deletes the named object. Finalizers may delay the deletion. */
  public void delete(String name) throws InterruptedException {
    delete(name, DeleteOptions.NONE);
  }

  /** Deletes the named object. Finalizers may delay the deletion. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    whole().delete(name, options);
  }

  /**
   * Deletes the named object, if there is one. If the server does not know the resource at all,
   * this is an error.
   *
   * @return whether there was one
   */
  public boolean deleteIfExists(String name) throws InterruptedException {
    try {
      delete(name);
      return true;
    } catch (ApiStatusException e) {
      return emptyIfNoObject(e).isPresent();
    }
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which) throws InterruptedException {
    deleteCollection(which, DeleteOptions.NONE);
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which, DeleteOptions options)
      throws InterruptedException {
    new Request(endpoint.requireNamespace(), "DELETE")
        .select(which)
        .body(DeleteOptions.CODEC, options)
        .execute();
  }

  /* --------------- Subresources --------------- */

  /** Returns the client of the status subresource, which reads and writes whole objects. */
  public SubresourceClient<T> status() {
    return subresource("status");
  }

  /** Returns the client of the scale subresource. */
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
   * @param name for example {@code eviction}
   * @param codec reads and writes the subresource
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
    return endpoint.inNamespaceOf(object.metadata().namespace());
  }

  private String nameOf(T object) {
    String name = object.metadata().name();
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("the object of " + type + " has no name");
    }
    return name;
  }

  private Clock clock() {
    return endpoint.context().clock();
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
