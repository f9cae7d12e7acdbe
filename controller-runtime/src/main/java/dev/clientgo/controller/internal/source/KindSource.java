package dev.clientgo.controller.internal.source;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.internal.cache.CacheProblem;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import dev.clientgo.controller.predicate.Predicate;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kind of objects that a controller watches: passes their events through the predicate and the
 * mapping into the queue.
 *
 * <p>Corresponds to controller-runtime's {@code source.Kind}.
 *
 * @param <T> the type of the objects
 * @param <R> the type of the requests
 */
public final class KindSource<T extends KubernetesObject, R> implements ResourceEventHandler<T> {

  private final ResourceType<T> type;
  private final Predicate<T> predicate;
  private final Function<T, Collection<R>> map;
  private final Function<DeletedObject<T>, Collection<R>> mapDeleted;

  /** Names the objects, if they are those that the controller reconciles; null otherwise. */
  private final @Nullable Function<ObjectName, R> primary;

  private final RequestIntake<R> intake;
  private final CallbackGuard callbacks;
  private final String predicateName;
  private final String mappingName;

  /** Whether the cache has only the objects of this replica. */
  private final boolean isOfShard;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private Informers.@Nullable Lease<T> lease;

  @GuardedBy("lock")
  private @Nullable ResourceEventHandlerRegistration registration;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Creates a source.
   *
   * @param primary makes the request for an object that the controller reconciles; null if the
   *     objects are not of that kind
   * @param isOfShard whether its cache has only the objects of this replica
   */
  public KindSource(
      ResourceType<T> type,
      Predicate<T> predicate,
      Function<T, Collection<R>> map,
      Function<DeletedObject<T>, Collection<R>> mapDeleted,
      @Nullable Function<ObjectName, R> primary,
      boolean isOfShard,
      RequestIntake<R> intake,
      CallbackGuard callbacks) {
    this.type = type;
    this.predicate = predicate;
    this.map = map;
    this.mapDeleted = mapDeleted;
    this.primary = primary;
    this.intake = intake;
    this.callbacks = callbacks;
    this.predicateName = "The predicate of " + type;
    this.mappingName = "The mapping of " + type;
    this.isOfShard = isOfShard;
  }

  /** Begins to pass on events. The informer starts if no other controller has started it. */
  public void start(Informers informers, String controller) throws InterruptedException {
    Informers.Lease<T> acquired =
        isOfShard ? informers.acquireShard(type) : informers.acquire(type);
    lock.lock();
    try {
      if (!closed) {
        lease = acquired;
        registration =
            acquired
                .informer()
                .addEventHandler(
                    this, HandlerOptions.builder().name("controller " + controller).build());
        return;
      }
    } finally {
      lock.unlock();
    }
    acquired.close(); // Closed meanwhile.
  }

  /** Returns whether this watches that type. */
  public boolean isOf(ResourceType<?> other) {
    return type.resource().equals(other.resource()) && type.codec().equals(other.codec());
  }

  /** Returns whether the objects are those that the controller reconciles. */
  public boolean isPrimary() {
    return primary != null;
  }

  /** Waits until the queue has the requests for all objects that exist. */
  public boolean awaitSynced(Duration timeout) throws InterruptedException {
    if (!requireStarted().hasSyncedChecker().await(timeout)) {
      return false;
    }
    Informers.Lease<T> current = lease();
    return current == null
        || current.informer().awaitShard(timeout)
        || current.informer().health().lastError().isEmpty(); // The slots change all the time.
  }

  /** Returns whether the queue has had the requests for all objects that existed. */
  public boolean isSynced() {
    lock.lock();
    try {
      return registration != null && registration.hasSynced();
    } finally {
      lock.unlock();
    }
  }

  private ResourceEventHandlerRegistration requireStarted() {
    lock.lock();
    try {
      return requireNonNull(registration, "registration");
    } finally {
      lock.unlock();
    }
  }

