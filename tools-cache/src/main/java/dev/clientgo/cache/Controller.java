package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.Delta.Bookmark;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ObjectDelta;
import dev.clientgo.cache.Delta.Replaced;
import dev.clientgo.cache.Delta.ReplacedAll;
import dev.clientgo.cache.Delta.Upserted;
import dev.clientgo.cache.ProcessorListener.Notification;
import dev.clientgo.cache.Queue.DeltaProcessor;
import dev.clientgo.cache.ThreadSafeStore.Change;
import dev.clientgo.cache.internal.errors.OmittedTracker;
import dev.clientgo.cache.internal.reflector.ErrorReporter;
import dev.clientgo.cache.internal.threads.OwnedThread;
import dev.clientgo.cache.internal.threads.SerialTask;
import dev.clientgo.cache.internal.threads.SharedThreads;
import dev.clientgo.cache.internal.threads.VersionSignal;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects the queue of an informer to the store and the handlers. One thread runs the {@link
 * Reflector}, which fills the queue. A task takes deltas from the queue, applies them to the store
 * and notifies the handlers; it needs a thread only while there are deltas.
 *
 * <p>The store always changes first. So when a handler receives a change, readers of the store see
 * that change or a newer one. The old state in the store decides the notification: if the store has
 * the object, it is updated, else it is added.
 *
 * <p>Corresponds to client-go's {@code tools/cache.Controller}.
 *
 * @param <T> the type of the objects
 */
final class Controller<T extends KubernetesObject> {

  private static final Logger LOG = System.getLogger(Controller.class.getName());

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Reflector<T> reflector;
  private final DeltaQueue<T> queue;
  private final ThreadSafeStore<T> store;
  private final Consumer<List<Notification<T>>> handlers;
  private final Runnable sourceHasSynced;
  private final VersionSignal storeVersion;
  private final InformerMetrics metrics;
  private final Clock clock;
  private final @Nullable InformerObserver<T> observer;

  /** Held while deltas are processed. Corresponds to client-go's {@code blockDeltas}. */
  private final ReentrantLock deltas = new ReentrantLock();

  private final OmittedTracker refused;

  private volatile boolean closed;
  private volatile @Nullable OwnedThread reader;
  private volatile @Nullable SerialTask processing;

  /** Only for the task that processes: whether the handlers were notified of it. */
  private boolean synced;

  /**
   * Creates an instance.
   *
   * @param handlers receives the notifications for the handlers, in order: {@link
   *     SharedProcessor#distribute}
   * @param sourceHasSynced called once, when the handlers have the whole first list
   * @param storeVersion notified each time the store may have changed
   */
  Controller(
      Reflector<T> reflector,
      DeltaQueue<T> queue,
      ThreadSafeStore<T> store,
      Consumer<List<Notification<T>>> handlers,
      Runnable sourceHasSynced,
      VersionSignal storeVersion) {
    this.reflector = reflector;
    this.queue = queue;
    this.store = store;
    this.handlers = handlers;
    this.sourceHasSynced = sourceHasSynced;
    this.storeVersion = storeVersion;
    this.metrics = reflector.metrics();
    this.clock = reflector.clock();
    this.observer = reflector.observer();
    this.refused = reflector.health().refused();
  }

  Reflector<T> reflector() {
    return reflector;
  }

  // ---- threads

  /** Starts to read the collection. */
  void start(SharedThreads threads) {
    String processor = reflector.name() + " processor";
    SerialTask task = threads.task(processor, () -> processAll(processor));
    processing = task;
    queue.consumer(task::wake);
    String name = reflector.name() + " reflector";
    reader = threads.start(name, () -> read(name));
  }

  private boolean isOpen() {
    return !closed && !clock.isStopped();
  }

  /** Runs the Reflector until this is closed. */
  private void read(String thread) {
    while (isOpen()) {
      attempt(
          thread,
          () -> {
            reflector.run();
            return true;
          });
    }
  }

  /** Processes what is in the queue, and returns when it is empty. */
  private void processAll(String thread) {
    boolean more;
    do {
      more = attempt(thread, this::processNext);
    } while (isOpen() && more);
  }

  /**
   * Runs a body. If it fails, logs that and waits for a second; the caller continues. Otherwise the
   * informer would silently stop after an Error, or after an interrupt flag that a user's function
   * sets by mistake.
   *
   * @return what the body returns, true if it fails
   */
  private boolean attempt(String thread, Callable<Boolean> body) {
    try {
      return body.call();
    } catch (InterruptedException e) {
      survive(thread, e);
    } catch (Throwable t) {
      survive(thread, t);
    }
    return true;
  }

  private void survive(String thread, Throwable failure) {
    if (isOpen()) {
      CrashLog.log(
          LOG,
          Level.ERROR,
          "A thread of an informer failed and continues after a second: thread=" + thread,
          failure);
      pause();
    }
  }

