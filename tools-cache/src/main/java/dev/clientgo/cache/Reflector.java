package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.InformerHealth.ReflectorState;
import dev.clientgo.cache.internal.errors.GuardedMetrics;
import dev.clientgo.cache.internal.reflector.CurrentWatch;
import dev.clientgo.cache.internal.reflector.ErrorReporter;
import dev.clientgo.cache.internal.reflector.InitialList;
import dev.clientgo.cache.internal.reflector.Pager.PageFunction;
import dev.clientgo.cache.internal.reflector.ReflectorBackoff;
import dev.clientgo.cache.internal.reflector.ReflectorHealth;
import dev.clientgo.cache.internal.reflector.ReflectorList;
import dev.clientgo.cache.internal.reflector.ReflectorPosition;
import dev.clientgo.cache.internal.reflector.ReflectorSettings;
import dev.clientgo.cache.internal.reflector.ReflectorShard;
import dev.clientgo.cache.internal.reflector.ReflectorWatch;
import dev.clientgo.cache.internal.reflector.ReflectorWatchList;
import dev.clientgo.cache.internal.reflector.ShardedSource;
import dev.clientgo.cache.internal.reflector.WatchFunction;
import dev.clientgo.cache.internal.threads.Timers;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store equal to a collection of the API server: reads the whole collection, then follows
 * its changes, and reads it again when it can no longer follow them. It ends only when it is
 * stopped.
 *
 * <p>In an informer the store is a {@link Queue}. If there are no handlers to notify, it can be a
 * plain {@link Store}:
 *
 * <pre>{@code
 * Indexer<Pod> store = Indexer.create(KeyFunction.metaNamespace());
 * Reflector<Pod> reflector = Reflector.builder(ListWatch.of(pods::list, pods::watch), store).build();
 * reflector.run(); // until the thread is interrupted
 * }</pre>
 *
 * <p>{@link #run} is for one thread, everything else for any. Corresponds to client-go's {@code
 * tools/cache.Reflector}.
 *
 * @param <T> the type of the objects
 */
public final class Reflector<T extends KubernetesObject> {

  /*
   * The loop, run by one thread: read the collection, watch it until that ends with an error, pause,
   * and begin the next round.
   *
   *   ┌─► ReflectorWatchList ── complete, the stream stays open ──► ReflectorWatch ──┐
   *   │     │ not supported                                           ▲              │
   *   │     ▼                                                         │              │
   *   │   ReflectorList ─────────────── complete ─────────────────────┘              │
   *   │     │ error                                                                  │ error
   *   └── (pause) ◄──────────────────────────────────────────────────────────────────┘
   *
   * ReflectorWatchList and ReflectorWatch retry by themselves, after a pause of ReflectorBackoff, if
   * a stream ended early, the server could not be reached, or it was too busy. Whatever a server
   * answers, each cycle of requests has a pause or a stream of at least a second, so the Reflector
   * never spins.
   *
   * If another shard is wanted, the watch ends, and the next round begins without a pause: with a
   * list of what is new in the shard if the server can select it, otherwise as at first. A list that
   * is under way is finished first.
   *
   * ReflectorPosition keeps the version from one round to the next, and makes the options of the
   * requests. It may be ahead of the cache that readers see, because a queue is between them.
   *
   * Other threads, of Timers, work while this one waits for an event: they resync, and end a watch
   * that has been silent for too long.
   */

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  private static final Duration SLOW_LIST = Duration.ofSeconds(10);

  private final ReflectorStore<T> store;
  private final ReflectorOptions options;
  private final Supplier<Duration> resyncPeriod;
  private final BooleanSupplier shouldResync;
  private final InformerMetrics metrics;
  private final @Nullable InformerObserver<T> observer;
  private final Clock clock;
  private final boolean usesWatchList;

  /** The strings and values that all lists and watches share. */
  private final DecodeContext decodeContext = DecodeContext.ofStore();

  private final WatchErrorHandler handler;
  private final ReflectorHealth health;
  private final ErrorReporter errors;
  private final ReflectorShard shard;
  private final ReflectorPosition position;
  private final ReflectorBackoff backoff;
  private final Timers timers;
  private final CurrentWatch<T> currentWatch;
  private final ReflectorWatchList<T> watchList;
  private final ReflectorList<T> list;
  private final ShardedSource<T> source;
  private final Supplier<InitialList<T>> lists;
  private final ReflectorWatch<T> watch;

  /** Whether the last round ended because another shard is wanted, and for no other reason. */
  private boolean endedForShard;

  private volatile ReflectorState state = ReflectorState.NEW;
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean stopped;
  private Timers.@Nullable Timer resync;