  private Informers.@Nullable Lease<T> lease() {
    lock.lock();
    try {
      return lease;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the uid of an object of the cache; empty if it has none of that name. */
  public Optional<String> uidOf(ObjectName name) {
    Informers.Lease<T> current = lease();
    return current == null
        ? Optional.empty()
        : current
            .informer()
            .indexer()
            .getByKey(name.toString())
            .map(object -> object.metadata().uid());
  }

  /**
   * Passes on the objects of the cache with these uids, as if they were new. They are as urgent as
   * changes, because they may have changed while no replica looked after them. With the priority of
   * a first list, objects that change all the time could starve them.
   */
  public void passAgain(java.util.function.Predicate<String> uids) {
    Informers.Lease<T> current = lease();
    if (current == null) {
      return;
    }
    Throwable last = null;
    for (T object : current.informer().indexer().list()) {
      String uid = object.metadata().uid();
      if (uid != null && uids.test(uid)) {
        try {
          onAdd(object, /* isInInitialList= */ false);
        } catch (Throwable e) { // The other objects do not wait for this one.
          last = e;
        }
      }
    }
    if (last != null) {
      throw new IllegalStateException("an object of a slot was not passed on: " + type, last);
    }
  }

  /** Returns why this is not synced, and what to do. */
  public String problem() {
    Informers.Lease<T> current = lease();
    if (current == null) {
      return type + " (not started)";
    }
    return CacheProblem.of(type, current.informer().health());
  }

  /** Stops to pass on events; ends the informer if nothing else uses it. */
  public void close() {
    Informers.Lease<T> current;
    lock.lock();
    try {
      closed = true;
      current = lease;
      if (current != null && registration != null) {
        current.informer().removeEventHandler(registration);
      }
      lease = null;
    } finally {
      lock.unlock();
    }
    if (current != null) {
      current.close();
    }
    callbacks.forget(predicateName);
    callbacks.forget(mappingName);
  }

  // ---- events

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    pass(
        isInInitialList ? EventType.INITIAL_LIST : EventType.ADDED,
        null,
        object,
        () -> predicate.onAdd(object),
        List.of(() -> map.apply(object)),
        () -> ObjectName.of(object));
  }

  @Override
  public void onUpdate(T before, T after) {
    if (!Objects.equals(before.metadata().uid(), after.metadata().uid())) {
      // A relist has missed the deletion and the creation. As one update, a predicate such as
      // generationChanged would keep it out.
      onDelete(DeletedObject.ofUnknownFinalState(ObjectName.of(before).toString(), before));
      onAdd(after, /* isInInitialList= */ false);
      return;
    }
    boolean unchanged =
        Objects.equals(before.metadata().resourceVersion(), after.metadata().resourceVersion());
    boolean passed =
        pass(
            unchanged ? EventType.RESYNC : EventType.UPDATED,
            before,
            after,
            () -> predicate.onUpdate(before, after),
            unchanged
                ? List.of(() -> map.apply(after))
                : List.of(() -> map.apply(before), () -> map.apply(after)),
            () -> ObjectName.of(after));
    intake.updated(type, before, after, passed);
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    if (deleted.leftShard()) {
      return; // It exists, and another replica has it.
    }
    T last = deleted.lastKnown();
    if (primary != null && last != null) {
      intake.deleted(primary.apply(deleted.objectName()), last);
    }
    pass(
        EventType.DELETED,
        last,
        null,
        () -> last == null || predicate.onDelete(last),
        List.of(() -> mapDeleted.apply(deleted)),
        deleted::objectName);
  }

  /**
   * Adds the requests of an event. An event passes a predicate that fails.
   *
   * @return whether there are any
   */
  private boolean pass(
      EventType event,
      @Nullable T before,
      @Nullable T after,
      BooleanSupplier passes,
      List<Supplier<Collection<R>>> mappings,
      Supplier<ObjectName> object) {
    if (!callbacks.call(predicateName, object, true, passes::getAsBoolean)) {
      return false;
    }
    Set<R> requests = new LinkedHashSet<>();
    for (Supplier<Collection<R>> mapping : mappings) {
      requests.addAll(
          callbacks.call(mappingName, object, Set.of(), () -> List.copyOf(mapping.get())));
    }
    return !requests.isEmpty() && intake.add(requests, event, type, object.get(), before, after);
  }

  @Override
  public String toString() {
    return type.toString();
  }
}
