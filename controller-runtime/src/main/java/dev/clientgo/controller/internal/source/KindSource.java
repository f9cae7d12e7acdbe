package dev.clientgo.controller.internal.source;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.internal.cache.CacheUse;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.cache.UnionUse;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.scope.Scope;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
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

  /**
   * Makes requests of what an event is about.
   *
   * @param <A> what the event is about
   * @param <R> the type of the requests
   */
  @FunctionalInterface
  public interface Mapping<A, R> {
    Collection<R> map(A from) throws InterruptedException;
  }

  /** The longest time between two calls of a mapping whose read fails. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final ResourceType<T> type;
  private final Scope scope;
  private final Predicate<T> predicate;
  private final Mapping<T, R> map;
  private final Mapping<DeletedObject<T>, R> mapDeleted;

  /** Whether an error of a mapping is that of a read, which may succeed later. */
  private final java.util.function.Predicate<Throwable> isFailedRead;

  /** Names the objects, if they are those that the controller reconciles; null otherwise. */
  private final @Nullable Function<ObjectName, R> primary;

  private final RequestIntake<R> intake;
  private final CallbackGuard callbacks;
  private final String predicateName;
  private final String mappingName;

  /** Whether the cache has only the objects of this replica. */
  private final boolean isOfShard;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when this is closed. */
  private final Condition ended;

  /** Null before the start and after the end; the lock guards changes. */
  private volatile @Nullable CacheUse<T> cache;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Creates a source.
   *
   * @param scope the objects that it watches
   * @param isFailedRead whether an error of a mapping is that of a read, which may succeed later
   * @param primary makes the request for an object that the controller reconciles; null if the
   *     objects are not of that kind
   * @param isOfShard whether its cache has only the objects of this replica
   */
  public KindSource(
      ResourceType<T> type,
      Scope scope,
      Predicate<T> predicate,
      Mapping<T, R> map,
      Mapping<DeletedObject<T>, R> mapDeleted,
      java.util.function.Predicate<Throwable> isFailedRead,
      @Nullable Function<ObjectName, R> primary,
      boolean isOfShard,
      RequestIntake<R> intake,
      CallbackGuard callbacks,
      Clock clock) {
    this.type = type;
    this.scope = scope;
    this.predicate = predicate;
    this.map = map;
    this.mapDeleted = mapDeleted;
    this.isFailedRead = isFailedRead;
    this.primary = primary;
    this.intake = intake;
    this.callbacks = callbacks;
    this.predicateName = "The predicate of " + type;
    this.mappingName = "The mapping of " + type;
    this.isOfShard = isOfShard;
    this.clock = clock;
    this.ended = clock.newCondition(lock);
  }

  /** Begins to pass on events. The informers start if no other controller has started them. */
  public void start(Informers informers, String controller) throws InterruptedException {
    CacheUse<T> acquired = UnionUse.acquire(informers, type, scope, isOfShard, /* byRead= */ false);
    lock.lock();
    try {
      if (!closed) {
        cache = acquired;
        acquired.handle(this, "controller " + controller);
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
    CacheUse<T> current = requireNonNull(cache, "cache");
    return current.awaitHandled(timeout) && current.awaitShard(timeout);
  }

  /** Returns whether the queue has had the requests for all objects that existed. */
  public boolean isSynced() {
    CacheUse<T> current = cache;
    return current != null && current.isHandled();
  }

  /** Returns the uid of an object of the cache; empty if it has none of that name. */
  public Optional<String> uidOf(ObjectName name) {
    CacheUse<T> current = cache;
    return current == null
        ? Optional.empty()
        : current.delivered().getByKey(name.toString()).map(object -> object.metadata().uid());
  }

  /** Returns whether the server has an object that the cache should have. */
  public boolean existsOnServer(ObjectName name) throws InterruptedException {
    CacheUse<T> current = cache;
    return current != null && current.lookUp(name).isPresent();
  }

  /** Returns whether the cache can have objects of a namespace. */
  public boolean hasNamespace(String namespace) {
    CacheUse<T> current = cache;
    return current != null && current.scope().hasNamespace(namespace);
  }

  /**
   * Passes on the objects of the cache with these uids, as if they were new. They are as urgent as
   * changes, because they may have changed while no replica looked after them. With the priority of
   * a first list, objects that change all the time could starve them.
   */
  public void passAgain(java.util.function.Predicate<String> uids) {
    CacheUse<T> current = cache;
    if (current == null) {
      return;
    }
    Throwable last = null;
    for (T object : current.delivered().list()) {
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
    CacheUse<T> current = cache;
    return current == null ? type + " (not started)" : current.problem();
  }

  /** Returns which of several informers are not synced, while the controller runs without them. */
  public Optional<String> missingParts() {
    CacheUse<T> current = cache;
    return current == null ? Optional.empty() : current.missingParts();
  }

  /** Stops passing on events; ends the informers if nothing else uses them. */
  public void close() {
    CacheUse<T> current;
    lock.lock();
    try {
      closed = true;
      current = cache;
      cache = null;
      ended.signalAll();
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
        List.of(() -> map.map(object)),
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
                ? List.of(() -> map.map(after))
                : List.of(() -> map.map(before), () -> map.map(after)),
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
        List.of(() -> mapDeleted.map(deleted)),
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
      List<Callable<Collection<R>>> mappings,
      Supplier<ObjectName> object) {
    if (!callbacks.call(predicateName, object, true, passes::getAsBoolean)) {
      return false;
    }
    Set<R> requests = new LinkedHashSet<>();
    for (Callable<Collection<R>> mapping : mappings) {
      requests.addAll(requestsOf(object, mapping));
    }
    return !requests.isEmpty() && intake.add(requests, event, type, object.get(), before, after);
  }

  /**
   * Calls a mapping, and again if a read of it fails: after a second, twice as long each time, a
   * minute at most. The later events of the kind wait for it, as they would for a slow mapping.
   */
  private Collection<R> requestsOf(Supplier<ObjectName> object, Callable<Collection<R>> mapping) {
    AtomicBoolean again = new AtomicBoolean();
    Duration pause = CallbackGuard.PAUSE;
    String name = mappingName;
    while (true) {
      again.set(false);
      Collection<R> requests = callbacks.call(name, object, Set.of(), () -> mapped(mapping, again));
      if (!again.get() || !pause(pause)) {
        if (!name.equals(mappingName)) {
          callbacks.forget(name);
        }
        return requests;
      }
      // Counted apart: a success in another namespace does not help the events that wait here.
      name = object.get() + ": " + mappingName;
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private Collection<R> mapped(Callable<Collection<R>> mapping, AtomicBoolean again)
      throws Exception {
    try {
      return List.copyOf(mapping.call());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The informer ends.
      return List.of();
    } catch (RuntimeException e) {
      again.set(isFailedRead.test(e));
      throw e;
    }
  }

  /** Waits; returns false if this is closed before the time is up. */
  private boolean pause(Duration time) {
    Deadline deadline = clock.deadline(time);
    lock.lock();
    try {
      while (!closed && deadline.await(lock, ended)) {}
      return !closed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The informer ends.
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return type.toString();
  }
}
