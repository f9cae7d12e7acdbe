package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.internal.errors.GuardedMetrics;
import dev.clientgo.cache.internal.threads.OwnedThread;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.cache.synctrack.DoneChecker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a local, indexed copy of a collection of the API server up to date, and notifies handlers
 * of each change.
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
 * <p><b>Guarantees.</b> The copy lags a little behind the collection, and never goes back to an
 * older state. If the server cannot be reached, the copy stays as it is, and catches up later. An
 * informer ends only when it or its client is closed: no error of the server, of an object or of a
 * handler stops it. {@link #health} shows its last events and errors.
 *
 * <p><b>Handlers</b> may be added and removed at any time; {@link ResourceEventHandler} describes
 * the calls that they get. A slow handler does not delay the others: each has its own thread while
 * there are notifications for it.
 *
 * <p><b>Threads.</b> A running informer has one thread, which waits for the server. The other
 * threads are shared by the informers of a {@link SharedInformerFactory}, or of the same {@link
 * ReflectorOptions}.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache.SharedIndexInformer}.
 *
 * @param <T> the type of the objects
 */
public final class SharedIndexInformer<T extends KubernetesObject>
    implements InformerObserver.Informer<T>, AutoCloseable {

  private final Duration defaultResyncPeriod;
  private final @Nullable ResourceType<T> type;
  private final InformerPipeline<T> pipeline;

  private SharedIndexInformer(Builder<T> builder) {
    defaultResyncPeriod = builder.config.resyncPeriod;
    type = builder.type;
    pipeline = new InformerPipeline<>(builder.config);
  }

  /** Returns a builder of informers that list and watch the given source. */
  public static <T extends KubernetesObject> Builder<T> builder(ListerWatcher<T> listerWatcher) {
    return new Builder<>(listerWatcher);
  }

  @Override
  public String name() {
    return pipeline.options.name();
  }

  // ---- lifecycle

  /**
   * Starts to list and watch, and returns at once. Does nothing if it was started before.
   *
   * @throws IllegalStateException if it is closed; a closed informer cannot be started again
   */
  public void start() {
    pipeline.start(this);
  }

  /** Tests call this to run the controller without threads. */
  Controller<T> controller() {
    return pipeline.controller;
  }

  /** Returns whether it has been started and not yet closed. */
  public boolean isRunning() {
    return pipeline.isRunning();
  }

  @Override
  public boolean isStopped() {
    return pipeline.isClosed();
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
    pipeline.close();
  }

  /** Begins to {@link #close}, and returns at once. */
  void stop() {
    pipeline.stop();
  }

  // ---- handlers

  /**
   * Adds a handler. If the informer is running, the handler first receives all objects in the
   * cache, as of an initial list.
   *
   * @return a registration, which removes the handler and shows whether it is synced; each call
   *     returns a new one, even for the same handler
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
    return pipeline.add(
        name() + " handler " + handlerOptions.name().orElse(handler.getClass().getName()),
        handler,
        handlerOptions.resyncPeriod().orElse(defaultResyncPeriod));
  }

  /**
   * Sends each object of the cache to all handlers again, as an update without a change, whatever
   * their resync periods are. It sends no request to the server. Does nothing if the informer is
   * not running.
   *
   * <p>Corresponds to client-go's {@code Queue.Resync}, which programs cannot reach there.
   */
  public void resync() {
    if (isRunning()) {
      pipeline.processor.resyncAll();
      pipeline.queue.resync();
    }
  }

  @Override
  public boolean usesDeltaFIFO() {
    return pipeline.queue instanceof DeltaFIFO;
  }

  /**
   * Removes a handler. Its current call may finish, but no more follow: the notifications that wait
   * for it are dropped.
   *
   * @return whether the handler was registered here
   */
  public boolean removeEventHandler(ResourceEventHandlerRegistration registration) {
    requireNonNull(registration, "registration");
    return pipeline.remove(registration);
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
    Optional<OwnedThread> calling = ((ProcessorListener<?>) registration).close();
    return calling.isEmpty() || calling.get().join(pipeline.options.clock(), timeout);
  }

  // ---- the shard

  /**
   * Sets the part of the collection to follow from now on, and returns at once.
   *
   * <p>The informer reads what is new in that part, or all of it if the server does not support
   * shards or has just lost a watch, and then follows the part. Meanwhile the cache shows the
   * objects as they were. Then handlers receive the objects that are new to it as of any list, and
   * those that no longer belong to it by {@link ResourceEventHandler#onDelete} with {@link
   * DeletedObject#leftShard}. If the server does not support shards, the informer drops the other
   * objects itself; {@link InformerHealth#shard} shows whether it does.
   *
   * @throws IllegalStateException if the informer uses a {@link DeltaFIFO}, or is closed
   */
  public void shard(ShardSelector selector) {
    pipeline.whileOpen(
        "given a shard",
        () -> {
          requireNoDeltaFIFO(usesDeltaFIFO(), pipeline.options);
          pipeline.controller.reflector().shard(selector);
        });
  }

  private static void requireNoDeltaFIFO(boolean used, ReflectorOptions options) {
    if (used) {
      throw new IllegalStateException(
          "an informer of a shard cannot use a DeltaFIFO, which does not know why an object has"
              + " left the list: "
              + options.name());
    }
  }

  /**
   * Returns which part of the collection the cache shows: nothing before the first list. After a
   * change, it is the previous part until the informer has read the new one.
   */
  public ShardSelector shard() {
    return pipeline.shard.shown();
  }

  /**
   * Waits until the cache shows the part of the collection that was set last.
   *
   * @return false if the time expires first, or the informer is closed; {@link #health} explains
   *     why
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitShard(Duration timeout) throws InterruptedException {
    return pipeline.storeVersion.await(pipeline.shard::isShown, timeout);
  }

  // ---- cache and health

  /** Returns whether the first list is in the cache. The handlers may still be behind. */
  public boolean hasSynced() {
    return pipeline.queue.hasSynced();
  }

  /** Returns a checker that waits for {@link #hasSynced}. */
  public DoneChecker hasSyncedChecker() {
    return pipeline.queue.hasSyncedChecker();
  }

  /**
   * Waits until the first list is in the cache, without the objects that could not be decoded,
   * transformed or indexed; {@link InformerHealth#omitted} names these.
   *
   * @return false if the time expires first, or the informer is closed; {@link #health} explains
   *     why
   * @throws IllegalStateException if the informer has not been started
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitSynced(Duration timeout) throws InterruptedException {
    pipeline.requireStarted();
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
          "with a DeltaFIFO the version of the cache says nothing: " + name());
    }
    return pipeline.storeVersion.await(resourceVersion, timeout);
  }

  /**
   * Adds a function that is called each time the cache may show another version, bookmarks
   * included: for callers that cannot block in {@link #awaitResourceVersion}. The thread that fills
   * the cache calls it, so it must be quick. The informer logs what it throws.
   */
  public void onProgress(Runnable listener) {
    pipeline.storeVersion.onMoved(requireNonNull(listener, "listener"));
  }

  /**
   * Passes a deletion on to all handlers, of an object that the cache never had: for callers that
   * know such an object from elsewhere, such as from the answer to a write, and see that a list
   * does not have it. The cache does not change.
   *
   * @param lastKnown the object, as the caller knows it
   */
  public void passDeletion(T lastKnown) {
    DeletedObject<T> deleted =
        DeletedObject.ofUnknownFinalState(ObjectName.of(lastKnown).toString(), lastKnown);
    pipeline.processor.distribute(List.of(new ProcessorListener.Notification.Deleted<>(deleted)));
  }

  @Override
  public String lastSyncResourceVersion() {
    return pipeline.controller.reflector().lastSyncResourceVersion();
  }

  @Override
  public InformerHealth health() {
    Reflector<T> reflector = pipeline.controller.reflector();
    return new InformerHealth(
        reflector.state(),
        reflector.health(),
        InformerHealth.Shard.of(pipeline.shard),
        InformerHealth.Omitted.of(
            reflector.health().omitted(),
            reflector.health().refused(),
            () -> indexer().listKeys().isEmpty()),
        pipeline.queue.hasSynced(),
        indexer().lastStoreSyncResourceVersion(),
        pipeline.queue.stall(),
        pipeline.processor.health());
  }

  @Override
  public Indexer<T> indexer() {
    return pipeline.indexer;
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
        ? Lister.of(indexer(), new GroupResource("", name()))
        : Lister.of(indexer(), type);
  }

  /**
   * Returns a lister of the cache.
   *
   * @param type the type of the objects; it decides whether they are read by namespace and name, or
   *     by name alone
   */
  public Lister<T> lister(ResourceType<T> type) {
    return Lister.of(indexer(), type);
  }

  /**
   * Returns a lister of the cache, if it is not known whether the objects live in namespaces.
   *
   * @param resource the name of the resource, for the error if an object does not exist
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
    pipeline.whileOpen("given an index", () -> indexer().addIndexers(indexers));
  }

  /**
   * Builds a {@link SharedIndexInformer}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T extends KubernetesObject> {

    private final InformerPipeline.Config<T> config;
    private @Nullable ResourceType<T> type;

    private Builder(ListerWatcher<T> listerWatcher) {
      config = new InformerPipeline.Config<>(requireNonNull(listerWatcher, "listerWatcher"));
      config.indexers.put(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace());
    }

    /** Sets the type of the objects, which {@link #lister()} uses. Default: unknown. */
    public Builder<T> type(ResourceType<T> type) {
      this.type = requireNonNull(type, "type");
      return this;
    }

    /** Sets the name in logs and of threads. Default: {@code reflector}. */
    public Builder<T> name(String name) {
      config.options = config.options.toBuilder().name(name).build();
      return this;
    }

    /** Sets the options of requests and waits, the clock, and the threads. Default: client-go's. */
    public Builder<T> options(ReflectorOptions options) {
      config.options = requireNonNull(options, "options");
      return this;
    }

    /**
     * Adds an index to the cache. Each cache has {@link Indexer#NAMESPACE_INDEX} from the start,
     * which listers use.
     */
    public Builder<T> indexer(String name, IndexFunction<? super T> function) {
      config.indexers.put(requireNonNull(name, "name"), requireNonNull(function, "function"));
      return this;
    }

    /**
     * Sets a function that changes each object before it is cached and before handlers see it.
     * Default: none.
     */
    public Builder<T> transform(TransformFunction<T> transform) {
      config.transform = requireNonNull(transform, "transform");
      return this;
    }

    /**
     * Sets the kind that all objects must have, for a source that decodes any kind. An object of
     * another kind is reported and skipped. Default: any kind.
     */
    public Builder<T> expectedKind(GroupVersionKind expectedKind) {
      config.expectedKind = requireNonNull(expectedKind, "expectedKind");
      return this;
    }

    /** Sets the handler of errors between the informer and the server. Default: the log. */
    public Builder<T> watchErrorHandler(WatchErrorHandler watchErrorHandler) {
      config.watchErrorHandler = requireNonNull(watchErrorHandler, "watchErrorHandler");
      return this;
    }

    /**
     * Makes the informer close itself if the server has responded for this long that it has no such
     * resource, as after the removal of a CustomResourceDefinition. Default: it keeps trying.
     */
    public Builder<T> closeWhenMissing(Duration time) {
      config.closeWhenMissing = requireNonNull(time, "time");
      return this;
    }

    /**
     * Sets whether the queue is a {@link DeltaFIFO}, as in older versions of client-go, instead of
     * a {@link RealFIFO}. Handlers then receive the changes of one object in order, but not those
     * of different objects, and a list reaches the cache object by object. Default: false.
     */
    public Builder<T> useDeltaFIFO(boolean useDeltaFIFO) {
      config.useDeltaFIFO = useDeltaFIFO;
      return this;
    }

    /**
     * Sets which part of the collection to follow; {@link SharedIndexInformer#shard(ShardSelector)}
     * changes it later. The transform must keep the uid and the namespace. Default: all of it.
     */
    public Builder<T> shard(ShardSelector shard) {
      config.shard = requireNonNull(shard, "shard");
      return this;
    }

    /**
     * Sets how often handlers receive all objects again, changed or not; {@link HandlerOptions} can
     * set another period for one handler. Handlers always receive changes, whatever the period.
     * Default: zero, which means never, for any handler.
     */
    public Builder<T> resyncPeriod(Duration resyncPeriod) {
      if (resyncPeriod.isNegative()) {
        throw new IllegalArgumentException(
            "the resync period must not be negative: " + resyncPeriod);
      }
      config.resyncPeriod = resyncPeriod;
      return this;
    }

    /** Sets the metrics. Default: none. */
    public Builder<T> metrics(InformerMetrics metrics) {
      config.metrics = GuardedMetrics.of(requireNonNull(metrics, "metrics"));
      return this;
    }

    /** Sets the observer, which sees each object at each stage. Default: none. */
    public Builder<T> observer(InformerObserver<T> observer) {
      config.observer = new GuardedObserver<>(requireNonNull(observer, "observer"));
      return this;
    }

    /**
     * Returns an informer that has not been started.
     *
     * @throws IllegalStateException if it has a shard and uses a {@link DeltaFIFO}
     */
    public SharedIndexInformer<T> build() {
      requireNoDeltaFIFO(config.useDeltaFIFO && !config.shard.isEverything(), config.options);
      return new SharedIndexInformer<>(this);
    }
  }
}
