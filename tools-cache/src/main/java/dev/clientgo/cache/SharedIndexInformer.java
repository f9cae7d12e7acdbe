package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.internal.errors.ServerErrors;
import dev.clientgo.cache.internal.threads.OwnedThread;
import dev.clientgo.cache.internal.threads.VersionSignal;
import dev.clientgo.cache.synctrack.DoneChecker;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a local, indexed copy of a collection of the API server up to date, and tells handlers of
 * each change.
 *
 * <pre>{@code
 * try (SharedIndexInformer<Pod> informer =
 *     SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch)).build()) {
 *   informer.addEventHandler(handler);
 *   informer.start();
 *   informer.awaitSynced(Duration.ofSeconds(30));
 *   Optional<Pod> web = informer.indexer().getByKey("default/web");
 * }
 * }</pre>
 *
 * <p><b>Guarantees.</b> The copy is the state of the collection a little ago, and never goes back
 * to an older state. If the server cannot be reached, the copy stays as it is, and catches up
 * later. An informer ends only when it or its client is closed: no error of the server, of an
 * object or of a handler stops it. {@link #health} shows its last events and errors.
 *
 * <p><b>Handlers</b> may be added and removed at any time; {@link ResourceEventHandler} describes
 * the calls that they get. Each has a thread of its own.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache.SharedIndexInformer}.
 *
 * @param <T> the type of the objects
 */
public final class SharedIndexInformer<T extends KubernetesObject> implements AutoCloseable {

  private enum Lifecycle {
    CREATED,
    RUNNING,
    CLOSED
  }

  /*
   *   server ──► Reflector ──► RealFIFO ──► Controller ──► SharedProcessor ──► ProcessorListener ──► handler
   *             │ thread 1 │              │ thread 2:   │                   │ one thread for    │
   *             │          │              │ changes the │                   │ each handler      │
   *             │          │              │ Indexer     │                   │                   │
   *
   * Locks, in the order in which they are taken:
   *
   *   lifecycle            of this class: its states, and adding and removing handlers
   *   Controller.deltas    held for one delta or one batch at a time, and while a handler is added.
   *                        So the handler hears of the objects in the cache and then of all later
   *                        changes, without a gap and without a repetition.
   *   SharedProcessor      the set of handlers
   *   the store's, a listener's: each for a moment only
   *
   * If the queue is long, thread 2 holds the queue's lock before all these. No handler is called
   * with a lock held. Index functions run with the locks of thread 2 held, so they must not call
   * the informer. Thread 3, the Reflector's timers, only puts deltas into the queue and asks the
   * SharedProcessor which handlers are due for a resync.
   */

  private static final Logger LOG = System.getLogger(SharedIndexInformer.class.getName());

  /** How long to wait for threads before handlers are interrupted. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** How long to wait for an interrupted handler before its thread is left running. */
  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(1);

  private final ReflectorOptions options;
  private final Duration defaultResyncPeriod;
  private final InformerMetrics metrics;
  private final @Nullable InformerObserver<T> observer;
  private final Indexer<T> indexer;
  private final DeltaQueue<T> queue;
  private final SharedProcessor<T> processor;
  private final Controller<T> controller;
  private final VersionSignal storeVersion;
  private final @Nullable ResourceType<T> type;

  /** Taken before any other lock. */
  private final ReentrantLock lifecycle = new ReentrantLock();

  @GuardedBy("lifecycle")
  private Lifecycle state = Lifecycle.CREATED;

  private SharedIndexInformer(Builder<T> builder) {
    options = builder.options;
    type = builder.type;
    defaultResyncPeriod = builder.resyncPeriod;
    metrics = builder.metrics;
    observer = builder.observer;
    Clock clock = options.clock();
    KeyFunction<T> keyFunction = KeyFunction.metaNamespace();
    ThreadSafeStore<T> store = new ThreadSafeStore<>(builder.indexers);
    indexer = new IndexedStore<>(keyFunction, store);
    queue = builder.useDeltaFIFO ? newDeltaFIFO(keyFunction) : newRealFIFO(keyFunction);
    processor = new SharedProcessor<>(defaultResyncPeriod, clock, options.threadFactory());
    controller =
        new Controller<>(
            newReflector(builder), queue, store, processor::distribute, this::processed, clock);
    storeVersion = new VersionSignal(clock, indexer::lastStoreSyncResourceVersion);
  }