  private Reflector(Builder<T> builder) {
    store = builder.store;
    options = builder.options;
    resyncPeriod = builder.resyncPeriod;
    shouldResync = builder.shouldResync;
    metrics = builder.metrics;
    observer = builder.observer;
    handler = builder.watchErrorHandler;
    clock = options.clock();
    health = new ReflectorHealth(clock);
    errors = new ErrorReporter(name(), health, metrics, this::reported);
    shard = builder.shard == null ? new ReflectorShard(name()) : builder.shard;
    position = new ReflectorPosition(options.watchListPageSize());
    ReflectorSettings settings = options.settings();
    backoff = new ReflectorBackoff(settings, this::pause);
    timers = options.threads().timers();

    ListerWatcher<T> shared = builder.listerWatcher.sharing(decodeContext);
    usesWatchList = options.useWatchList() && !shared.isWatchListSemanticsUnsupported();
    source = new ShardedSource<T>(shared::list, shared::watch, shard);
    currentWatch =
        new CurrentWatch<>(
            observed(source::watch),
            settings,
            health,
            timers,
            shard,
            observer == null ? null : observer::received);
    UnaryOperator<T> transform = builder.checkedTransform();
    lists =
        () ->
            new InitialList<>(
                KeyFunction.<T>metaNamespace()::requireKeyOf,
                transform,
                builder.lastKnown,
                errors,
                clock.nanoTime());
    watchList =
        new ReflectorWatchList<>(currentWatch, lists, position, shard, health, backoff, settings);
    list = new ReflectorList<>(observed(source::list), lists, position);
    WatchEventHandler<T> events =
        new WatchEventHandler<>(store, transform, position, health, errors);
    watch =
        new ReflectorWatch<T>(
            source::list,
            currentWatch,
            events,
            position,
            shard,
            health,
            metrics,
            backoff,
            settings);
  }

  /** Returns a builder of reflectors that keep the store equal to the collection of the source. */
  public static <T extends KubernetesObject> Builder<T> builder(
      ListerWatcher<T> listerWatcher, ReflectorStore<T> store) {
    return new Builder<>(listerWatcher, store);
  }

  /** Returns the name of this reflector in logs. */
  public String name() {
    return options.name();
  }

  /** Returns the current activity of this reflector. */
  public ReflectorState state() {
    return state;
  }

  /**
   * Returns the version up to which the collection has been read; empty at first. If the store is a
   * queue, the cache behind it may show an older version: see {@link
   * Store#lastStoreSyncResourceVersion}.
   */
  public String lastSyncResourceVersion() {
    return position.lastSyncResourceVersion();
  }

  /**
   * Sets which part of the collection to follow from now on, and returns at once. The reflector
   * then reads what is new in that part, or the whole of it if the server cannot select shards, and
   * follows it. Any thread may call this, also before {@link #run}.
   */
  public void shard(ShardSelector selector) {
    shard.want(selector);
    currentWatch.endForShard();
  }

  /** Reports each list to the observer. */
  private PageFunction<T> observed(PageFunction<T> source) {
    InformerObserver<T> observing = observer;
    return observing == null
        ? source
        : (request, sink) -> {
          observing.listing(request);
          return source.list(request, sink);
        };
  }

  /** Reports each watch to the observer. */
  private WatchFunction<T> observed(WatchFunction<T> source) {
    InformerObserver<T> observing = observer;
    return observing == null
        ? source
        : request -> {
          observing.watching(request);
          return source.watch(request);
        };
  }

  /** Passes an error on; the health and the metrics have it. */
  private void reported(RuntimeException error) {
    if (observer != null) {
      observer.failed(error);
    }
    handler.onError(this, error);
  }

  private void pause(Duration duration) throws InterruptedException {
    ReflectorState before = state;
    state = ReflectorState.BACKING_OFF;
    clock.sleep(duration);
    state = before;
  }

  ReflectorShard shard() {
    return shard;
  }

  ReflectorHealth health() {
    return health;
  }

  Clock clock() {
    return clock;
  }

  ErrorReporter errors() {
    return errors;
  }

  @Nullable InformerObserver<T> observer() {
    return observer;
  }

  InformerMetrics metrics() {
    return metrics;
  }

  Timers timers() {
    return timers;
  }

  // ---- the loop

  /**
   * Keeps the store up to date until the thread is interrupted. A later call continues from the
   * version up to which the collection has been read.
   *
   * @throws InterruptedException when the thread is interrupted; it never returns normally
   * @throws IllegalStateException if another thread is running it
   */
  public void run() throws InterruptedException {
    if (!running.compareAndSet(false, true)) {
      throw new IllegalStateException("two threads cannot run one reflector: " + name());
    }
    options.threads().retain();
    try {
      while (!stopped) {
        try {
          listAndWatch();
        } catch (RuntimeException | Error e) {
          errors.report(ErrorReporter.reportable(e));
        }
        endRound();
        if (!stopped && !shard.hasChanged()) {
          backoff.pauseAfterFailure();
        }
      }
    } finally {
      endRound();
      state = ReflectorState.STOPPED;
      running.set(false);
      options.threads().release();
    }
  }

