package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A local, indexed copy of a collection of the API server that is always up to date, and tells
 * handlers of each change.
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
 * <p><b>What it promises.</b> The copy is the state of the collection at some moment, a little ago;
 * it never goes back to an older one. If the server cannot be reached the copy stays as it is, and
 * catches up once it can. An informer ends only when it is closed: no error of the server, of an
 * object or of a handler makes it stop. {@link #health} tells how it is doing.
 *
 * <p><b>Handlers</b> may be added and removed at any time; what they are told is described in
 * {@link ResourceEventHandler}. Each has a thread of its own.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache.SharedIndexInformer}.
 *
 * @param <T> the type of the objects
 */
public final class SharedIndexInformer<T extends KubernetesObject> implements AutoCloseable {

  /*
   *   server ──► Reflector ──► RealFIFO ──► DeltaDispatcher ──► SharedProcessor ──► ProcessorListener ──► handler
   *             │ thread 1 │              │ thread 2: changes  │                  │ one thread for    │
   *             │          │              │ the Indexer        │                  │ each handler      │
   *
   * Locks, in the order in which they are taken:
   *
   *   lifecycle        states, and adding and removing handlers
   *   DeltaDispatcher  one delta, or one batch, at a time. Whoever adds a handler takes it, too, so
   *                    the handler hears of the objects in the cache and then of what comes next,
   *                    without a gap and without a repetition.
   *   SharedProcessor  the set of handlers
   *   the store's, a listener's: each for a moment only
   *
   * Thread 2 holds the queue's lock before all these if the queue is long. No handler is called
   * with a lock held. Index functions run with the locks of thread 2 held, so they must not call
   * back. Thread 3, the Reflector's timers, only puts into the queue and asks the SharedProcessor.
   */

  private enum Lifecycle {
    CREATED,
    RUNNING,
    CLOSED
  }

  private static final Logger LOG = System.getLogger(SharedIndexInformer.class.getName());

  /** How long close() waits for threads before it interrupts handlers and, after that, gives up. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration INTERRUPT_TIMEOUT = Duration.ofSeconds(1);

  private final ListerWatcher<T> listerWatcher;
  private final ReflectorOptions options;
  private final TransformFunction<T> transform;
  private final @Nullable GroupVersionKind expectedKind;
  private final WatchErrorHandler watchErrorHandler;
  private final Duration defaultResyncPeriod;
  private final InformerMetrics metrics;

  private final Indexer<T> indexer;
  private final RealFIFO<T> queue;
  private final SharedProcessor<T> processor;
  private final DeltaDispatcher<T> dispatcher;
  private final VersionSignal storeVersion;

  private final ReentrantLock lifecycle = new ReentrantLock();

  @GuardedBy("lifecycle")
  private Lifecycle state = Lifecycle.CREATED;

  @GuardedBy("lifecycle")
  private @Nullable Controller<T> controller;

  /** The threads of the controller. */
  @GuardedBy("lifecycle")
  private List<OwnedThread> threads = List.of();

  private SharedIndexInformer(Builder<T> builder) {
    listerWatcher = builder.listerWatcher;
    options = builder.options;
    transform = builder.transform;
    expectedKind = builder.expectedKind;
    watchErrorHandler = builder.watchErrorHandler;
    defaultResyncPeriod = builder.resyncPeriod;
    metrics = builder.metrics;
    Clock clock = options.clock();
    KeyFunction<T> keyFunction = KeyFunction.metaNamespace();
    indexer = Indexer.create(keyFunction, builder.indexers);
    // The Reflector transforms, one object at a time, so the queue need not.
    queue =
        RealFIFO.<T>builder(keyFunction)
            .name("RealFIFO " + options.name())
            .clock(clock)
            .metrics(metrics)
            .unlockWhileProcessing(true)
            .emitBookmarks(true)
            .build();
    processor = new SharedProcessor<>(defaultResyncPeriod, clock, options.threadFactory());
    dispatcher = new DeltaDispatcher<>(keyFunction, indexer, processor);
    storeVersion = new VersionSignal(clock, indexer::lastStoreSyncResourceVersion);
  }

