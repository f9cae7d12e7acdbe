package dev.clientgo.controller;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
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
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.apply.AppliedConfigurations.Target;
import dev.clientgo.controller.internal.apply.ApplyChange;
import dev.clientgo.controller.internal.cache.CacheUse;
import dev.clientgo.controller.internal.cache.RecentStrings;
import dev.clientgo.controller.internal.incident.Tape;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
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
 * lost is not known, and comes with the watch. Own writes are visible through each Java type of the
 * resource: through another type than that of the write, or with field selectors in the informer, a
 * read asks the server for the objects whose event has not come yet.
 *
 * <p>Reads throw {@link CacheSyncException} if the cache was not filled in two minutes, and never
 * answer from half a list. They throw an {@link IllegalArgumentException} if the manager does not
 * follow the namespace or the labels that are read. Writes throw what those of {@link
 * ResourceClient} throw. Immutable, safe for use by many threads.
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

  /** Returns whether a cache has objects with the namespace and the labels of this one. */
  boolean isFollowed(T object) throws InterruptedException {
    ObjectName name = ObjectName.of(object);
    return tape().holds("isFollowed", name, () -> client.scope().isFollowed(type(), object));
  }

  private Tape tape() {
    return client.tape();
  }

  private ResourceType<T> type() {
    return server.type();
  }

  // ---- reading

  /** Returns the cache as it is at each read. */
  private ResourceView<T> cache() throws InterruptedException {
    String prefix = namespace().isEmpty() ? "" : namespace() + "/";
    return view(key -> key.startsWith(prefix), /* byOwner= */ false);
  }

  private ResourceView<T> view(java.util.function.Predicate<String> wanted, boolean byOwner)
      throws InterruptedException {
    if (tape().isReplay()) {
      return ResourceView.replayed(type(), namespace(), tape());
    }
    CacheUse<T> use = use(namespace());
    if (byOwner) {
      use.indexOwners();
    }
    return view(use, wanted, tape());
  }

  private CacheUse<T> use(String namespace) throws InterruptedException {
    return client.scope().cache(type(), namespace);
  }

  private ResourceView<T> view(
      CacheUse<T> use, java.util.function.Predicate<String> wanted, Tape tape)
      throws InterruptedException {
    return new ResourceView<>(use.cache(wanted), type(), use.scope(), namespace(), tape);
  }

  /**
   * Returns the state of the cache at this moment, which never changes: its reads agree with one
   * another. Own writes up to now are in it. In a reconciler, {@link Context#view} returns the same
   * state each time.
   */
  public ResourceView<T> view() throws InterruptedException {
    return view(key -> true, /* byOwner= */ false).view();
  }

  /**
   * Returns an object of the cache after it was seen on the server. The first call for an object
   * reads it from there, unless the controller has written it before; later calls send nothing and
   * return the given object.
   *
   * <p>After a start, and if another process led before, a cache can be older than what the earlier
   * process has written. So ask this before an action that nothing would undo, if the action relies
   * on what only this controller changes, such as its finalizers.
   *
   * @param known the object as the cache has it
   * @return the object, as the server has it if it was read; empty if it is gone, or another object
   *     has its name
   */
  public Optional<T> confirmed(T known) throws InterruptedException {
    String uid = Objects.requireNonNull(known.metadata().uid(), "the object has no uid");
    RecentStrings confirmed = client.scope().confirmed();
    if (tape().holds("isConfirmed", uid, () -> confirmed.contains(uid))) {
      return Optional.of(known);
    }
    Optional<T> current =
        home(known)
            .server
            .find(nameOf(known))
            .filter(object -> uid.equals(object.metadata().uid()));
    if (current.isPresent()) {
      confirmed.add(uid);
    }
    return current;
  }

  /**
   * Returns an object as it is now: from the cache if the server has confirmed the cache within
   * that time, by a list, an event or a bookmark; otherwise from the server. A server sends a
   * bookmark about every minute, so a shorter time mostly asks the server. The cache may still be
   * older than what was read from the server.
   *
   * @param known the object as the caller has it
   * @return empty if it is gone, or another object has its name
   */
  public Optional<T> fresh(T known, Duration maxAge) throws InterruptedException {
    String uid = Objects.requireNonNull(known.metadata().uid(), "the object has no uid");
    CachedResource<T> home = home(known);
    String name = nameOf(known);
    boolean old =
        tape().holds("isOld", uid, () -> home.use(home.namespace()).age().compareTo(maxAge) > 0);
    Optional<T> current = old ? home.server.find(name) : home.find(name);
    return current.filter(object -> uid.equals(object.metadata().uid()));
  }

  /**
   * Returns the named object, or empty if there is none. With {@link
   * ControllerBuilder#shardedCache}, an object of another replica comes from the server.
   */
  public Optional<T> find(String name) throws InterruptedException {
    return find(new ObjectName(namespace(), name));
  }

  /** Returns the object that a request names, or empty if there is none; see {@link #find}. */
  public Optional<T> find(Request request) throws InterruptedException {
    return find(request.objectName());
  }

  private Optional<T> find(ObjectName name) throws InterruptedException {
    return tape().object("find", type(), name, () -> found(name));
  }

  private Optional<T> found(ObjectName name) throws InterruptedException {
    Optional<T> cached = view(use(name.namespace()), name.toString()::equals, Tape.NONE).find(name);
    return cached.isPresent() ? cached : client.findOutsideOfShard(type(), name);
  }

  /**
   * Returns the named object; see {@link #find}.
   *
   * @throws ApiStatusException if there is none: {@link ApiStatusException#isNotFound}
   */
  public T get(String name) throws InterruptedException {
    Optional<T> found = find(name);
    return found.isPresent() ? found.get() : cache().get(name);
  }

  /** Returns the namespace, empty if it is all of them. */
  private String namespace() {
    String namespace = server.namespace();
    return namespace == null ? "" : namespace;
  }

  /** Returns all objects, of the namespace or of all. */
  public List<T> list() throws InterruptedException {
    return cache().list();
  }

  /** Returns the objects with these labels, of the namespace or of all. */
  public List<T> list(Selector labels) throws InterruptedException {
    return cache().list(labels);
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
    return view().list(options);
  }

  /**
   * Returns the objects that an index files under a value, of the namespace or of all.
   *
   * @throws IllegalArgumentException if there is no such index; the message says how to add it
   */
  public List<T> byIndex(String index, String value) throws InterruptedException {
    return cache().byIndex(index, value);
  }

  /**
   * Returns the objects that have an owner, as its controller or not, of the namespace or of all:
   * from an index by the owner's uid, which the first call adds to the cache.
   *
   * @param owner an object that has been created, so that it has a uid
   * @throws IllegalArgumentException if the owner has no uid
   */
  public List<T> ownedBy(KubernetesObject owner) throws InterruptedException {
    String uid = owner.metadata().uid();
    if (uid == null) {
      throw new IllegalArgumentException("the owner has no uid: read it, or create it first");
    }
    return view(key -> true, /* byOwner= */ true).byIndex(CacheUse.OWNERS, uid);
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

  /** Patches the named object and returns it as the server stored it. */
  public T patch(String name, Patch patch) throws InterruptedException {
    return written(server.patch(name, patch));
  }

  /** Patches the named object and returns it as the server stored it. */
  public T patch(String name, Patch patch, PatchOptions options) throws InterruptedException {
    T patched = server.patch(name, patch, options);
    return options.dryRun() ? patched : written(patched);
  }

  /**
   * Reads the named object from the server, changes it, and sends the difference; see {@link
   * ResourceClient#edit(String, UnaryOperator)}.
   */
  public T edit(String name, UnaryOperator<T> change) throws InterruptedException {
    return written(server.edit(name, change));
  }

  /** Edits the status of the named object; see {@link #edit}. */
  public T editStatus(String name, UnaryOperator<T> change) throws InterruptedException {
    return written(server.editStatus(name, change));
  }

  /**
   * Changes an object that the caller has read, for example from the cache. If the change leaves it
   * as it is, sends nothing. Otherwise reads it from the server, changes that, and sends the
   * difference, as {@link #edit(String, UnaryOperator)} does.
   *
   * @param change returns the changed object; it is called more than once
   * @return the object as the server stored it, or the given one if nothing has changed
   * @throws ApiStatusException a conflict, if the object was deleted and created again meanwhile
   */
  public T edit(T known, UnaryOperator<T> change) throws InterruptedException {
    return change.apply(known).equals(known)
        ? known
        : home(known).edit(nameOf(known), current -> change.apply(same(known, current)));
  }

  /**
   * Changes the status of an object that the caller has read; see {@link #edit(KubernetesObject,
   * UnaryOperator)}. So a reconciler may set the status each time, and only changes are requests.
   *
   * <pre>{@code
   * foos.editStatus(foo, f -> f.with(b -> b.editStatus(s -> s.editConditions("Ready", c ->
   *     c.status(Conditions.TRUE).reason("Started").observedGeneration(generation)))));
   * }</pre>
   */
  public T editStatus(T known, UnaryOperator<T> change) throws InterruptedException {
    return change.apply(known).equals(known)
        ? known
        : home(known).editStatus(nameOf(known), current -> change.apply(same(known, current)));
  }

  private T same(T known, T current) {
    String uid = known.metadata().uid();
    if (uid != null && !uid.equals(current.metadata().uid())) {
      throw ApiStatusException.conflict(
          type().resource().groupResource(),
          nameOf(known),
          "the object was deleted and created again");
    }
    return current;
  }

  private CachedResource<T> home(T object) {
    String namespace = object.metadata().namespace();
    return !namespace().isEmpty() || namespace == null || namespace.isEmpty()
        ? this
        : inNamespace(namespace);
  }

  private String nameOf(T object) {
    return Objects.requireNonNull(object.metadata().name(), "the object has no name");
  }

  /**
   * Creates an object if there is none of its name, and changes the existing one otherwise. If that
   * is as it should be, sends nothing.
   *
   * <pre>{@code
   * Operation<ConfigMap> written =
   *     maps.createOrUpdate(
   *         ConfigMap.of("shop", "settings", c -> {}),
   *         map -> OwnerReferences.setController(map.with(c -> c.data(settings)), foo));
   * }</pre>
   *
   * <p>The object of the cache, with own writes, decides whether something is to do. A change reads
   * the object from the server and sends the difference, so fields that the type does not know, or
   * that a transform of the cache has removed, survive. If another writer is faster, or the cache
   * was wrong about whether the object exists, it tries again, up to five times.
   *
   * <p>Set values as the server stores them: if the change makes {@code 1000m} of the stored {@code
   * 1}, each call sends a request.
   *
   * <p>Corresponds to controller-runtime's {@code controllerutil.CreateOrUpdate}.
   *
   * @param initial the object to create, with a name
   * @param change makes the object as it should be of the initial or the existing one; it must keep
   *     the name, and may be called more than once
   */
  public Operation<T> createOrUpdate(T initial, UnaryOperator<T> change)
      throws InterruptedException {
    return new CreateOrChange<>(home(initial), initial, change).run();
  }

  /**
   * Does the same as {@link #createOrUpdate}, and then for the status, by a separate request if the
   * status has changed. The kind must have a status subresource.
   *
   * <p>Corresponds to controller-runtime's {@code controllerutil.CreateOrPatch}.
   */
  public Operation<T> createOrPatch(T initial, UnaryOperator<T> change)
      throws InterruptedException {
    return new CreateOrChange<>(home(initial), initial, change).runWithStatus();
  }

  /**
   * Applies a configuration: all fields that the {@linkplain Client#withFieldManager field manager}
   * of this client wants, and no others, by server-side apply. Takes over fields that other
   * managers own. So a reconciler may apply each time, and only changes are requests:
   *
   * <p>It sends nothing if the configuration is the same as at the last apply of this object, and
   * the fields that the manager owns on the server, as the cache shows them, are the same, too. If
   * another client has changed one of these fields, or has taken it over, or the object was created
   * again, it applies again. Changes of other managers to their own fields are no reason. If a
   * transform of the informer removes the managed fields, it applies again after each change of the
   * object.
   *
   * <p>Leave out of the configuration what differs each time, such as the time now. The first apply
   * after a start is always sent; one that changes nothing makes no new version of the object. The
   * counter {@code controller_runtime_applies_total} has those sent and those skipped.
   *
   * <p>The result compares the response with the object that the cache had. A new version is an
   * update, unless the managed fields show that only others have changed it meanwhile.
   *
   * @return what was done, and the object as the server stored it, or as the cache has it if
   *     nothing was sent
   * @throws IllegalStateException if the client has no field manager
   * @throws IllegalArgumentException if the configuration has managed fields, as an object read
   *     from a server has
   */
  public Operation<T> apply(T configuration) throws InterruptedException {
    return applyIfChanged(configuration, "", UnaryOperator.identity());
  }

  /**
   * Applies a configuration of the status, if it or the fields owned on the server have changed;
   * see {@link #apply(KubernetesObject)}.
   */
  public Operation<T> applyStatus(T configuration) throws InterruptedException {
    return applyIfChanged(configuration, "status", UnaryOperator.identity());
  }

  private Operation<T> applyIfChanged(
      T configuration, String subresource, UnaryOperator<T> precondition)
      throws InterruptedException {
    CachedResource<T> home = home(configuration);
    T known = home.known(nameOf(configuration));
    return home.applyIfChanged(configuration, subresource, known, precondition);
  }

  /**
   * Applies a configuration only to the object that the caller has seen.
   *
   * @param known the object; null if there was none, so that one is created
   * @throws ApiStatusException a conflict, or an invalid object, if there is a different one now
   */
  Operation<T> applyTo(@Nullable T known, T configuration) throws InterruptedException {
    String uid = known == null ? null : known.metadata().uid();
    // No object has version 1: so it never replaces one, while a new object may have any version.
    String version = known == null ? "1" : null;
    Operation<T> applied =
        home(configuration)
            .applyIfChanged(
                configuration,
                "",
                known,
                c ->
                    KubernetesObject.edit(
                        c, meta -> meta.with(m -> m.uid(uid).resourceVersion(version))));
    return known == null ? new Operation<>(OperationResult.CREATED, applied.object()) : applied;
  }

  private Operation<T> applyIfChanged(
      T configuration, String subresource, @Nullable T known, UnaryOperator<T> precondition)
      throws InterruptedException {
    ApplyOptions options = client.applyOptions();
    Target target =
        new Target(
            type().resource(),
            namespace(),
            nameOf(configuration),
            options.fieldManager(),
            subresource);
    AppliedConfigurations applied = client.scope().applied();
    if (!tape()
        .holds(
            "mustApply",
            new Tape.Wanted(target.toString(), type(), configuration),
            () -> applied.begin(target, type().codec(), configuration, known))) {
      return new Operation<>(
          OperationResult.UNCHANGED, Objects.requireNonNull(known, "the applied object"));
    }
    T stored = send(precondition.apply(configuration), options, subresource);
    applied.end(target, type().codec(), configuration, stored);
    return operation(options, subresource, known, stored);
  }

  /** Applies a configuration; see {@link ResourceClient#apply(KubernetesObject, ApplyOptions)}. */
  public Operation<T> apply(T configuration, ApplyOptions options) throws InterruptedException {
    return apply(configuration, options, "");
  }

  /** Applies a configuration of the status, and returns the object as the server stored it. */
  public Operation<T> applyStatus(T configuration, ApplyOptions options)
      throws InterruptedException {
    return apply(configuration, options, "status");
  }

  private Operation<T> apply(T configuration, ApplyOptions options, String subresource)
      throws InterruptedException {
    CachedResource<T> home = home(configuration);
    T known = home.known(nameOf(configuration));
    T stored = home.send(configuration, options, subresource);
    return operation(options, subresource, known, stored);
  }

  private Operation<T> operation(
      ApplyOptions options, String subresource, @Nullable T known, T stored) {
    boolean status = !subresource.isEmpty();
    OperationResult result =
        switch (ApplyChange.of(type().codec(), options, subresource, known, stored)) {
          case CREATED -> OperationResult.CREATED;
          case UPDATED -> status ? OperationResult.UPDATED_STATUS_ONLY : OperationResult.UPDATED;
          case UNCHANGED -> OperationResult.UNCHANGED;
        };
    return new Operation<>(result, stored);
  }

  private T send(T configuration, ApplyOptions options, String subresource)
      throws InterruptedException {
    T applied =
        subresource.isEmpty()
            ? server.apply(configuration, options)
            : server.applyStatus(configuration, options);
    return options.toPatchOptions().dryRun() ? applied : written(applied);
  }

  private T written(T object) {
    if (wasLastUpdate(object)) {
      gone(object);
      return object;
    }
    client.note(client.scope().written(type(), object), object, /* isDeletion= */ false);
    return object;
  }

  private void gone(T last) {
    client.note(client.scope().deleted(type(), last), last, /* isDeletion= */ true);
  }

  /**
   * Returns whether the server has removed the object with this write, because no finalizer holds a
   * deleted object any longer. A namespace is held by finalizers in its spec, too.
   */
  private boolean wasLastUpdate(T object) {
    ObjectMeta metadata = object.metadata();
    Long grace = metadata.deletionGracePeriodSeconds();
    return metadata.deletionTimestamp() != null
        && (grace == null || grace == 0)
        && (metadata.finalizers() == null || metadata.finalizers().isEmpty())
        && !(type().kind().group().isEmpty() && type().kind().kind().equals("Namespace"));
  }

  /**
   * Deletes the named object. Finalizers may delay the deletion. It reads the object first if no
   * cache has it, and then checks whether the object still exists: two or three requests.
   *
   * @throws ApiStatusException if there is none: {@link ApiStatusException#isNotFound}
   */
  public void delete(String name) throws InterruptedException {
    delete(name, DeleteOptions.NONE);
  }

  /** Deletes the named object, with options. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    if (options.dryRun()) {
      server.delete(name, options);
      return;
    }
    T known = known(name);
    for (int attempt = 1; ; attempt++) {
      T target = known != null ? known : server.get(name);
      try {
        server.delete(name, of(target, options));
        settle(name, target);
        return;
      } catch (ApiStatusException e) {
        if (e.isNotFound()) {
          gone(target);
        }
        boolean anotherObject = e.isConflict() && options.preconditions() == null;
        if (!anotherObject || attempt == DELETE_ATTEMPTS) {
          throw e;
        }
        known = null; // The name now belongs to a different object.
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

  /**
   * Deletes an object that the caller has read, for example from the cache, but never a newer
   * object with the same name. If an object of the cache is the reason for the deletion, this is
   * the method to call: a cache may be so old that the name belongs to a newer object, which {@link
   * #delete(String)} would delete.
   *
   * @throws ApiStatusException if the object is gone, {@link ApiStatusException#isNotFound}, or if
   *     a different object has its name, {@link ApiStatusException#isConflict}; the cache will show
   *     it
   */
  public void delete(T known) throws InterruptedException {
    String uid = Objects.requireNonNull(known.metadata().uid(), "the object has no uid");
    DeleteOptions thisOne = DeleteOptions.builder().preconditions(Preconditions.ofUid(uid)).build();
    home(known).delete(nameOf(known), thisOne);
  }

  /** Returns the object that a write is about: from the server, if the cache cannot have it. */
  @Nullable T known(String name) throws InterruptedException {
    boolean isFollowed =
        tape()
            .holds(
                "isFollowed",
                List.of(type().resource(), namespace()),
                () -> client.scope().isFollowed(type(), namespace()));
    return (isFollowed ? find(name) : server.find(name)).orElse(null);
  }

  /** Records the state after a deletion: no object, or one that waits for finalizers. */
  private void settle(String name, T deleted) throws InterruptedException {
    T left = server.find(name).orElse(null);
    if (left == null || !Objects.equals(left.metadata().uid(), deleted.metadata().uid())) {
      gone(deleted);
    }
    if (left != null) {
      written(left);
    }
  }

  /**
   * Deletes the named object, if there is one.
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