  /** Makes {@link #run} end, provided that the caller also interrupts its thread. */
  void stop() {
    stopped = true;
    state = ReflectorState.STOPPED;
    errors.stop();
    currentWatch.stop();
  }

  /** Reads and watches the collection until an error ends the watch, or the shard changes. */
  private void listAndWatch() throws InterruptedException {
    ShardSelector before = shard.begin();
    boolean continues = endedForShard;
    endedForShard = false;
    if (!continues || !readAdded(before)) {
      if (source.isAheadOf(position.lastSyncResourceVersion())) {
        position.requireMostRecent(); // Another server's cache may be older than that list.
      }
      source.listedAll();
      if (!usesWatchList || !streamCollection()) {
        if (shard.hasChanged()) {
          return;
        }
        listCollection();
      }
    }
    state = ReflectorState.WATCHING;
    startResync();
    watch.run();
    endedForShard = true;
  }

  /**
   * Reads what the shard has in addition to the one before. The store then has that as of the list,
   * and the rest as of the end of the last watch, from where the next one continues.
   *
   * @return false if the whole shard must be read
   */
  private boolean readAdded(ShardSelector before) throws InterruptedException {
    ShardSelector now = shard.reading();
    ShardSelector added = now.without(before);
    ShardSelector kept = now.without(added);
    String version = position.lastSyncResourceVersion();
    if (now.field() != before.field()
        || (kept.isNothing() && !now.isNothing())
        || !ResourceVersion.isComparable(version)
        || !health.omitted().isEmpty() // Some of them may belong to another shard now.
        || !health.refused().isEmpty()) {
      return false;
    }
    if (added.isNothing()) {
      return store.replacePart(List.of(), kept, version);
    }
    if (!shard.isFilteredByServer().orElse(false) || source.isAheadOf(version)) {
      return false;
    }
    state = ReflectorState.LISTING;
    PageFunction<T> part = observed((request, sink) -> source.listPart(added, request, sink));
    InitialList<T> listed;
    try {
      listed = new ReflectorList<>(part, lists, position).run();
    } catch (KubernetesException e) {
      // A client may be allowed to watch but not to list; the list of all shows any other error.
      LOG.log(Level.DEBUG, () -> "Cannot list what is new in the shard: reflector=" + name(), e);
      return false;
    }
    if (!listed.omitted().isEmpty()
        || !source.listedPart(added, listed, version)
        || !store.replacePart(listed.objects(), kept, version)) {
      return false;
    }
    metrics.listed(Duration.ofNanos(clock.nanoTime() - listed.start()), listed.size(), false);
    return true;
  }

  /** Streams the collection; returns false if the server could not, so that it must be listed. */
  private boolean streamCollection() throws InterruptedException {
    state = ReflectorState.STREAMING;
    Optional<InitialList<T>> streamed = watchList.run();
    streamed.ifPresent(initial -> replaceStore(initial, true));
    return streamed.isPresent();
  }

  private void listCollection() throws InterruptedException {
    state = ReflectorState.LISTING;
    replaceStore(list.run(), false);
  }

  private void replaceStore(InitialList<T> initial, boolean streamed) {
    health.listed(initial.omitted());
    store.replace(initial.objects(), initial.unreadable(), initial.resourceVersion());
    position.replaced(initial.resourceVersion());
    Duration duration = Duration.ofNanos(clock.nanoTime() - initial.start());
    metrics.listed(duration, initial.size(), streamed);
    if (duration.compareTo(SLOW_LIST) > 0) {
      LOG.log(
          Level.INFO,
          "Reading the collection took long: reflector={0} duration={1} objects={2}",
          name(),
          duration,
          initial.size());
    }
  }

  private void endRound() {
    if (resync != null) {
      resync.cancel();
      resync = null;
    }
    currentWatch.close();
  }

  // ---- resync

  private void startResync() {
    Duration period = resyncPeriod.get();
    if (!period.isZero()) {
      resync = timers.after(name() + " resync", period, () -> resync(period));
    }
  }

  /** Resyncs the store if any handler is due; the timers call this. */
  private Optional<Duration> resync(Duration period) {
    try {
      if (shouldResync.getAsBoolean()) {
        store.resync();
      }
    } catch (RuntimeException | Error e) {
      currentWatch.end(ErrorReporter.reportable(e));
    }
    return Optional.of(period);
  }

