package dev.clientgo.controller;

import dev.clientgo.apimachinery.fields.FieldRequirement;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.Lister;
import dev.clientgo.controller.internal.cache.OwnWrites;
import dev.clientgo.controller.internal.cache.ReconcileWrites;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The client of one kind of objects, in one namespace or in all: reads from the cache, and writes
 * to the server.
 *
 * <p><b>Own writes.</b> An object that a method of this process' manager has written is in the
 * result of each later read, by name, in lists and through indices: in the state that the server
 * returned, or a newer one. As soon as the watch has caught up with the write, the cache alone
 * counts; so a change or a deletion by another client is never hidden. A write whose response was
 * lost is not known, and comes with the watch. Own writes cannot be shown in an informer with field
 * selectors, because only the server can tell which objects these select.
 *
 * <p>Reads throw {@link CacheSyncException} if the cache was not filled in two minutes, and never
 * answer from half a list. Writes throw what those of {@link ResourceClient} throw. Immutable, safe
 * for use by many threads.
 *
 * @param <T> the type of the objects
 */
public final class CachedResource<T extends KubernetesObject> {

  /** The prefix of the names of the indices that field selectors use: {@value}. */
  public static final String FIELD_INDEX = "field:";

  /** How often a deletion reads the object again if another client has re-created it meanwhile. */
  private static final int DELETE_ATTEMPTS = 5;

  private final Client client;
  private final ResourceClient<T> server;

  CachedResource(Client client, ResourceClient<T> server) {
    this.client = client;
    this.server = server;
  }

  /** Returns the client of this kind in one namespace. */
  public CachedResource<T> inNamespace(String namespace) {
    return new CachedResource<>(client, server.inNamespace(namespace));
  }

  /** Returns the client that reads from the server. */
  public ResourceClient<T> uncached() {
    return server;
  }

  private ResourceType<T> type() {
    return server.type();
  }

  // ---- reading

  private OwnWrites<T> cache() throws InterruptedException {
    return client.scope().cache(type());
  }

  private String namespace() {
    String namespace = server.namespace();
    return namespace == null ? "" : namespace;
  }

  /** Returns the object of that name, or empty if there is none. */
  public Optional<T> find(String name) throws InterruptedException {
    return Lister.of(cache(), type()).find(new ObjectName(namespace(), name));
  }

  /** Returns the object that a request names, or empty if there is none. */
  public Optional<T> find(Request request) throws InterruptedException {
    return Lister.of(cache(), type()).find(request.objectName());
  }

  /**
   * Returns the object of that name.
   *
   * @throws ApiStatusException if there is none: {@link ApiStatusException#isNotFound}
   */
  public T get(String name) throws InterruptedException {
    return Lister.of(cache(), type()).get(new ObjectName(namespace(), name));
  }

  /** Returns all objects, of the namespace or of all. */
  public List<T> list() throws InterruptedException {
    return list(Selector.everything());
  }

  /** Returns the objects with these labels, of the namespace or of all. */
  public List<T> list(Selector labels) throws InterruptedException {
    Lister<T> lister = Lister.of(cache(), type());
    return namespace().isEmpty()
        ? lister.list(labels)
        : lister.inNamespace(namespace()).list(labels);
  }

  /**
   * Returns the objects that the options select. A label selector can be any. A field selector can
   * only compare for equality: {@code metadata.name}, {@code metadata.namespace}, or a field with
   * an index named {@code field:NAME}. A limit cuts the list off.
   *
   * @throws IllegalArgumentException if the options have a continue token, or a field that has no
   *     index; the message says how to add it
   */
  public List<T> list(ListOptions options) throws InterruptedException {
    String token = options.continueToken();
    if (token != null && !token.isEmpty()) {
      throw new IllegalArgumentException(
          "a cache has no pages to continue: read the list at once, or use uncached()");
    }
    String labels = options.labelSelector();
    List<T> found = list(labels == null ? Selector.everything() : Selector.parse(labels));
    String fields = options.fieldSelector();
    if (fields != null) {
      for (FieldRequirement field : FieldSelector.parse(fields).requirements()) {
        List<T> selected = byField(field);
        found = found.stream().filter(selected::contains).toList();
      }
    }
    Long limit = options.limit();
    return limit == null || limit <= 0 || limit >= found.size()
        ? found
        : List.copyOf(found.subList(0, limit.intValue()));
  }

  private List<T> byField(FieldRequirement field) throws InterruptedException {
    if (field.operator() != FieldRequirement.Operator.EQUALS) {
      throw new IllegalArgumentException(
          "a cache selects fields by equality only, not by " + field + ": use uncached()");
    }
    return switch (field.field()) {
      case "metadata.name" ->
          list().stream().filter(o -> field.value().equals(o.metadata().name())).toList();
      case "metadata.namespace" ->
          list().stream().filter(o -> field.value().equals(o.metadata().namespace())).toList();
      default -> byIndex(FIELD_INDEX + field.field(), field.value());
    };
  }

