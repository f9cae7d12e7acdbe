package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
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
 * catches up once it can. An informer ends only when it is closed, or the client beneath it is: no
 * error of the server, of an object or of a handler makes it stop. {@link #health} tells how it is
 * doing.
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

  private enum Lifecycle {
    CREATED,
    RUNNING,
    CLOSED
  }

  private final ReflectorOptions options;
  private final Duration defaultResyncPeriod;
  private final InformerPipeline<T> pipeline;

  /** Taken before any lock of the pipeline. */
  private final ReentrantLock lifecycle = new ReentrantLock();

  @GuardedBy("lifecycle")
  private Lifecycle state = Lifecycle.CREATED;

  private SharedIndexInformer(Builder<T> builder) {
    options = builder.options;
    defaultResyncPeriod = builder.resyncPeriod;
    pipeline = new InformerPipeline<>(builder, this);
  }

  /** Returns a builder of informers of what the source lists and watches. */
  public static <T extends KubernetesObject> Builder<T> builder(ListerWatcher<T> listerWatcher) {
    return new Builder<>(listerWatcher);
  }

  /** Returns what it is called in logs, in the names of threads, and in metrics. */
  public String name() {
    return options.name();
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
        pipeline.start();
      }
    } finally {
      lifecycle.unlock();
    }
  }

  /** For simulations, which run the controller without threads. */
  Controller<T> controller() {
    return pipeline.controller();
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
    stop();
    pipeline.awaitStopped();
  }

  /** Begins to {@link #close} and does not wait. */
  void stop() {
    lifecycle.lock();
    try {
      state = Lifecycle.CLOSED;
      pipeline.stop();
    } finally {
      lifecycle.unlock();
    }
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
    requireNonNull(handler, "handler");
    ProcessorListener<T> listener = pipeline.newListener(handler, handlerOptions);
    Duration resync = handlerOptions.resyncPeriod().orElse(defaultResyncPeriod);
    lifecycle.lock();
    try {
      requireNotClosedLocked("given a handler");
      pipeline.add(listener, resync);
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
      return pipeline.remove(registration);
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
    return pipeline.queue().hasSynced();
  }

  /** Returns what to wait on for {@link #hasSynced}. */
  public DoneChecker hasSyncedChecker() {
    return pipeline.queue().hasSyncedChecker();
  }

  /**
   * Waits until the first list is in the cache. Objects of it that could not be decoded,
   * transformed or indexed are missing then, and {@link InformerHealth#omitted} names them.
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
   * Waits until the cache shows a version, or a newer one. A controller that waits for the
   * resourceVersion of what it wrote last sees its own writes in the cache.
   *
   * <p>If the object written is not one that this informer selects, no event tells of it. The cache
   * then reaches the version with the next bookmark, which may take a minute.
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
    if (pipeline.queue() instanceof DeltaFIFO) {
      throw new IllegalStateException(
          "with a DeltaFIFO the version of the cache says nothing: " + options.name());
    }
    return pipeline.storeVersion().await(resourceVersion, timeout);
  }

  /**
   * Returns up to which version the collection is known; empty at first. What is in between and
   * what the cache shows is {@link Store#lastStoreSyncResourceVersion} of the {@linkplain #indexer
   * indexer}, which may be a little behind.
   */
  public String lastSyncResourceVersion() {
    return pipeline.controller().reflector().lastSyncResourceVersion();
  }

  /** Returns how it is doing. */
  public InformerHealth health() {
    return pipeline.health();
  }

  /** Returns the cache. It is for reading: whoever changes it makes it wrong. */
  public Indexer<T> indexer() {
    return pipeline.indexer();
  }

  /**
   * Returns a lister of the cache. It can be had before the informer is started, and finds what the
   * cache has when it is asked.
   *
   * @param type the type of the objects; it decides whether they are read by namespace and name, or
   *     by name alone
   */
  public Lister<T> lister(ResourceType<T> type) {
    return Lister.of(indexer(), type);
  }

  /**
   * Does the same where it is not known whether the objects live in namespaces.
   *
   * @param resource the name of the resource, for the error when an object is not there
   */
  public Lister<T> lister(GroupResource resource) {
    return Lister.of(indexer(), resource);
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
      indexer().addIndexers(indexers);
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
    @Nullable TransformFunction<T> transform;
    @Nullable GroupVersionKind expectedKind;
    WatchErrorHandler watchErrorHandler = WatchErrorHandler.logging();
    Duration resyncPeriod = Duration.ZERO;
    @Nullable Duration closeWhenMissing;
    boolean useDeltaFIFO;
    InformerMetrics metrics = InformerMetrics.NONE;

    private Builder(ListerWatcher<T> listerWatcher) {
      this.listerWatcher = requireNonNull(listerWatcher, "listerWatcher");
      this.indexers.put(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace());
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

    /**
     * Adds an index to the cache. The index {@link Indexer#NAMESPACE_INDEX}, which listers use, is
     * there already.
     */
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

    /**
     * Has the informer close itself once the server has answered for so long that there is no such
     * resource, as after the removal of a CustomResourceDefinition. Default: it goes on trying.
     */
    public Builder<T> closeWhenMissing(Duration time) {
      this.closeWhenMissing = requireNonNull(time, "time");
      return this;
    }

    /**
     * Sets whether the queue is a {@link DeltaFIFO}, as in older versions of client-go, instead of
     * a {@link RealFIFO}. Handlers then hear of an object's changes in order, but not of those of
     * different objects, and a list reaches the cache object by object. Default: false.
     */
    public Builder<T> useDeltaFIFO(boolean useDeltaFIFO) {
      this.useDeltaFIFO = useDeltaFIFO;
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
      this.metrics = GuardedMetrics.of(requireNonNull(metrics, "metrics"));
      return this;
    }

    /** Returns an informer that has not been started. */
    public SharedIndexInformer<T> build() {
      return new SharedIndexInformer<>(this);
    }
  }
}