  private void pause() {
    try {
      clock.sleep(PAUSE);
    } catch (InterruptedException e) {
      // Either this is closed, which isOpen() shows, or the flag was set by mistake again.
      LOG.log(Level.TRACE, () -> "Interrupted: informer=" + reflector.name(), e);
    }
  }

  /** Makes the threads end, and returns those that have not ended yet. */
  List<OwnedThread> close() {
    closed = true;
    reflector.stop();
    queue.close();
    List<OwnedThread> running = new ArrayList<>();
    OwnedThread reading = reader;
    if (reading != null) {
      running.add(reading);
    }
    SerialTask task = processing;
    if (task != null) {
      task.stop().ifPresent(running::add);
    }
    running.forEach(OwnedThread::interrupt);
    return running;
  }

  // ---- from the queue to the store and the handlers

  /** Processes one delta or a batch, if there is one; returns whether there may be more. */
  boolean processNext() throws InterruptedException {
    boolean more = true;
    try {
      more =
          queue.pollBatch(
              recordingErrors(this::processDeltasInBatch), recordingErrors(this::processDeltas));
    } catch (RuntimeException e) {
      // The deltas that failed are no longer in the queue, so the rest can be processed.
      reflector.errors().report(e);
    }
    // Also if the first list was empty and has left nothing in the queue.
    processed();
    return more;
  }

  private void processed() {
    metrics.storeResourceVersion(store.lastStoreSyncResourceVersion());
    storeVersion.moved();
    if (!synced && queue.hasSynced()) {
      sourceHasSynced.run();
      synced = true;
    }
  }

  /**
   * Returns a processor that records an error in the health of the informer before the queue
   * reports that the informer is synced. The error handler is called later, when the lock of the
   * queue is free.
   */
  private DeltaProcessor<T> recordingErrors(DeltaProcessor<T> processor) {
    return (changes, isInInitialList) -> {
      try {
        processor.process(changes, isInInitialList);
      } catch (RuntimeException | Error e) {
        reflector.health().failed(ErrorReporter.reportable(e));
        throw e;
      }
    };
  }

  /**
   * Processes deltas one by one.
   *
   * @throws TransactionException if the store refuses an object, because an index function fails on
   *     it. The store then keeps the old state, and the handlers are not notified.
   */
  void processDeltas(List<Delta<T>> oneByOne, boolean isInInitialList) {
    deltas.lock();
    try {
      for (Delta<T> delta : oneByOne) {
        switch (delta.type()) {
          case ADDED, UPDATED, DELETED, REPLACED, SYNC ->
              apply(List.of((ObjectDelta<T>) delta), isInInitialList);
          case REPLACED_ALL -> processList((ReplacedAll<T>) delta, isInInitialList);
          case SYNC_ALL -> processSyncAll();
          case BOOKMARK -> store.bookmark(((Bookmark<T>) delta).resourceVersion());
        }
      }
    } finally {
      deltas.unlock();
    }
  }

  /**
   * Processes deltas of different objects together.
   *
   * @throws TransactionException if the store refuses some of the objects; the others are stored
   */
  void processDeltasInBatch(List<Delta<T>> batch, boolean isInInitialList) {
    List<ObjectDelta<T>> changes = new ArrayList<>(batch.size());
    for (Delta<T> delta : batch) {
      if (!(delta instanceof ObjectDelta<T> change)) {
        throw new IllegalArgumentException(delta.type() + " cannot be processed in a batch");
      }
      changes.add(change);
    }
    deltas.lock();
    try {
      apply(changes, isInInitialList);
    } finally {
      deltas.unlock();
    }
  }

  /** Runs an action while no delta is processed, so the store and the handlers agree. */
  <R> R withDeltasBlocked(Supplier<R> action) {
    deltas.lock();
    try {
      return action.get();
    } finally {
      deltas.unlock();
    }
  }

  private void apply(List<ObjectDelta<T>> changes, boolean isInInitialList) {
    apply(changes, Controller::change, isInInitialList);
  }

  private void apply(
      List<ObjectDelta<T>> changes,
      Function<ObjectDelta<T>, Change<T>> toChange,
      boolean isInInitialList) {
    List<Notification<T>> notifications = new ArrayList<>(changes.size());
    try {
      store.apply(
          changes.stream().map(toChange).toList(),
          (i, old) -> {
            ObjectDelta<T> delta = changes.get(i);
            observeStored(delta, old);
            notification(delta, old, isInInitialList).ifPresent(notifications::add);
            if (!refused.isEmpty()) {
              refused.resolved(delta.key());
            }
          });
    } catch (TransactionException e) {
      e.failures().forEach((i, failure) -> refused.omitted(changes.get(i).key(), failure));
      handlers.accept(notifications);
      throw e;
    }
    handlers.accept(notifications);
  }

