package dev.clientgo.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.cache.internal.reflector.ReflectorShard;
import dev.clientgo.cache.internal.threads.OwnedThread;
import dev.clientgo.cache.internal.threads.VersionSignal;
import dev.clientgo.cache.metrics.InformerMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an informer, joined, with their threads: from the reader of the collection to the
 * cache and the handlers. It is started once and closed for good.
 *
 * <p>Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
final class InformerPipeline<T extends KubernetesObject> {

  private enum Lifecycle {
    CREATED,
    RUNNING,
    CLOSED
  }

  /*
   *   server ──► Reflector ──► RealFIFO ──► Controller ──► SharedProcessor ──► ProcessorListener ──► handler
   *             │ its own  │              │ a task:     │                   │ a task for each  │
   *             │ thread   │              │ changes the │                   │ handler          │
   *             │          │              │ Indexer     │                   │                  │
   *
   * A task has a thread, one of SharedThreads, only while it has something to do. So a quiet
   * informer holds one thread, which waits for the server.
   *
   * Locks, in the order in which they are taken:
   *
   *   lifecycle            of this class: its states, and adding and removing handlers
   *   Controller.deltas    held for one delta or one batch at a time, and while a handler is added.
   *                        So the handler receives the objects in the cache and then all
   *                        later changes, without a gap and without a repetition.
   *   SharedProcessor      the set of handlers
   *   the store's, a listener's: each for a moment only
   *   SharedThreads        to find a thread for a task
   *
   * If the queue is long, the controller's task holds the queue's lock before all these. No handler
   * is called with a lock held. Index functions run with the locks of that task held, so they must
   * not call the informer. Timers only put deltas into the queue and ask the SharedProcessor which
   * handlers are due for a resync.
   */

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.SharedIndexInformer");

  /** How long to wait for threads before handlers are interrupted. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** How long to wait for an interrupted handler before its thread is left running. */
  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(1);

  /**
   * What an informer is made of, with the defaults.
   *
   * <p>Corresponds to client-go's {@code tools/cache.Config}.
   */
  static final class Config<T extends KubernetesObject> {

    final ListerWatcher<T> listerWatcher;
    final Map<String, IndexFunction<? super T>> indexers = new LinkedHashMap<>();
    ReflectorOptions options = ReflectorOptions.defaults();
    @Nullable TransformFunction<T> transform;
    @Nullable GroupVersionKind expectedKind;
    WatchErrorHandler watchErrorHandler = WatchErrorHandler.logging();
    Duration resyncPeriod = Duration.ZERO;
    @Nullable Duration closeWhenMissing;
    boolean useDeltaFIFO;
    ShardSelector shard = ShardSelector.EVERYTHING;
    InformerMetrics metrics = InformerMetrics.NONE;
    @Nullable InformerObserver<T> observer;

    Config(ListerWatcher<T> listerWatcher) {
      this.listerWatcher = listerWatcher;
    }
  }

  final ReflectorOptions options;
  final InformerMetrics metrics;
  final @Nullable InformerObserver<T> observer;
  final Indexer<T> indexer;
  final DeltaQueue<T> queue;
  final SharedProcessor<T> processor;
  final Controller<T> controller;
  final ReflectorShard shard;
  final VersionSignal storeVersion;

  /** Taken before any other lock. */
  private final ReentrantLock lifecycle = new ReentrantLock();

  @GuardedBy("lifecycle")
  private Lifecycle state = Lifecycle.CREATED;

  /** Whether the shared threads are kept for this informer. */
  @GuardedBy("lifecycle")
  private boolean holdsThreads;

  InformerPipeline(Config<T> config) {
    options = config.options;
    metrics = config.metrics;
    observer = config.observer;
    shard = new ReflectorShard(options.name(), config.shard);
    KeyFunction<T> keyFunction = KeyFunction.metaNamespace();
    ThreadSafeStore<T> store = new ThreadSafeStore<>(keyFunction, config.indexers);
    indexer = store;
    queue = config.useDeltaFIFO ? newDeltaFIFO(keyFunction) : newRealFIFO(keyFunction);
    storeVersion = new VersionSignal(options.clock(), store::lastStoreSyncResourceVersion);
    processor = new SharedProcessor<>(config.resyncPeriod, options.clock(), options.threads());
    controller =
        new Controller<>(
            newReflector(config),
            queue,
            store,
            processor::distribute,
            processor::sourceHasSynced,
            storeVersion);
  }

  private DeltaQueue<T> newDeltaFIFO(KeyFunction<T> keyFunction) {
    return DeltaFIFO.<T>builder(keyFunction)
        .name("DeltaFIFO " + options.name())
        .clock(options.clock())
        .metrics(metrics)
        .observer(observer)
        .knownObjects(indexer)
        .build();
  }

  private DeltaQueue<T> newRealFIFO(KeyFunction<T> keyFunction) {
    return RealFIFO.<T>builder(keyFunction)
        .name("RealFIFO " + options.name())
        .clock(options.clock())
        .metrics(metrics)
        .observer(observer)
        .unlockWhileProcessing(true)
        .emitBookmarks(true)
        .shard(shard::reading)
        .build();
  }