  /**
   * Returns the objects that an index files under a value, of the namespace or of all.
   *
   * @throws IllegalArgumentException if there is no such index; the message says how to add it
   */
  public List<T> byIndex(String index, String value) throws InterruptedException {
    OwnWrites<T> cache = cache();
    if (!cache.indexers().containsKey(index)) {
      throw new IllegalArgumentException(
          "the cache of "
              + type()
              + " has no index \""
              + index
              + "\": add it by Manager.builder(client).informers(factory -> factory.configure("
              + type().kind().kind()
              + ".TYPE, informer -> informer.indexer(\""
              + index
              + "\", …)))");
    }
    List<T> all = cache.byIndex(index, value);
    return namespace().isEmpty()
        ? all
        : all.stream().filter(o -> namespace().equals(o.metadata().namespace())).toList();
  }

  // ---- writing

  /** Creates an object and returns it as the server stored it. */
  public T create(T object) throws InterruptedException {
    return written(server.create(object));
  }

  /** Creates an object and returns it as the server stored it. */
  public T create(T object, CreateOptions options) throws InterruptedException {
    T created = server.create(object, options);
    return options.dryRun() ? created : written(created);
  }

  /** Replaces an object and returns it as the server stored it. */
  public T update(T object) throws InterruptedException {
    return written(server.update(object));
  }

  /** Replaces an object and returns it as the server stored it. */
  public T update(T object, UpdateOptions options) throws InterruptedException {
    T updated = server.update(object, options);
    return options.dryRun() ? updated : written(updated);
  }

  /** Replaces the status of an object and returns the object as the server stored it. */
  public T updateStatus(T object) throws InterruptedException {
    return written(server.updateStatus(object));
  }

  /** Patches the object of that name and returns it as the server stored it. */
  public T patch(String name, Patch patch) throws InterruptedException {
    return written(server.patch(name, patch));
  }

  /** Patches the object of that name and returns it as the server stored it. */
  public T patch(String name, Patch patch, PatchOptions options) throws InterruptedException {
    T patched = server.patch(name, patch, options);
    return options.dryRun() ? patched : written(patched);
  }

  /**
   * Reads the object of that name from the server, changes it, and sends the difference; see {@link
   * ResourceClient#edit(String, UnaryOperator)}.
   */
  public T edit(String name, UnaryOperator<T> change) throws InterruptedException {
    return written(server.edit(name, change));
  }

  /** Edits the status of the object of that name; see {@link #edit}. */
  public T editStatus(String name, UnaryOperator<T> change) throws InterruptedException {
    return written(server.editStatus(name, change));
  }

  /** Applies a configuration; see {@link ResourceClient#apply(KubernetesObject, ApplyOptions)}. */
  public T apply(T configuration, ApplyOptions options) throws InterruptedException {
    T applied = server.apply(configuration, options);
    return options.toPatchOptions().dryRun() ? applied : written(applied);
  }

  /** Applies a configuration of the status, and returns the object as the server stored it. */
  public T applyStatus(T configuration, ApplyOptions options) throws InterruptedException {
    T applied = server.applyStatus(configuration, options);
    return options.toPatchOptions().dryRun() ? applied : written(applied);
  }

  private T written(T object) {
    OwnWrites<T> cache = client.scope().informers().written(type(), object);
    String version = object.metadata().resourceVersion();
    ReconcileWrites writes = client.writes();
    if (cache != null && version != null && writes != null) {
      writes.add(cache, version);
    }
    return object;
  }

  /**
   * Deletes the object of that name. Finalizers may delay the deletion. It reads the object before
   * if no cache has it, and looks afterwards what is left of it: two or three requests.
   *
   * @throws ApiStatusException if there is none: {@link ApiStatusException#isNotFound}
   */
  public void delete(String name) throws InterruptedException {
    delete(name, DeleteOptions.NONE);
  }

  /** Deletes the object of that name, with options. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    if (options.dryRun()) {
      server.delete(name, options);
      return;
    }
    T known = newestKnown(name);
    for (int attempt = 1; ; attempt++) {
      T target = known != null ? known : server.get(name);
      try {
        server.delete(name, of(target, options));
        settle(name, target);
        return;
      } catch (ApiStatusException e) {
        if (e.isNotFound()) {
          client.scope().informers().deleted(type(), target);
        }
        boolean anotherObject = e.isConflict() && options.preconditions() == null;
        if (!anotherObject || attempt == DELETE_ATTEMPTS) {
          throw e;
        }
        known = null; // The name belongs to another object by now.
      }
    }
  }

  /** Returns the options with the uid of the object, unless the caller has preconditions. */
  private static DeleteOptions of(KubernetesObject target, DeleteOptions options) {
    String uid = target.metadata().uid();
    return options.preconditions() != null || uid == null
        ? options
        : options.toBuilder().preconditions(Preconditions.ofUid(uid)).build();
  }

  private @Nullable T newestKnown(String name) throws InterruptedException {
    return find(name).orElse(null);
  }

  /** Records what is left of a deleted object: nothing, or an object that waits for finalizers. */
  private void settle(String name, T deleted) throws InterruptedException {
    T left = server.find(name).orElse(null);
    if (left == null || !Objects.equals(left.metadata().uid(), deleted.metadata().uid())) {
      client.scope().informers().deleted(type(), deleted);
    }
    if (left != null) {
      written(left);
    }
  }

  /**
   * Deletes the object of that name, if there is one.
   *
   * @return whether there was one
   */
  public boolean deleteIfExists(String name) throws InterruptedException {
    try {
      delete(name);
      return true;
    } catch (ApiStatusException e) {
      if (!e.isNotFound() || e.isUnexpectedServerError()) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public String toString() {
    return "cached " + server;
  }
}