  // The Reflector transforms the objects, so the queues need not.

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
        .build();
  }

  private Reflector<T> newReflector(Builder<T> builder) {
    Reflector.Builder<T> reflector =
        Reflector.builder(builder.listerWatcher, queue)
            .options(options)
            .lastKnown(indexer)
            .watchErrorHandler(closing(builder.watchErrorHandler, builder.closeWhenMissing))
            .resync(processor::resyncCheckPeriod, processor::shouldResync)
            .metrics(metrics)
            .observer(observer);
    if (builder.transform != null) {
      reflector.transform(builder.transform);
    }
    if (builder.expectedKind != null) {
      reflector.expectedKind(builder.expectedKind);
    }
    return reflector.build();
  }

  /**
   * Returns an error handler that also closes this informer if the client is closed, or if the
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

  /** Returns a builder of informers that list and watch the given source. */
  public static <T extends KubernetesObject> Builder<T> builder(ListerWatcher<T> listerWatcher) {
    return new Builder<>(listerWatcher);
  }

  /** Returns the name of this informer in logs, threads and metrics. */
  public String name() {
    return options.name();
  }

  // ---- lifecycle

  /**
   * Starts to list and watch, and returns at once. Does nothing if it was started before.
   *
   * @throws IllegalStateException if it is closed; a closed informer cannot be started again
   */
  public void start() {
    lifecycle.lock();
    try {
      requireNotClosedLocked("started");
      if (state == Lifecycle.CREATED) {
        state = Lifecycle.RUNNING;
        if (observer != null) {
          observer.started(this);
        }
        processor.start();
        controller.start(options.threadFactory());
      }
    } finally {
      lifecycle.unlock();
    }
  }

  /** Called by thread 2 each time it has processed deltas. */
  private void processed() {
    metrics.storeResourceVersion(indexer.lastStoreSyncResourceVersion());
    storeVersion.moved();
    if (queue.hasSynced()) {
      processor.sourceHasSynced();
    }
  }

  /** Tests call this to run the controller without threads. */
  Controller<T> controller() {
    return controller;
  }

  @GuardedBy("lifecycle")
  private void requireNotClosedLocked(String what) {
    if (state == Lifecycle.CLOSED) {
      throw new IllegalStateException(
          "the informer is closed and cannot be " + what + " any more: " + options.name());
    }
  }

  /** Returns whether it has been started and not yet closed. */
  public boolean isRunning() {
    lifecycle.lock();
    try {
      return state == Lifecycle.RUNNING;
    } finally {
      lifecycle.unlock();
    }
  }

  /** Returns whether it has been closed. */
  public boolean isStopped() {
    lifecycle.lock();
    try {
      return state == Lifecycle.CLOSED;
    } finally {
      lifecycle.unlock();
    }
  }

  /**
   * Ends this informer for good: closes the watch, stops calling handlers, and ends all threads.
   * The cache can still be read.
   *
   * <p>Waits until the threads have ended. A handler has ten seconds to return from its current
   * call; then its thread is interrupted. If it does not return within another second, this logs a
   * warning and leaves the thread running. A thread of the informer that calls this, for instance
   * in a handler, does not wait for itself. May be called more than once.
   */
  @Override
  public void close() {
    stop();
    List<OwnedThread> own = controller.threads();
    OwnedThread.joinAll(options.clock(), own, CLOSE_TIMEOUT);
    // Only now: the last deltas that are processed still need the handlers.
    List<OwnedThread> handlers = processor.close();
    if (!OwnedThread.joinAll(options.clock(), handlers, CLOSE_TIMEOUT)) {
      handlers.forEach(OwnedThread::interrupt);
      OwnedThread.joinAll(options.clock(), handlers, INTERRUPT_TIMEOUT);
    }
    queue.abandon();
    storeVersion.close();
    OwnedThread.warnOfRunning(own);
    OwnedThread.warnOfRunning(handlers);
  }

  /** Begins to {@link #close}, and returns at once. */
  void stop() {
    lifecycle.lock();
    try {
      state = Lifecycle.CLOSED;
      controller.close();
    } finally {
      lifecycle.unlock();
    }
  }

  // ---- handlers

  /**
   * Adds a handler. If the informer is running, the handler first hears of all objects in the
   * cache, as of an initial list.
   *
   * @return a registration, which removes the handler and tells whether it is synced; each call
   *     returns another, even for the same handler
   * @throws IllegalStateException if the informer is closed
   */
  public ResourceEventHandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
    return addEventHandler(handler, HandlerOptions.builder().build());
  }

  /**
   * Adds a handler made of functions:
   *
   * <pre>{@code
   * informer.addEventHandler(
   *     handler ->
   *         handler.onAdd(pod -> added(pod)).onDelete(deleted -> gone(deleted.objectName())));
   * }</pre>
   *
   * @param functions sets the functions; what it does not set does nothing
   */
  public ResourceEventHandlerRegistration addEventHandler(
      Consumer<ResourceEventHandlerFuncs.Builder<T>> functions) {
    return addEventHandler(functions, HandlerOptions.builder().build());
  }

  /** Adds a handler made of functions as {@link #addEventHandler(Consumer)} does, with options. */
  public ResourceEventHandlerRegistration addEventHandler(
      Consumer<ResourceEventHandlerFuncs.Builder<T>> functions, HandlerOptions handlerOptions) {
    ResourceEventHandlerFuncs.Builder<T> handler = ResourceEventHandlerFuncs.builder();
    functions.accept(handler);
    return addEventHandler(handler.build(), handlerOptions);
  }

  /** Adds a handler as {@link #addEventHandler(ResourceEventHandler)} does, with options. */
  public ResourceEventHandlerRegistration addEventHandler(
      ResourceEventHandler<T> handler, HandlerOptions handlerOptions) {
    requireNonNull(handler, "handler");
    String name = handlerOptions.name().orElse(handler.getClass().getName());
    ProcessorListener<T> listener =
        new ProcessorListener<>(
            options.name() + " handler " + name, handler, options.clock(), metrics, observer);
    Duration resync = handlerOptions.resyncPeriod().orElse(defaultResyncPeriod);
    lifecycle.lock();
    try {
      requireNotClosedLocked("given a handler");
      controller.withDeltasBlocked(() -> processor.add(listener, resync, indexer.list()));
    } finally {
      lifecycle.unlock();
    }
    return listener;
  }

  /**
   * Hands each object of the cache to all handlers again, as an update without a change, whatever
   * their resync periods are. It sends no request to the server. Does nothing if the informer is
   * not running.
   *
   * <p>Corresponds to client-go's {@code Queue.Resync}, which programs cannot reach there.
   */
  public void resync() {
    if (isRunning()) {
      processor.resyncAll();
      queue.resync();
    }
  }

  /** Returns whether the queue is a {@link DeltaFIFO}, as {@link Builder#useDeltaFIFO} has set. */
  public boolean usesDeltaFIFO() {
    return queue instanceof DeltaFIFO;
  }

  /**
   * Removes a handler. Its current call goes on, but it gets no other: the notifications that wait
   * for it are dropped.
   *
   * @return whether the handler was registered here
   */
  public boolean removeEventHandler(ResourceEventHandlerRegistration registration) {
    requireNonNull(registration, "registration");
    AtomicBoolean removed = new AtomicBoolean();
    lifecycle.lock();
    try {
      controller.withDeltasBlocked(() -> removed.set(processor.remove(registration)));
      return removed.get();
    } finally {
      lifecycle.unlock();
    }
  }

  /**
   * Removes a handler and waits until it returns from its current call, if any. The handler itself
   * must not call this, because it would wait for itself.
   *
   * <p>Corresponds to client-go's {@code tools/cache.ShutDownEventHandler}.
   *
   * @return whether the handler has returned; false if it still runs when the time is up
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean shutDownEventHandler(
      ResourceEventHandlerRegistration registration, Duration timeout) throws InterruptedException {
    if (!removeEventHandler(registration)) {
      return true;
    }
    Optional<OwnedThread> thread = ((ProcessorListener<?>) registration).thread();
    return thread.isEmpty() || thread.get().join(options.clock(), timeout);
  }

  // ---- cache and health

  /** Returns whether the first list is in the cache. The handlers may still be behind. */
  public boolean hasSynced() {
    return queue.hasSynced();
  }

  /** Returns a checker that waits for {@link #hasSynced}. */
  public DoneChecker hasSyncedChecker() {
    return queue.hasSyncedChecker();
  }

  /**
   * Waits until the first list is in the cache, without the objects that could not be decoded,
   * transformed or indexed; {@link InformerHealth#omitted} names these.
   *
   * @return false if the time is up before, or the informer is closed; {@link #health} tells why
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitSynced(Duration timeout) throws InterruptedException {
    lifecycle.lock();
    try {
      if (state == Lifecycle.CREATED) {
        throw new IllegalStateException(
            "the informer will not sync before it is started: " + options.name());
      }
    } finally {
      lifecycle.unlock();
    }
    return hasSyncedChecker().await(timeout);
  }

  /**
   * Waits until the cache shows a version or a newer one. A controller that waits for the
   * resourceVersion of its last write sees its own writes in the cache.
   *
   * <p>If this informer does not select the object that was written, the server sends no event. The
   * cache then reaches the version with the next bookmark, which may take a minute.
   *
   * @param resourceVersion a version that the server gave for an object of this collection
   * @return false if the time is up before, or the informer is closed
   * @throws IllegalArgumentException if it is not a decimal number greater than zero
   * @throws IllegalStateException if the informer uses a {@link DeltaFIFO}, in which a newer event
   *     of one object overtakes an older one of another
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitResourceVersion(String resourceVersion, Duration timeout)
      throws InterruptedException {
    if (usesDeltaFIFO()) {
      throw new IllegalStateException(
          "with a DeltaFIFO the version of the cache says nothing: " + options.name());
    }
    return storeVersion.await(resourceVersion, timeout);
  }

  /**
   * Returns the version up to which the Reflector has read the collection; empty at first. The
   * cache may lag behind it: see {@link Store#lastStoreSyncResourceVersion} of the {@linkplain
   * #indexer indexer}.
   */
  public String lastSyncResourceVersion() {
    return controller.reflector().lastSyncResourceVersion();
  }

  /** Returns the health of this informer at this moment. */
  public InformerHealth health() {
    ReflectorHealth reflectorHealth = controller.reflector().health();
    return new InformerHealth(
        reflectorHealth,
        OmittedObjects.of(
            reflectorHealth.omitted(), controller.refused(), () -> indexer.listKeys().isEmpty()),
        queue.hasSynced(),
        indexer.lastStoreSyncResourceVersion(),
        processor.health());
  }

  /** Returns the cache, for reading. A program that changes it makes it differ from the server. */
  public Indexer<T> indexer() {
    return indexer;
  }

  /**
   * Returns a lister of the cache. A lister may be made before the informer is started; each call
   * reads the cache at that moment.
   *
   * <p>If the informer was built without {@link Builder#type}, the lister does not know whether the
   * objects live in namespaces, and its errors call them by the name of the informer.
   */
  public Lister<T> lister() {
    return type == null
        ? Lister.of(indexer, new GroupResource("", name()))
        : Lister.of(indexer, type);
  }

  /**
   * Returns a lister of the cache.
   *
   * @param type the type of the objects; it decides whether they are read by namespace and name, or
   *     by name alone
   */
  public Lister<T> lister(ResourceType<T> type) {
    return Lister.of(indexer, type);
  }

  /**
   * Returns a lister of the cache, if it is not known whether the objects live in namespaces.
   *
   * @param resource the name of the resource, for the error if an object does not exist
   */
  public Lister<T> lister(GroupResource resource) {
    return Lister.of(indexer, resource);
  }

  /**
   * Adds indices to the cache, also while the informer is running.
   *
   * @throws IllegalArgumentException if there already is an index with one of the names
   * @throws IllegalStateException if the informer is closed
   */
  public void addIndexers(Map<String, ? extends IndexFunction<? super T>> indexers) {
    lifecycle.lock();
    try {
      requireNotClosedLocked("given an index");
      indexer.addIndexers(indexers);
    } finally {
      lifecycle.unlock();
    }
  }

  /**
   * Builds a {@link SharedIndexInformer}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T extends KubernetesObject> {

    final ListerWatcher<T> listerWatcher;
    final Map<String, IndexFunction<? super T>> indexers = new LinkedHashMap<>();
    ReflectorOptions options = ReflectorOptions.defaults();
    @Nullable ResourceType<T> type;
    @Nullable TransformFunction<T> transform;
    @Nullable GroupVersionKind expectedKind;
    WatchErrorHandler watchErrorHandler = WatchErrorHandler.logging();
    Duration resyncPeriod = Duration.ZERO;
    @Nullable Duration closeWhenMissing;
    boolean useDeltaFIFO;
    InformerMetrics metrics = InformerMetrics.NONE;
    @Nullable InformerObserver<T> observer;

    private Builder(ListerWatcher<T> listerWatcher) {
      this.listerWatcher = requireNonNull(listerWatcher, "listerWatcher");
      this.indexers.put(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace());
    }

    /** Sets the type of the objects, which {@link #lister()} reads them by. Default: unknown. */
    public Builder<T> type(ResourceType<T> type) {
      this.type = requireNonNull(type, "type");
      return this;
    }

    /** Sets the name in logs and of threads. Default: {@code reflector}. */
    public Builder<T> name(String name) {
      this.options = options.toBuilder().name(name).build();
      return this;
    }

    /** Sets the options of requests and waits, the clock, and the threads. Default: client-go's. */
    public Builder<T> options(ReflectorOptions options) {
      this.options = requireNonNull(options, "options");
      return this;
    }

    /**
     * Adds an index to the cache. Each cache has {@link Indexer#NAMESPACE_INDEX} from the start,
     * which listers use.
     */
    public Builder<T> indexer(String name, IndexFunction<? super T> function) {
      indexers.put(requireNonNull(name, "name"), requireNonNull(function, "function"));
      return this;
    }

    /**
     * Sets a function that changes each object before it is cached and before handlers see it.
     * Default: none.
     */
    public Builder<T> transform(TransformFunction<T> transform) {
      this.transform = requireNonNull(transform, "transform");
      return this;
    }

    /**
     * Sets the kind that all objects must have, for a source that decodes any kind. An object of
     * another kind is reported and skipped. Default: any kind.
     */
    public Builder<T> expectedKind(GroupVersionKind expectedKind) {
      this.expectedKind = requireNonNull(expectedKind, "expectedKind");
      return this;
    }

    /** Sets the handler of errors between the informer and the server. Default: the log. */
    public Builder<T> watchErrorHandler(WatchErrorHandler watchErrorHandler) {
      this.watchErrorHandler = requireNonNull(watchErrorHandler, "watchErrorHandler");
      return this;
    }

    /**
     * Makes the informer close itself if the server has answered for that time that it has no such
     * resource, as after the removal of a CustomResourceDefinition. Default: it keeps trying.
     */
    public Builder<T> closeWhenMissing(Duration time) {
      this.closeWhenMissing = requireNonNull(time, "time");
      return this;
    }

    /**
     * Sets whether the queue is a {@link DeltaFIFO}, as in older versions of client-go, instead of
     * a {@link RealFIFO}. Handlers then hear of the changes of one object in order, but not of
     * those of different objects, and a list reaches the cache object by object. Default: false.
     */
    public Builder<T> useDeltaFIFO(boolean useDeltaFIFO) {
      this.useDeltaFIFO = useDeltaFIFO;
      return this;
    }

    /**
     * Sets how often handlers hear of all objects again, changed or not; {@link HandlerOptions} can
     * set another period for one handler. Handlers hear of changes in any case. Default: zero,
     * which means never, for any handler.
     */
    public Builder<T> resyncPeriod(Duration resyncPeriod) {
      if (resyncPeriod.isNegative()) {
        throw new IllegalArgumentException(
            "the resync period must not be negative: " + resyncPeriod);
      }
      this.resyncPeriod = resyncPeriod;
      return this;
    }

    /** Sets the metrics. Default: none. */
    public Builder<T> metrics(InformerMetrics metrics) {
      this.metrics = GuardedMetrics.of(requireNonNull(metrics, "metrics"));
      return this;
    }

    /** Sets the observer, which sees each object at each stage. Default: none. */
    public Builder<T> observer(InformerObserver<T> observer) {
      this.observer = new GuardedObserver<>(requireNonNull(observer, "observer"));
      return this;
    }

    /** Returns an informer that has not been started. */
    public SharedIndexInformer<T> build() {
      return new SharedIndexInformer<>(this);
    }
  }
}