  /** Returns a builder of informers of what the source lists and watches. */
  public static <T extends KubernetesObject> Builder<T> builder(ListerWatcher<T> listerWatcher) {
    return new Builder<>(listerWatcher);
  }

  // ---- lifecycle

  /**
   * Starts to list and watch, and returns at once. Does nothing if it was started before.
   *
   * @throws IllegalStateException if it is closed; it cannot be started again, make another
   */
  public void start() {
    lifecycle.lock();
    try {
      requireNotClosedLocked("started");
      if (state == Lifecycle.CREATED) {
        state = Lifecycle.RUNNING;
        controller = newController();
        processor.start();
        threads = controller.start(options.threadFactory());
      }
    } finally {
      lifecycle.unlock();
    }
  }

  private Controller<T> newController() {
    Reflector.Builder<T> reflector =
        Reflector.builder(listerWatcher, queue)
            .options(options)
            .transform(transform)
            .lastKnown(indexer::getByKey)
            .watchErrorHandler(watchErrorHandler)
            .resync(processor.resyncCheckPeriod(), processor::shouldResync)
            .metrics(metrics);
    if (expectedKind != null) {
      reflector.expectedKind(expectedKind);
    }
    return new Controller<>(reflector.build(), queue, dispatcher, this::processed, options.clock());
  }

  /** For simulations, which run the controller without threads. */
  Controller<T> controller() {
    lifecycle.lock();
    try {
      return requireNonNull(controller, "not started");
    } finally {
      lifecycle.unlock();
    }
  }

