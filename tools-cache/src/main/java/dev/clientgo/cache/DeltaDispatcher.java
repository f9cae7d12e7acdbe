package dev.clientgo.cache;

import dev.clientgo.cache.Delta.Bookmark;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ReplacedAll;
import dev.clientgo.cache.Delta.SyncAll;
import dev.clientgo.cache.Delta.Upserted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Applies deltas to the store, and finds out from what the store had what there is to tell the
 * handlers: an object that the store has is updated, another is new.
 *
 * <p>The store is always changed first. So when a handler hears of a change, readers see it, or
 * already something newer. What one delta or one batch leads to is handed over at once.
 *
 * <p>For one thread, the only one that changes the store. Corresponds to client-go's {@code
 * processDeltas}, {@code processDeltasInBatch} and {@code processReplacedAllInfo}.
 *
 * @param <T> the type of the objects
 */
final class DeltaDispatcher<T> implements DeltaProcessor<T> {

  /** Held while a delta is processed. Corresponds to client-go's {@code blockDeltas}. */
  private final ReentrantLock lock = new ReentrantLock();

  private final KeyFunction<? super T> keyFunction;
  private final Indexer<T> store;
  private final Consumer<List<Notification<T>>> handlers;
  private final OmittedObjectTracker omitted = new OmittedObjectTracker();

  /**
   * Creates an instance.
   *
   * @param handlers takes what there is to tell, in order
   */
  DeltaDispatcher(
      KeyFunction<? super T> keyFunction,
      Indexer<T> store,
      Consumer<List<Notification<T>>> handlers) {
    this.keyFunction = keyFunction;
    this.store = store;
    this.handlers = handlers;
  }

  /** A change of the store, and what to tell the handlers once it is made. */
  private record Step<T>(String key, Transaction<T> change, Notification<T> notification) {}

  /** Returns the objects that the store refused, because an index function failed on them. */
  OmittedObjectTracker omitted() {
    return omitted;
  }