  private void observeStored(ObjectDelta<T> delta, @Nullable T old) {
    if (observer != null) {
      T now = delta instanceof Upserted<T> upserted ? upserted.value() : null;
      observer.stored(delta.key(), old, now);
    }
  }

  private static <T> Change<T> change(ObjectDelta<T> delta) {
    if (delta instanceof Upserted<T> upserted) {
      return Change.put(upserted.key(), upserted.value());
    }
    DeletedObject<T> deleted = ((Deleted<T>) delta).deleted();
    T last = deleted.lastKnown();
    return last == null || deleted.finalStateUnknown()
        ? Change.deleteByKey(deleted.key())
        : Change.delete(deleted.key(), last);
  }

  /**
   * Returns the notification of a change.
   *
   * @param old the state in the store before the change, null if there was none
   * @return none for the deletion of an object whose state is unknown, which handlers never saw
   */
  private static <T> Optional<Notification<T>> notification(
      ObjectDelta<T> delta, @Nullable T old, boolean isInInitialList) {
    if (delta instanceof Upserted<T> upserted) {
      T object = upserted.value();
      return Optional.of(
          old == null
              ? new Notification.Added<>(object, isInInitialList)
              : new Notification.Updated<>(old, object));
    }
    DeletedObject<T> deleted = ((Deleted<T>) delta).deleted();
    if (deleted.lastKnown() != null) {
      return Optional.of(new Notification.Deleted<>(deleted));
    }
    return Optional.ofNullable(old)
        .map(last -> DeletedObject.ofUnknownFinalState(deleted.key(), last))
        .map(Notification.Deleted::new);
  }

  private void processList(ReplacedAll<T> list, boolean isInInitialList) {
    try {
      processReplacedAll(list, isInInitialList);
    } finally {
      reflector.shard().show(list.shard());
    }
  }

  /** Replaces the content of the store by a list, and notifies the handlers of the difference. */
  private void processReplacedAll(ReplacedAll<T> list, boolean isInInitialList) {
    if (list.kept().isNothing()) {
      refused.clear(); // All of them are tried again, unlike with a list of a part.
    }
    IndexSnapshot<T> before = store.snapshot();
    Map<String, T> content = withKept(list, before);
    List<ObjectDelta<T>> changes = new ArrayList<>(content.size());
    for (String key : before.listKeys()) {
      if (!content.containsKey(key)) {
        changes.add(new Deleted<>(missing(key, list.shard(), before)));
      }
    }
    list.objects().forEach((key, object) -> changes.add(new Replaced<>(key, object)));
    List<Notification<T>> notifications = new ArrayList<>(changes.size());
    for (ObjectDelta<T> delta : changes) {
      notification(delta, before.get(delta.key()), isInInitialList).ifPresent(notifications::add);
    }
    try {
      store.replace(content, list.resourceVersion());
    } catch (IllegalStateException e) {
      // Unlike client-go, which panics: an index function fails on some objects. Applied one by
      // one, the others reach the store. Its version stays until then, and never goes back.
      try {
        apply(changes, delta -> change(delta).withoutVersion(), isInInitialList);
      } finally {
        store.bookmark(list.resourceVersion());
      }
      return;
    }
    if (observer != null) {
      changes.forEach(delta -> observeStored(delta, before.get(delta.key())));
    }
    handlers.accept(notifications);
  }

  /** Returns an object that a list lacks: it was deleted, or belongs to another shard now. */
  private static <T extends KubernetesObject> DeletedObject<T> missing(
      String key, ShardSelector shard, IndexSnapshot<T> before) {
    T last = before.get(key);
    return last == null || shard.matches(last)
        ? DeletedObject.ofUnknownFinalState(key, null)
        : DeletedObject.ofOtherShard(key, last);
  }

  /**
   * Returns the list, the last known state of each object in it that could not be read, and the
   * objects that it leaves as they are.
   */
  private static <T extends KubernetesObject> Map<String, T> withKept(
      ReplacedAll<T> list, IndexSnapshot<T> before) {
    if (list.unreadable().isEmpty() && list.kept().isNothing()) {
      return list.objects();
    }
    Map<String, T> content = new HashMap<>(list.objects());
    if (!list.kept().isNothing()) {
      for (String key : before.listKeys()) {
        T object = before.get(key);
        if (object != null && list.kept().matches(object)) {
          content.putIfAbsent(key, object);
        }
      }
    }
    for (String key : list.unreadable()) {
      T last = before.get(key);
      if (last != null && list.shard().matches(last)) {
        content.putIfAbsent(key, last);
      }
    }
    return content;
  }

  private void processSyncAll() {
    List<Notification<T>> syncs = new ArrayList<>();
    store
        .snapshot()
        .list()
        .forEach(object -> syncs.add(new Notification.Updated<>(object, object)));
    handlers.accept(syncs);
  }
}