  private void processed() {
    metrics.storeResourceVersion(indexer.lastStoreSyncResourceVersion());
    storeVersion.moved();
    if (queue.hasSynced()) {
      processor.sourceHasSynced();
    }
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
   * Ends it for good: the watch is closed, handlers hear nothing more, all threads end. What the
   * cache has can still be read.
   *
   * <p>Waits until the threads have ended. A handler has ten seconds to return from the call that
   * it is in, then its thread is interrupted; if it goes on even so, that is logged and the thread
   * left behind. If this is called by one of those threads, from a handler for instance, then for
   * that one it does not wait. May be called more than once.
   */
  @Override
  public void close() {
    List<OwnedThread> own = closeController();
    join(own, CLOSE_TIMEOUT);
    // Only now: the last of what was processed should not find its handlers gone.
    List<OwnedThread> handlers = processor.close();
    if (!join(handlers, CLOSE_TIMEOUT)) {
      handlers.stream().filter(thread -> !thread.isCurrent()).forEach(OwnedThread::interrupt);
      join(handlers, INTERRUPT_TIMEOUT);
    }
    storeVersion.moved();
    Stream.concat(own.stream(), handlers.stream())
        .filter(thread -> thread.isAlive() && !thread.isCurrent())
        .forEach(
            thread ->
                LOG.log(
                    Level.WARNING, "A thread of a closed informer goes on: thread={0}", thread));
  }

  private List<OwnedThread> closeController() {
    lifecycle.lock();
    try {
      state = Lifecycle.CLOSED;
      if (controller != null) {
        controller.close();
        threads.forEach(OwnedThread::interrupt);
      }
      return threads;
    } finally {
      lifecycle.unlock();
    }
  }

  /** Waits for all threads together; returns whether all have ended, the current one aside. */
  private static boolean join(List<OwnedThread> threads, Duration timeout) {
    // These are real threads, and so is the time.
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    boolean ended = true;
    try {
      for (OwnedThread thread : threads) {
        ended &= thread.join(timeout.minusNanos(clock.nanoTime() - start)) || thread.isCurrent();
      }
    } catch (InterruptedException e) {
      // The threads have been told to end. Whoever closes has not the time to see it.
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  // ---- handlers

  /**
   * Adds a handler. If the informer is running already, the handler first hears of all objects in
   * the cache, as in an initial list.
   *
   * @return with what to remove the handler, and to ask whether it is synced; each call returns
   *     another, also for the same handler
   * @throws IllegalStateException if the informer is closed
   */
  public ResourceEventHandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
    return addEventHandler(handler, HandlerOptions.builder().build());
  }

  /** Does the same as {@link #addEventHandler(ResourceEventHandler)}, with options. */
  public ResourceEventHandlerRegistration addEventHandler(
      ResourceEventHandler<T> handler, HandlerOptions handlerOptions) {
    String name =
        options.name() + " handler " + handlerOptions.name().orElse(handler.getClass().getName());
    ProcessorListener<T> listener =
        new ProcessorListener<>(name, handler, options.clock(), metrics);
    Duration resync = handlerOptions.resyncPeriod().orElse(defaultResyncPeriod);
    lifecycle.lock();
    try {
      requireNotClosedLocked("given a handler");
      dispatcher.between(() -> processor.add(listener, resync, indexer.list()));
    } finally {
      lifecycle.unlock();
    }
    return listener;
  }

  /**
   * Removes a handler. It hears nothing more, except that a call which has begun goes on; what it
   * has not been told yet is dropped.
   *
   * @return whether the handler was registered here
   */
  public boolean removeEventHandler(ResourceEventHandlerRegistration registration) {
    requireNonNull(registration, "registration");
    lifecycle.lock();
    try {
      boolean[] removed = new boolean[1];
      dispatcher.between(() -> removed[0] = processor.remove(registration));
      return removed[0];
    } finally {
      lifecycle.unlock();
    }
  }

  /**
   * Removes a handler and waits until it has returned from the call that it is in, if any. It must
   * not be called by the handler itself, which would wait for itself in vain.
   *
   * <p>Corresponds to client-go's {@code tools/cache.ShutDownEventHandler}.
   *
   * @return false if the handler goes on when the time is up
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean shutDownEventHandler(
      ResourceEventHandlerRegistration registration, Duration timeout) throws InterruptedException {
    if (!removeEventHandler(registration)) {
      return true;
    }
    Optional<OwnedThread> thread = ((ProcessorListener<?>) registration).thread();
    return thread.isEmpty() || thread.get().join(timeout);
  }

  // ---- what it knows

  /** Returns whether the first list is in the cache. Says nothing about handlers. */
  public boolean hasSynced() {
    return queue.hasSynced();
  }

  /** Returns what to wait on for {@link #hasSynced}. */
  public DoneChecker hasSyncedChecker() {
    return queue.hasSyncedChecker();
  }

  /**
   * Waits until the first list is in the cache.
   *
   * @return false if the time is up before; {@link #health} tells why
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
   * Waits until the cache shows a version, or a newer one. A controller that waits for the
   * resourceVersion of what it wrote last sees its own writes in the cache.
   *
   * <p>If the object written is not one that this informer selects, no event tells of it. The cache
   * then reaches the version with the next bookmark, which may take a minute.
   *
   * @param resourceVersion a version that the server gave for an object of this collection
   * @return false if the time is up before
   * @throws IllegalArgumentException if it is not a decimal number greater than zero
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitResourceVersion(String resourceVersion, Duration timeout)
      throws InterruptedException {
    return storeVersion.await(resourceVersion, timeout);
  }

  /**
   * Returns up to which version the collection is known; empty at first. What is in between and
   * what the cache shows is {@link Store#lastStoreSyncResourceVersion} of the {@linkplain #indexer
   * indexer}, which may be a little behind.
   */
  public String lastSyncResourceVersion() {
    lifecycle.lock();
    try {
      return controller == null ? "" : controller.reflector().lastSyncResourceVersion();
    } finally {
      lifecycle.unlock();
    }
  }

  /** Returns how it is doing. */
  public InformerHealth health() {
    ReflectorVitals vitals;
    lifecycle.lock();
    try {
      vitals =
          controller == null
              ? new ReflectorVitals(options.clock())
              : controller.reflector().vitals();
    } finally {
      lifecycle.unlock();
    }
    return new InformerHealth(
        vitals, hasSynced(), indexer.lastStoreSyncResourceVersion(), processor.health());
  }

  /** Returns the cache. It is for reading: whoever changes it makes it wrong. */
  public Indexer<T> indexer() {
    return indexer;
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

    private final ListerWatcher<T> listerWatcher;
    private final Map<String, IndexFunction<? super T>> indexers = new LinkedHashMap<>();
    private ReflectorOptions options = ReflectorOptions.defaults();
    private TransformFunction<T> transform = object -> object;
    private @Nullable GroupVersionKind expectedKind;
    private WatchErrorHandler watchErrorHandler = WatchErrorHandler.logging();
    private Duration resyncPeriod = Duration.ZERO;
    private InformerMetrics metrics = InformerMetrics.NONE;

    private Builder(ListerWatcher<T> listerWatcher) {
      this.listerWatcher = requireNonNull(listerWatcher, "listerWatcher");
    }

    /** Sets what it is called in logs and in the names of threads. Default: {@code reflector}. */
    public Builder<T> name(String name) {
      this.options = options.toBuilder().name(name).build();
      return this;
    }

    /** Sets how to talk to the server, and where clock and threads come from. */
    public Builder<T> options(ReflectorOptions options) {
      this.options = requireNonNull(options, "options");
      return this;
    }

    /** Adds an index to the cache. */
    public Builder<T> indexer(String name, IndexFunction<? super T> function) {
      indexers.put(requireNonNull(name, "name"), requireNonNull(function, "function"));
      return this;
    }

    /**
     * Sets what to do to each object before it is cached or shown to a handler. Default: nothing.
     */
    public Builder<T> transform(TransformFunction<T> transform) {
      this.transform = requireNonNull(transform, "transform");
      return this;
    }

    /**
     * Sets of which kind all objects must be, for a source that decodes any. An object of another
     * kind is reported and skipped. Default: any.
     */
    public Builder<T> expectedKind(GroupVersionKind expectedKind) {
      this.expectedKind = requireNonNull(expectedKind, "expectedKind");
      return this;
    }

    /** Sets who hears of errors between the informer and the server. Default: the log. */
    public Builder<T> watchErrorHandler(WatchErrorHandler watchErrorHandler) {
      this.watchErrorHandler = requireNonNull(watchErrorHandler, "watchErrorHandler");
      return this;
    }

    /** Adds somebody who hears of errors. */
    Builder<T> alsoOnError(WatchErrorHandler another) {
      WatchErrorHandler first = watchErrorHandler;
      watchErrorHandler =
          (reflector, error) -> {
            first.onError(reflector, error);
            another.onError(reflector, error);
          };
      return this;
    }

    /**
     * Sets how often handlers are told of all objects again, changed or not, if they do not say
     * something else. Default: zero, which means never, also for handlers that would like to be. It
     * is not needed to find out about changes.
     */
    public Builder<T> resyncPeriod(Duration resyncPeriod) {
      if (resyncPeriod.isNegative()) {
        throw new IllegalArgumentException(
            "the resync period must not be negative: " + resyncPeriod);
      }
      this.resyncPeriod = resyncPeriod;
      return this;
    }

    /** Sets where to report what happens. Default: nowhere. */
    public Builder<T> metrics(InformerMetrics metrics) {
      this.metrics = requireNonNull(metrics, "metrics");
      return this;
    }

    /** Returns an informer that has not been started. */
    public SharedIndexInformer<T> build() {
      return new SharedIndexInformer<>(this);
    }
  }
}