  /**
   * Applies deltas one by one.
   *
   * @throws TransactionException if the store refuses an object, because an index function fails on
   *     it. The store then keeps what it had under that key, and the handlers are not told.
   */
  @Override
  public void process(List<Delta<T>> deltas, boolean isInInitialList) {
    lock.lock();
    try {
      Application application = new Application(isInInitialList);
      for (Delta<T> delta : deltas) {
        delta.match(application).run();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies deltas in one go, each of another object.
   *
   * @throws TransactionException if the store refuses some of the objects; the others are applied
   */
  void processBatch(List<Delta<T>> deltas, boolean isInInitialList) {
    lock.lock();
    try {
      apply(steps(deltas, isInInitialList));
    } finally {
      lock.unlock();
    }
  }

  /** Runs an action while no delta is being processed: the store and the handlers agree. */
  void between(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private List<Step<T>> steps(List<Delta<T>> deltas, boolean isInInitialList) {
    List<Step<T>> steps = new ArrayList<>(deltas.size());
    for (Delta<T> delta : deltas) {
      if (delta instanceof Upserted<T> upserted) {
        steps.add(upsert(upserted.key(), upserted.object(), isInInitialList));
      } else if (delta instanceof Deleted<T> deleted) {
        delete(deleted.deleted()).ifPresent(steps::add);
      } else {
        throw new IllegalArgumentException(delta.type() + " cannot be processed in a batch");
      }
    }
    return steps;
  }

  /** What is to be done for each type of delta. */
  private final class Application implements Delta.Cases<T, Runnable> {

    private final boolean isInInitialList;

    Application(boolean isInInitialList) {
      this.isInInitialList = isInInitialList;
    }

    @Override
    public Runnable upserted(Upserted<T> delta) {
      return () -> apply(List.of(upsert(delta.key(), delta.object(), isInInitialList)));
    }

    @Override
    public Runnable deleted(Deleted<T> delta) {
      return () -> delete(delta.deleted()).ifPresent(step -> apply(List.of(step)));
    }

    @Override
    public Runnable replacedAll(ReplacedAll<T> delta) {
      return () -> replace(delta, isInInitialList);
    }

    @Override
    public Runnable syncAll(SyncAll<T> delta) {
      return DeltaDispatcher.this::syncAll;
    }

    @Override
    public Runnable bookmark(Bookmark<T> delta) {
      return () -> store.bookmark(delta.resourceVersion());
    }
  }

  private void syncAll() {
    List<Notification<T>> syncs = new ArrayList<>();
    store.list().forEach(object -> syncs.add(new Notification.Updated<>(object, object)));
    handlers.accept(syncs);
  }

  private void replace(ReplacedAll<T> all, boolean isInInitialList) {
    List<Step<T>> steps = difference(all, isInInitialList);
    omitted.clear();
    try {
      store.replace(all.objects(), all.unreadable(), all.resourceVersion());
    } catch (RuntimeException e) {
      // Unlike client-go, which panics: an index function fails on some object. One at a time, the
      // others go in.
      try {
        apply(steps);
      } finally {
        store.bookmark(all.resourceVersion());
      }
      return;
    }
    tell(steps);
  }

  /** Returns the steps from the store to the list: first what is gone, then the list in order. */
  private List<Step<T>> difference(ReplacedAll<T> all, boolean isInInitialList) {
    List<Step<T>> upserts = new ArrayList<>(all.objects().size());
    Set<String> keys = new HashSet<>(all.unreadable());
    for (T object : all.objects()) {
      String key = KeyException.keyOf(keyFunction, object);
      keys.add(key);
      upserts.add(upsert(key, object, isInInitialList));
    }
    List<Step<T>> steps = new ArrayList<>(upserts.size());
    for (String key : store.listKeys()) {
      if (!keys.contains(key)) {
        delete(DeletedObject.ofUnknownFinalState(key, null)).ifPresent(steps::add);
      }
    }
    steps.addAll(upserts);
    return steps;
  }

  private Step<T> upsert(String key, T object, boolean isInInitialList) {
    Transaction<T> change = new Transaction.Put<>(object);
    Optional<T> old = store.getByKey(key);
    return old.isPresent()
        ? new Step<>(key, change, new Notification.Updated<>(old.get(), object))
        : new Step<>(key, change, new Notification.Added<>(object, isInInitialList));
  }

  /** Returns nothing to do if no state of the object is known: then nobody has heard of it. */
  private Optional<Step<T>> delete(DeletedObject<T> deleted) {
    T object = deleted.object();
    String key = deleted.key();
    if (object != null && !deleted.finalStateUnknown()) {
      Transaction<T> change = new Transaction.Delete<>(object);
      return Optional.of(new Step<>(key, change, new Notification.Deleted<>(deleted)));
    }
    omitted.resolved(key);
    Optional<T> lastKnown = object != null ? Optional.of(object) : store.getByKey(key);
    return lastKnown.map(
        state ->
            new Step<>(
                key,
                new Transaction.DeleteByKey<>(key),
                new Notification.Deleted<>(DeletedObject.ofUnknownFinalState(key, state))));
  }

  private void apply(List<Step<T>> steps) {
    try {
      store.transaction(changes(steps));
    } catch (TransactionException e) {
      e.failures().forEach((i, failure) -> omitted.omitted(steps.get(i).key, failure));
      stored(e.successfulIndices().stream().map(steps::get).toList());
      throw e;
    }
    stored(steps);
  }

  private void stored(List<Step<T>> steps) {
    if (!omitted.isEmpty()) {
      steps.forEach(step -> omitted.resolved(step.key));
    }
    tell(steps);
  }

  private static <T> List<Transaction<T>> changes(List<Step<T>> steps) {
    List<Transaction<T>> changes = new ArrayList<>(steps.size());
    for (Step<T> step : steps) {
      changes.add(step.change);
    }
    return changes;
  }

  private void tell(List<Step<T>> steps) {
    List<Notification<T>> notifications = new ArrayList<>(steps.size());
    for (Step<T> step : steps) {
      notifications.add(step.notification);
    }
    handlers.accept(notifications);
  }
}