  /**
   * Builds a {@link Reflector}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T extends KubernetesObject> {

    private final ListerWatcher<T> listerWatcher;
    private final ReflectorStore<T> store;
    private ReflectorOptions options = ReflectorOptions.defaults();
    private TransformFunction<T> transform = object -> object;
    private @Nullable GroupVersionKind expectedKind;
    private Function<String, Optional<T>> lastKnown = key -> Optional.empty();
    private WatchErrorHandler watchErrorHandler = WatchErrorHandler.logging();
    private Supplier<Duration> resyncPeriod = () -> Duration.ZERO;
    private BooleanSupplier shouldResync = () -> false;
    private InformerMetrics metrics = InformerMetrics.NONE;
    private @Nullable InformerObserver<T> observer;
    private @Nullable ReflectorShard shard;

    private Builder(ListerWatcher<T> listerWatcher, ReflectorStore<T> store) {
      this.listerWatcher = requireNonNull(listerWatcher, "listerWatcher");
      this.store = requireNonNull(store, "store");
    }

    /** Sets how the reflector talks to the server. Default: as client-go does. */
    public Builder<T> options(ReflectorOptions options) {
      this.options = requireNonNull(options, "options");
      return this;
    }

    /** Sets a function that changes each object before it goes to the store. Default: none. */
    public Builder<T> transform(TransformFunction<T> transform) {
      this.transform = requireNonNull(transform, "transform");
      return this;
    }

    /**
     * Sets the kind that all objects must have, for a source that decodes any kind, such as one of
     * unstructured objects. An object of another kind is reported and skipped. Default: any kind.
     */
    public Builder<T> expectedKind(GroupVersionKind expectedKind) {
      this.expectedKind = requireNonNull(expectedKind, "expectedKind");
      return this;
    }

    private UnaryOperator<T> checkedTransform() {
      UnaryOperator<T> transform = this::transformed;
      GroupVersionKind expected = expectedKind;
      if (expected == null) {
        return transform;
      }
      String apiVersion = expected.groupVersion().toString();
      return object -> {
        if (!expected.kind().equals(object.kind()) || !apiVersion.equals(object.apiVersion())) {
          throw new IllegalArgumentException(
              "the server sent a %s of %s where a %s of %s was expected"
                  .formatted(object.kind(), object.apiVersion(), expected.kind(), apiVersion));
        }
        return transform.apply(object);
      };
    }

    /** Transforms an object; if the user's function fails, the error names the object. */
    private T transformed(T object) {
      try {
        return requireNonNull(transform.transform(object), "it gave null, but cannot leave out");
      } catch (OutOfMemoryError e) {
        throw e; // No fault of the object: the reflector reads it again.
      } catch (RuntimeException | Error e) {
        // Errors, too, concern one object: the reflector skips only that one.
        throw new IllegalStateException(
            "the transform failed on the object \"%s\": %s"
                .formatted(ObjectName.of(object), CrashLog.text(e)),
            e);
      }
    }

    /**
     * Sets the objects that readers see: the {@link Indexer} behind the queue. An object that is
     * listed again unchanged is then not held twice. Default: none.
     */
    public Builder<T> lastKnown(KnownObjects<T> lastKnown) {
      this.lastKnown = requireNonNull(lastKnown, "lastKnown")::getByKey;
      return this;
    }

    /** Sets the handler of errors. Default: the log. */
    public Builder<T> watchErrorHandler(WatchErrorHandler watchErrorHandler) {
      this.watchErrorHandler = requireNonNull(watchErrorHandler, "watchErrorHandler");
      return this;
    }

    /**
     * Sets how often to call {@link ReflectorStore#resync} while watching. Default: zero, never.
     *
     * @param shouldResync decides each time whether to resync
     */
    public Builder<T> resync(Duration resyncPeriod, BooleanSupplier shouldResync) {
      requireNonNull(resyncPeriod, "resyncPeriod");
      return resync(() -> resyncPeriod, requireNonNull(shouldResync, "shouldResync"));
    }

    /** Does the same with a period that is asked for at the start of each watch. */
    Builder<T> resync(Supplier<Duration> resyncPeriod, BooleanSupplier shouldResync) {
      this.resyncPeriod = resyncPeriod;
      this.shouldResync = shouldResync;
      return this;
    }

    /** Sets the metrics. Default: none. */
    public Builder<T> metrics(InformerMetrics metrics) {
      this.metrics = GuardedMetrics.of(requireNonNull(metrics, "metrics"));
      return this;
    }

    /** Sets the part of the collection to follow, and where its changes are recorded. */
    Builder<T> shard(ReflectorShard shard) {
      this.shard = shard;
      return this;
    }

    Builder<T> observer(@Nullable InformerObserver<T> observer) {
      this.observer = observer;
      return this;
    }

    /** Returns a reflector that has not been started. */
    public Reflector<T> build() {
      return new Reflector<>(this);
    }
  }
}
