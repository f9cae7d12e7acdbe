package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.runtime.ListDecoder;
import dev.clientgo.apimachinery.runtime.ListSink;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.watch.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type, in one namespace or in all.
 *
 * <p>Every call blocks until the server has answered, and throws {@link
 * dev.clientgo.apimachinery.errors.ApiStatusException} if it answers with an error, {@link
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

  private final RESTClient client;
  private final ResourceType<T> type;
  private final @Nullable String namespace;

  ResourceClient(RESTClient client, ResourceType<T> type, @Nullable String namespace) {
    this.client = client;
    this.type = requireNonNull(type, "type");
    this.namespace = namespace;
  }

  /** Returns the type of the objects. */
  public ResourceType<T> type() {
    return type;
  }

  /**
   * Returns the client of this type in one namespace.
   *
   * @throws IllegalArgumentException if objects of this type do not live in namespaces, or the name
   *     is empty or may not stand in a path
   */
  public ResourceClient<T> inNamespace(String namespace) {
    if (!type.isNamespaced()) {
      throw new IllegalArgumentException(type + " does not live in namespaces");
    }
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException("the namespace is empty");
    }
    return new ResourceClient<>(client, type, PathSegments.check("namespace", namespace));
  }

  /** Returns the object of that name. */
  public T get(String name) throws InterruptedException {
    return named(client.get(), name).execute().into(type.codec());
  }

  /**
   * Returns the objects that the options select. If the options limit the size of a page, all pages
   * are fetched.
   */
  public ResourceList<T> list(ListOptions options) throws InterruptedException {
    List<T> items = new ArrayList<>();
    ListMeta page = list(options, items::add);
    ListMeta first = page;
    while (hasMore(page)) {
      ListOptions next =
          options.toBuilder()
              .continueToken(page.continueToken())
              .resourceVersion(null)
              .resourceVersionMatch(null)
              .build();
      page = list(next, items::add);
    }
    return new ResourceList<>(
        first.toBuilder().continueToken(null).remainingItemCount(null).build(), items);
  }

  private static boolean hasMore(ListMeta page) {
    String token = page.continueToken();
    return token != null && !token.isEmpty();
  }

  /**
   * Lists by one request, and hands over each object as it arrives: no more than one is held here.
   *
   * @return what the list carries besides its items, among them how to get the next page
   */
  public ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    return collection(client.get())
        .options(options)
        .read(
            in -> ListDecoder.read(JsonReader.of(in, DecodeContext.create()), type.codec(), sink));
  }

  /** Watches the objects that the options select. The caller closes the watch. */
  public Watch<T> watch(ListOptions options) throws InterruptedException {
    Request request = collection(client.get());
    options.toQuery(true).forEach(request::param);
    return request.watch(type.codec(), DecodeContext.create());
  }

  /** Creates an object and returns it as the server stored it. */
  public T create(T object) throws InterruptedException {
    return create(object, WriteOptions.NONE);
  }

  /** Creates an object and returns it as the server stored it. */
  public T create(T object, WriteOptions options) throws InterruptedException {
    return write(home(object).inKnownNamespace().collection(client.post()), object, options);
  }

  /**
   * Replaces an object and returns it as the server stored it. If it carries a resourceVersion that
   * is not the current one, the server answers with a conflict.
   */
  public T update(T object) throws InterruptedException {
    return update(object, WriteOptions.NONE);
  }

  /**
   * Replaces an object, or one of its subresources, and returns it as the server stored it. If it
   * carries a resourceVersion that is not the current one, the server answers with a conflict.
   */
  public T update(T object, WriteOptions options, String... subresource)
      throws InterruptedException {
    Request request = home(object).named(client.put(), nameOf(object)).subResource(subresource);
    return write(request, object, options);
  }

  /** Replaces the status of an object and returns the object as the server stored it. */
  public T updateStatus(T object) throws InterruptedException {
    return update(object, WriteOptions.NONE, "status");
  }

  private T write(Request request, T object, WriteOptions options) throws InterruptedException {
    options.addTo(request);
    return request.body(type.codec(), object).execute().into(type.codec());
  }

  /**
   * Changes the object of that name, or one of its subresources, and returns it as the server
   * stored it.
   */
  public T patch(String name, Patch patch, String... subresource) throws InterruptedException {
    return patch(name, patch, WriteOptions.NONE, subresource);
  }

  /**
   * Changes the object of that name, or one of its subresources, and returns it as the server
   * stored it. A patch that {@linkplain Patch#apply applies} a configuration needs a {@linkplain
   * WriteOptions#fieldManager field manager}.
   */
  public T patch(String name, Patch patch, WriteOptions options, String... subresource)
      throws InterruptedException {
    Request request = named(client.patch(), name).subResource(subresource);
    options.addTo(request);
    return request.body(patch.body().toByteArray(), patch.mediaType()).execute().into(type.codec());
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
    return new Edit<>(this, client.clock()).run(name, change);
  }

  /** Deletes the object of that name. Finalizers may keep it for a while. */
  public void delete(String name) throws InterruptedException {
    delete(name, DeleteOptions.NONE);
  }

  /** Deletes the object of that name. Finalizers may keep it for a while. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    named(client.delete(), name).body(DeleteOptions.CODEC, options).execute();
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which) throws InterruptedException {
    deleteCollection(which, DeleteOptions.NONE);
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which, DeleteOptions options)
      throws InterruptedException {
    inKnownNamespace()
        .collection(client.delete())
        .options(which)
        .body(DeleteOptions.CODEC, options)
        .execute();
  }

  /** Returns the client of the namespace in which an object lives. */
  private ResourceClient<T> home(T object) {
    String home = object.metadata().namespace();
    return type.isNamespaced() && namespace == null && home != null && !home.isEmpty()
        ? inNamespace(home)
        : this;
  }

  private String nameOf(T object) {
    String name = object.metadata().name();
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("the object of " + type + " has no name");
    }
    return name;
  }

  private Request named(Request request, String name) {
    return inKnownNamespace().collection(request).name(name);
  }

  private ResourceClient<T> inKnownNamespace() {
    if (type.isNamespaced() && namespace == null) {
      throw new IllegalStateException(
          type + " lives in namespaces: say in which one, by inNamespace");
    }
    return this;
  }

  private Request collection(Request request) {
    request.groupVersion(type.resource().groupVersion()).resource(type.resource().resource());
    return namespace == null ? request : request.namespace(namespace);
  }

  @Override
  public String toString() {
    return type + (namespace == null ? "" : " in " + namespace);
  }
}
