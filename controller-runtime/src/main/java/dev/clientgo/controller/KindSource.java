package dev.clientgo.controller;

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
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kind of objects that a controller watches: passes their events through the predicate and the
 * mapping into the queue.
 *
 * <p>Corresponds to controller-runtime's {@code source.Kind}.
 *
 * @param <T> the type of the objects
 */
final class KindSource<T extends KubernetesObject> implements ResourceEventHandler<T> {

  private static final AddOptions NORMAL = AddOptions.create();
  private static final AddOptions LOW = NORMAL.priority(PriorityQueue.LOW_PRIORITY);

  private final ResourceType<T> type;
  private final MapFunction<T> map;
  private final Predicate<? super T> predicate;
  private final PriorityQueue<Request> queue;
  private final ControllerRecording<Request> recording;
  private final FightDetector fights;
  private final ReconcileLog log;

  /** Decides which requests belong to this replica; null if all do. */
  private final @Nullable RequestShards shards;

  /** Whether the objects are those that the controller reconciles. */
  private final boolean isPrimary;

  /** Whether the cache has only the objects of this replica. */
  private final boolean isOfShard;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private Informers.@Nullable Lease<T> lease;

  @GuardedBy("lock")
  private @Nullable ResourceEventHandlerRegistration registration;

  @GuardedBy("lock")
  private boolean closed;

  KindSource(
      ResourceType<T> type,
      MapFunction<T> map,
      Predicate<? super T> predicate,
      PriorityQueue<Request> queue,
      ControllerRecording<Request> recording,
      FightDetector fights,
      ReconcileLog log,
      @Nullable RequestShards shards,
      boolean isPrimary,
      boolean isOfShard) {
    this.type = type;
    this.map = map;
    this.predicate = predicate;
    this.queue = queue;
    this.recording = recording;
    this.fights = fights;
    this.log = log;
    this.shards = shards;
    this.isPrimary = isPrimary;
    this.isOfShard = isOfShard;
  }

  /** Begins to pass on events. The informer starts if no other controller has started it. */
  void start(Informers informers, String controller) throws InterruptedException {
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
  boolean isOf(ResourceType<?> other) {
    return type.resource().equals(other.resource()) && type.codec().equals(other.codec());
  }

  /** Returns whether the objects are those that the controller reconciles. */
  boolean isPrimary() {
    return isPrimary;
  }

  /** Waits until the queue has the requests for all objects that exist. */
  boolean awaitSynced(Duration timeout) throws InterruptedException {
    return requireStarted().hasSyncedChecker().await(timeout);
  }

  /** Returns whether the queue has had the requests for all objects that existed. */
  boolean isSynced() {
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
  Optional<String> uidOf(Request request) {
    Informers.Lease<T> current = lease();
    return current == null
        ? Optional.empty()
        : current
            .informer()
            .indexer()
            .getByKey(request.objectName().toString())
            .map(object -> object.metadata().uid());
  }

  /**
   * Passes on the objects of the cache with these uids, as if they were new. They are as urgent as
   * changes, because they may have changed while no replica looked after them. With the priority of
   * a first list, objects that change all the time could keep them waiting for ever.
   */
  void passAgain(java.util.function.Predicate<String> uids) {
    Informers.Lease<T> current = lease();
    if (current == null) {
      return;
    }
    for (T object : current.informer().indexer().list()) {
      String uid = object.metadata().uid();
      if (uid != null && uids.test(uid)) {
        onAdd(object, /* isInInitialList= */ false);
      }
    }
  }

  /** Returns why this is not synced, and what to do. */
  String problem() {
    Informers.Lease<T> current = lease();
    if (current == null) {
      return type + " (not started)";
    }
    return CacheProblem.of(type, current.informer().health());
  }

  /** Stops to pass on events; ends the informer if nothing else uses it. */
  void close() {
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
  }

  // ---- events

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    pass(
        isInInitialList ? EventType.INITIAL_LIST : EventType.ADDED,
        null,
        object,
        () -> predicate.onAdd(object),
        List.of(() -> map.map(object)),
        () -> ObjectName.of(object));
  }

  @Override
  public void onUpdate(T before, T after) {
    boolean unchanged =
        Objects.equals(before.metadata().resourceVersion(), after.metadata().resourceVersion());
    boolean passed =
        pass(
            unchanged ? EventType.RESYNC : EventType.UPDATED,
            before,
            after,
            () -> predicate.onUpdate(before, after),
            unchanged
                ? List.of(() -> map.map(after))
                : List.of(() -> map.map(before), () -> map.map(after)),
            () -> ObjectName.of(after));
    fights.updated(type, before, after, passed);
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    if (deleted.leftShard()) {
      return; // It exists, and another replica has it.
    }
    T last = deleted.lastKnown();
    if (shards != null && isPrimary && last != null) {
      shards.deleted(Request.of(deleted.objectName()), last);
    }
    pass(
        EventType.DELETED,
        last,
        null,
        () -> last == null || predicate.onDelete(last),
        List.of(() -> map.mapDeleted(deleted)),
        deleted::objectName);
  }

  /**
   * Adds the requests of an event. Exceptions of user functions are logged.
   *
   * @return whether there are any
   */
  private boolean pass(
      EventType event,
      @Nullable T before,
      @Nullable T after,
      BooleanSupplier passes,
      List<Supplier<Collection<Request>>> mappings,
      Supplier<ObjectName> object) {
    try {
      if (!passes.getAsBoolean()) {
        return false;
      }
    } catch (RuntimeException e) {
      log.eventFailed(type.toString(), object.get().toString(), e);
    }
    Set<Request> requests = new LinkedHashSet<>();
    for (Supplier<Collection<Request>> mapping : mappings) {
      try {
        requests.addAll(mapping.get());
      } catch (RuntimeException e) {
        log.eventFailed(type.toString(), object.get().toString(), e);
      }
    }
    if (shards != null) {
      requests.removeIf(request -> !shards.admits(request));
    }
    if (!requests.isEmpty()) {
      recording.event(requests, event, type, object.get(), before, after);
      boolean urgent = event != EventType.INITIAL_LIST && event != EventType.RESYNC;
      queue.addAll(requests, urgent ? NORMAL : LOW);
    }
    return !requests.isEmpty();
  }

  @Override
  public String toString() {
    return type.toString();
  }
}
