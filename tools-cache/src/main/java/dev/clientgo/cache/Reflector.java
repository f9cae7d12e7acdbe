package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store equal to a collection of the API server: reads the whole collection, then follows
 * its changes, and begins anew whenever it has lost the thread. It ends only when it is stopped.
 *
 * <p>The store is a {@link Queue} in an informer; it can be a plain {@link Store} where nobody
 * needs to be notified:
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
   * ReflectorWatchList and ReflectorWatch try again by themselves, after a pause of ReflectorBackoff,
   * if a stream ended early or if the server was not there or too busy. No answer of a server leads
   * around all pauses, so none makes this spin.
   *
   * ReflectorPosition keeps the version from one round to the next, and makes the requests. It may be
   * ahead of the cache that readers see, because there is a queue between.
   *
   * A second thread, in Timers, works while the first waits for an event: it resyncs, and ends a
   * watch that has been silent for too long.
   */

  /** What a reflector is doing. */
  public enum State {
    /** It has not been started. */
    NEW,
    /** It reads the collection as the initial events of a watch. */
    STREAMING,
    /** It lists the collection. */
    LISTING,
    /** It follows the changes of the collection. */
    WATCHING,
    /** Something went wrong, and it waits before it tries again. */
    BACKING_OFF,
    /** It has been stopped. */
    STOPPED
  }

  private static final Logger LOG = System.getLogger(Reflector.class.getName());

  private static final Duration SLOW_LIST = Duration.ofSeconds(10);

  private final ReflectorStore<T> store;
  private final ReflectorOptions options;
  private final @Nullable ResyncPolicy resyncPolicy;
  private final InformerMetrics metrics;
  private final Clock clock;
  private final boolean usesWatchList;

  private final ReflectorHealth health;
  private final ErrorReporter errors;
  private final ReflectorPosition position;
  private final ReflectorBackoff backoff;
  private final Timers timers;
  private final CurrentWatch<T> currentWatch;
  private final ReflectorWatchList<T> watchList;
  private final ReflectorList<T> list;
  private final ReflectorWatch<T> watch;

  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean stopped;
  private Timers.@Nullable Timer resync;

  private Reflector(Builder<T> builder) {
    store = builder.store;
    options = builder.options;
    resyncPolicy = builder.resyncPolicy;
    metrics = builder.metrics;
    clock = options.clock();
    WatchErrorHandler handler = builder.watchErrorHandler;
    health = new ReflectorHealth(clock);
    errors = new ErrorReporter(name(), health, metrics, error -> handler.onError(this, error));
    position = new ReflectorPosition(options.watchListPageSize());
    backoff = new ReflectorBackoff(options, health);
    timers = new Timers(clock, options.threadFactory(), name() + " timers");

    // All lists and watches share the strings that they read.
    ListerWatcher<T> source = builder.listerWatcher.sharing(DecodeContext.ofStore());
    usesWatchList = options.useWatchList() && !source.isWatchListSemanticsUnsupported();
    currentWatch = new CurrentWatch<>(source, options, health, timers);
    TransformFunction<T> transform = builder.checkedTransform();
    Supplier<InitialList<T>> lists =
        () ->
            new InitialList<>(
                KeyFunction.metaNamespace(),
                transform,
                builder.lastKnown,
                errors,
                clock.nanoTime());
    watchList = new ReflectorWatchList<>(currentWatch, lists, position, health, backoff, options);
    list = new ReflectorList<>(source, lists, position);
    WatchEventHandler<T> events =
        new WatchEventHandler<>(store, transform, position, health, errors);
    watch =
        new ReflectorWatch<>(
            source, currentWatch, events, position, health, metrics, backoff, options);
  }

  /** Returns a builder of reflectors that keep the store equal to what the source gives. */
  public static <T extends KubernetesObject> Builder<T> builder(
      ListerWatcher<T> listerWatcher, ReflectorStore<T> store) {
    return new Builder<>(listerWatcher, store);
  }

  /** Returns its name in logs. */
  public String name() {
    return options.name();
  }

  /** Returns what it is doing. */
  public State state() {
    return health.state;
  }

  /**
   * Returns the version up to which the collection is known; empty at first. If the store is a
   * queue, the cache behind it may show an older one: see {@link
   * Store#lastStoreSyncResourceVersion}.
   */
  public String lastSyncResourceVersion() {
    return position.lastSyncResourceVersion();
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

  Timers timers() {
    return timers;
  }

  // ---- the loop

  /**
   * Keeps the store up to date until the thread is interrupted. It can be called again after that,
   * and then goes on from the version that is known.
   *
   * @throws InterruptedException when the thread is interrupted, which is how it ends
   * @throws IllegalStateException if another thread is running it
   */
  public void run() throws InterruptedException {
    if (!running.compareAndSet(false, true)) {
      throw new IllegalStateException("two threads cannot run one reflector: " + name());
    }
    timers.start();
    try {
      while (!stopped) {
        try {
          listAndWatch();
        } catch (RuntimeException e) {
          errors.report(e);
        }
        endRound();
        if (!stopped) {
          backoff.pauseAfterFailure();
        }
      }
    } finally {
      endRound();
      health.state = State.STOPPED;
      running.set(false);
      timers.stop();
    }
  }

  /** Makes {@link #run} return, if in addition its thread is interrupted. */
  void stop() {
    stopped = true;
    health.state = State.STOPPED;
    errors.stop();
    currentWatch.stop();
  }

  /** Does one round, which ends with an error. */
  private void listAndWatch() throws InterruptedException {
    if (!usesWatchList || !streamCollection()) {
      listCollection();
    }
    health.state = State.WATCHING;
    startResync();
    watch.run();
  }

  /** Returns false if the collection is to be listed. */
  private boolean streamCollection() throws InterruptedException {
    health.state = State.STREAMING;
    Optional<InitialList<T>> streamed = watchList.run();
    streamed.ifPresent(initial -> replaceStore(initial, true));
    return streamed.isPresent();
  }

  private void listCollection() throws InterruptedException {
    health.state = State.LISTING;
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
    if (resyncPolicy == null) {
      return;
    }
    Duration period = resyncPolicy.resyncCheckPeriod();
    if (!period.isZero()) {
      resync = timers.after(period, () -> resync(resyncPolicy, period));
    }
  }

  /** Run by the timers. */
  private Optional<Duration> resync(ResyncPolicy policy, Duration period) {
    try {
      if (policy.shouldResync()) {
        store.resync();
      }
    } catch (RuntimeException e) {
      currentWatch.end(e);
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
    private @Nullable TransformFunction<T> transform;
    private @Nullable GroupVersionKind expectedKind;
    private @Nullable KnownObjects<T> lastKnown;
    private WatchErrorHandler watchErrorHandler = WatchErrorHandler.logging();
    private @Nullable ResyncPolicy resyncPolicy;
    private InformerMetrics metrics = InformerMetrics.NONE;

    private Builder(ListerWatcher<T> listerWatcher, ReflectorStore<T> store) {
      this.listerWatcher = requireNonNull(listerWatcher, "listerWatcher");
      this.store = requireNonNull(store, "store");
    }

    /** Sets how to talk to the server. Default: as client-go does. */
    public Builder<T> options(ReflectorOptions options) {
      this.options = requireNonNull(options, "options");
      return this;
    }

    /** Sets what to do to each object before it goes to the store. Default: nothing. */
    public Builder<T> transform(TransformFunction<T> transform) {
      this.transform = requireNonNull(transform, "transform");
      return this;
    }

    /**
     * Sets of which kind all objects must be. An object of another kind is reported and skipped. It
     * is for sources that decode anything, such as those of unstructured objects. Default: any.
     */
    public Builder<T> expectedKind(GroupVersionKind expectedKind) {
      this.expectedKind = requireNonNull(expectedKind, "expectedKind");
      return this;
    }

    private TransformFunction<T> checkedTransform() {
      TransformFunction<T> transform = this::transformed;
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
        return transform.transform(object);
      };
    }

    /** Says which object is at fault if the user's function fails. */
    private T transformed(T object) {
      if (transform == null) {
        return object;
      }
      try {
        return requireNonNull(transform.transform(object), "it gave null, but cannot leave out");
      } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
        // These errors, too, are about one object: it alone is skipped, and named.
        throw new IllegalStateException(
            "the transform failed on the object \"%s\": %s".formatted(ObjectName.of(object), e), e);
      }
    }

    /**
     * Sets what readers have: the {@link Indexer} behind the queue. Then an object that is listed
     * again, unchanged, is not held twice. Default: nothing.
     */
    public Builder<T> lastKnown(KnownObjects<T> lastKnown) {
      this.lastKnown = requireNonNull(lastKnown, "lastKnown");
      return this;
    }

    /** Sets who hears of errors. Default: the log. */
    public Builder<T> watchErrorHandler(WatchErrorHandler watchErrorHandler) {
      this.watchErrorHandler = requireNonNull(watchErrorHandler, "watchErrorHandler");
      return this;
    }

    /**
     * Sets how often to call {@link ReflectorStore#resync} while watching. Default: zero, never.
     *
     * @param shouldResync asked each time whether to do it
     */
    public Builder<T> resync(Duration resyncPeriod, BooleanSupplier shouldResync) {
      requireNonNull(resyncPeriod, "resyncPeriod");
      requireNonNull(shouldResync, "shouldResync");
      return resync(new ResyncPolicy.Periodic(resyncPeriod, shouldResync));
    }

    /** Does the same, with a period that is known only when the watch begins. */
    Builder<T> resync(ResyncPolicy policy) {
      this.resyncPolicy = policy;
      return this;
    }

    /** Sets where to report what happens. Default: nowhere. */
    public Builder<T> metrics(InformerMetrics metrics) {
      this.metrics = GuardedMetrics.of(requireNonNull(metrics, "metrics"));
      return this;
    }

    /** Returns a reflector that has not been started. */
    public Reflector<T> build() {
      return new Reflector<>(this);
    }
  }
}