  private Reflector<T> newReflector(Config<T> config) {
    Reflector.Builder<T> reflector =
        Reflector.builder(config.listerWatcher, queue)
            .options(options)
            .lastKnown(indexer)
            .watchErrorHandler(closing(config.watchErrorHandler, config.closeWhenMissing))
            .resync(processor::resyncCheckPeriod, processor::shouldResync)
            .metrics(metrics)
            .observer(observer)
            .shard(shard);
    if (config.transform != null) {
      reflector.transform(config.transform);
    }
    if (config.expectedKind != null) {
      reflector.expectedKind(config.expectedKind);
    }
    return reflector.build();
  }

  /**
   * Returns an error handler that also closes the informer if the client is closed, or if the
   * server has had no such resource for that time.
   */
  private WatchErrorHandler closing(WatchErrorHandler handler, @Nullable Duration whenMissing) {
    return (reflector, error) -> {
      try {
        handler.onError(reflector, error);
      } finally {
        if (ServerErrors.isClientClosed(error)) {
          close();
        } else if (whenMissing != null && reflector.health().isMissingFor(whenMissing)) {
          LOG.log(
              Level.WARNING,
              "The server has no such resource any more, the informer closes itself: informer={0}",
              options.name());
          close();
        }
      }
    };
  }

  // ---- lifecycle

  /** Starts the threads of an informer, unless it was started before. */
  void start(InformerObserver.Informer<T> informer) {
    lifecycle.lock();
    try {
      requireNotClosedLocked("started");
      if (state == Lifecycle.CREATED) {
        state = Lifecycle.RUNNING;
        if (observer != null) {
          observer.started(informer);
        }
        options.threads().retain();
        holdsThreads = true;
        processor.start();
        controller.start(options.threads());
      }
    } finally {
      lifecycle.unlock();
    }
  }

  @GuardedBy("lifecycle")
  private void requireNotClosedLocked(String what) {
    if (state == Lifecycle.CLOSED) {
      throw new IllegalStateException(
          "the informer is closed and cannot be " + what + " any more: " + options.name());
    }
  }

  boolean isRunning() {
    return state() == Lifecycle.RUNNING;
  }

  boolean isClosed() {
    return state() == Lifecycle.CLOSED;
  }

  private Lifecycle state() {
    lifecycle.lock();
    try {
      return state;
    } finally {
      lifecycle.unlock();
    }
  }

  /** Throws if nothing has been started yet. */
  void requireStarted() {
    if (state() == Lifecycle.CREATED) {
      throw new IllegalStateException(
          "the informer will not sync before it is started: " + options.name());
    }
  }

  /**
   * Runs an action unless this is closed; nothing starts or closes it meanwhile.
   *
   * @param what the action, for the error
   */
  void whileOpen(String what, Runnable action) {
    lifecycle.lock();
    try {
      requireNotClosedLocked(what);
      action.run();
    } finally {
      lifecycle.unlock();
    }
  }

  /** Begins to close, and returns the threads that the handlers still depend on. */
  List<OwnedThread> stop() {
    lifecycle.lock();
    try {
      state = Lifecycle.CLOSED;
      return controller.close();
    } finally {
      lifecycle.unlock();
    }
  }

  /** Ends all threads; see {@link SharedIndexInformer#close}. */
  void close() {
    List<OwnedThread> own = stop();
    OwnedThread.joinAll(options.clock(), own, CLOSE_TIMEOUT);
    // Only now: the last deltas that are processed still need the handlers.
    List<OwnedThread> handlers = processor.close();
    if (!OwnedThread.joinAll(options.clock(), handlers, CLOSE_TIMEOUT)) {
      handlers.forEach(OwnedThread::interrupt);
      OwnedThread.joinAll(options.clock(), handlers, INTERRUPT_TIMEOUT);
    }
    queue.abandon();
    storeVersion.close();
    releaseThreads();
    OwnedThread.warnOfRunning(own);
    OwnedThread.warnOfRunning(handlers);
  }

  private void releaseThreads() {
    lifecycle.lock();
    try {
      if (!holdsThreads) {
        return;
      }
      holdsThreads = false;
    } finally {
      lifecycle.unlock();
    }
    options.threads().release();
  }

  // ---- handlers

  /** Adds a handler, which first receives the objects in the cache. */
  ProcessorListener<T> add(String name, ResourceEventHandler<T> handler, Duration resyncPeriod) {
    lifecycle.lock();
    try {
      requireNotClosedLocked("given a handler");
      ProcessorListener<T> listener =
          new ProcessorListener<>(
              processor.freeName(name), handler, options.clock(), metrics, observer);
      return controller.withDeltasBlocked(
          () -> {
            processor.add(listener, resyncPeriod, indexer.list());
            return listener;
          });
    } finally {
      lifecycle.unlock();
    }
  }

  /** Removes a listener, also from a closed informer; returns whether it was there. */
  boolean remove(ResourceEventHandlerRegistration registration) {
    lifecycle.lock();
    try {
      return controller.withDeltasBlocked(() -> processor.remove(registration));
    } finally {
      lifecycle.unlock();
    }
  }
}
