package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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
   * A state machine, run by one thread. Each state is a method that does what there is to do and
   * returns the next state.
   *
   *                      complete; the stream goes on as a watch
   *                 ┌──────────────────────────────────────────────┐
   *                 │                                              ▼     ended by the server
   *      ┌─► STREAMING ──► LISTING ──────── complete ────────► WATCHING ───────┐
   *      │      │  ▲    *     │                                  │  ▲  ▲       │
   *      │      ▼  │          │                                  ▼  │  └───────┘
   *   round    (pause)        │                                (pause)
   *      │     refused, 429,  │ error                          refused, 429, ended too soon
   *      │     ended early    ▼                                  │
   *      └────────────────  (pause)  ◄──────────────────────────┘  any other error, for one that
   *                                                                 the version has expired
   *
   *   * LISTING is where a round begins if streaming is not to be used, and where STREAMING goes if
   *     the server does not support it or does not get to an end.
   *   (pause) is BACKING_OFF: before the same state is tried again, or before a new round. There is
   *     no way around it, so no answer of a server, however odd, makes this spin.
   *
   * What is remembered from one round to the next is in ReflectorPosition. It may be ahead of what
   * readers of the cache see, because a queue is in between.
   *
   * A second thread, in Timers, does what has to be done while the first waits for an event: the
   * resync, and ending a watch that has been silent for too long. It closes the watch and leaves a
   * note of why; the state is the first thread's alone.
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

  /** How long to wait for the end of initial events that did not end the last time. */
  private static final Duration SHORT_BOOKMARK_WAIT = Duration.ofSeconds(1);

  /** How often a stream may end before its initial events do, until the collection is listed. */
  private static final int MAX_EARLY_ENDS = 3;

  /** How long a watch may be silent once the server should have ended it. */
  private static final Duration WATCH_GRACE = Duration.ofMinutes(1);

  private static final Duration INTERNAL_ERRORS_QUIET_PERIOD = Duration.ofMinutes(1);
  private static final Duration SLOW_LIST = Duration.ofSeconds(10);

  private final ListerWatcher<T> listerWatcher;
  private final ReflectorStore<T> store;
  private final ReflectorOptions options;
  private final TransformFunction<T> transform;
  private final Function<String, Optional<T>> lastKnown;
  private final WatchErrorHandler watchErrorHandler;
  private final Duration resyncPeriod;
  private final BooleanSupplier shouldResync;
  private final InformerMetrics metrics;

  private final boolean useWatchList;
  private final Clock clock;
  private final DelayFunction delays;
  private final RetryWithDeadline internalErrors;
  private final ReflectorVitals vitals;
  private final ReflectorPosition position;

  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean stopped;

  /** The watch that is open. Timers and stop() may close it. */
  private volatile @Nullable OpenWatch<T> current;

  private Timers timers;
  private State afterBackingOff = State.NEW;
  private Duration bookmarkWait;
  private int earlyEnds;
  private Timers.@Nullable Timer resync;

  private Reflector(Builder<T> builder) {
    listerWatcher = builder.listerWatcher;
    store = builder.store;
    options = builder.options;
    transform = builder.checkedTransform();
    lastKnown = builder.lastKnown;
    watchErrorHandler = builder.watchErrorHandler;
    resyncPeriod = builder.resyncPeriod;
    shouldResync = builder.shouldResync;
    metrics = builder.metrics;
    useWatchList = options.useWatchList() && !listerWatcher.isWatchListSemanticsUnsupported();
    clock = options.clock();
    timers = newTimers();
    delays = options.delays();
    internalErrors =
        new RetryWithDeadline(
            options.maxInternalErrorRetryDuration(), INTERNAL_ERRORS_QUIET_PERIOD, clock);
    vitals = new ReflectorVitals(clock);
    position = new ReflectorPosition(options.watchListPageSize());
    bookmarkWait = options.initialEventsTimeout();
  }

  /** Returns a builder of reflectors that keep the store equal to what the source gives. */
  public static <T extends KubernetesObject> Builder<T> builder(
      ListerWatcher<T> listerWatcher, ReflectorStore<T> store) {
    return new Builder<>(listerWatcher, store);
  }

  /** Returns what it is called in logs. */
  public String name() {
    return options.name();
  }

  /** Returns what it is doing. */
  public State state() {
    return vitals.state;
  }

  /**
   * Returns up to which version the collection is known; empty at first. If the store is a queue,
   * what is behind it lags behind this: see {@link Store#lastStoreSyncResourceVersion}.
   */
  public String lastSyncResourceVersion() {
    return position.lastSyncResourceVersion();
  }

  ReflectorVitals vitals() {
    return vitals;
  }

  // ---- the machine

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
    timers = newTimers();
    State next = beginning();
    try {
      while (!stopped) {
        vitals.state = next;
        next = enter(next);
      }
    } finally {
      closeWatch();
      vitals.state = State.STOPPED;
      running.set(false);
      timers.stop();
    }
  }

  /** For simulations, which run timers without a thread. */
  Timers timers() {
    return timers;
  }

  private Timers newTimers() {
    return new Timers(clock, options.threadFactory(), options.name() + " timers");
  }

  private State enter(State state) throws InterruptedException {
    try {
      return switch (state) {
        case STREAMING -> stream();
        case LISTING -> list();
        case WATCHING -> watch();
        case BACKING_OFF -> backOff();
        case NEW, STOPPED -> throw new AssertionError(state);
      };
    } catch (RuntimeException e) {
      report(e);
      return endRound();
    }
  }

  private State beginning() {
    return useWatchList ? State.STREAMING : State.LISTING;
  }

  private State endRound() {
    if (resync != null) {
      resync.cancel();
    }
    closeWatch();
    earlyEnds = 0;
    return backOffBefore(beginning());
  }

  private State backOffBefore(State next) {
    afterBackingOff = next;
    return State.BACKING_OFF;
  }

  private State backOff() throws InterruptedException {
    clock.sleep(delays.next());
    return afterBackingOff;
  }

  /** Makes {@link #run} return, if in addition its thread is interrupted. */
  void stop() {
    stopped = true;
    vitals.state = State.STOPPED;
    OpenWatch<T> watch = current;
    if (watch != null) {
      watch.close();
    }
  }

  // ---- STREAMING

  private State stream() throws InterruptedException {
    long start = clock.nanoTime();
    InitialEvents<T> initial = new InitialEvents<>(newSnapshot());
    try {
      OpenWatch<T> watch = open(position.streamOptions(watchTimeout()));
      watch.endIfSilent(bookmarkWait, bookmarkWait);
      if (!readUntil(watch, initial)) {
        closeWatch();
        return streamEnded(watch);
      }
    } catch (KubernetesException e) {
      closeWatch();
      return streamFailed(e);
    }
    bookmarkWait = options.initialEventsTimeout();
    return populated(initial.snapshot(), initial.resourceVersion(), start, true);
  }

  /** The stream is over, but the initial events were not. */
  private State streamEnded(OpenWatch<T> watch) {
    if (watch.isEndedForSilence()) {
      LOG.log(
          Level.WARNING,
          "The initial events of a watch did not end, the collection is listed instead; something"
              + " between here and the server may not support streaming lists: reflector={0}"
              + " events={1} silence={2}",
          name(),
          watch.events(),
          bookmarkWait);
      bookmarkWait = SHORT_BOOKMARK_WAIT;
      return State.LISTING;
    }
    boolean supported = watch.events() > 0 || !watch.isShort();
    return supported && ++earlyEnds < MAX_EARLY_ENDS
        ? backOffBefore(State.STREAMING)
        : State.LISTING;
  }

  private State streamFailed(KubernetesException error) {
    if (ServerErrors.isWatchErrorRetriable(error)) {
      vitals.failed(error);
      return backOffBefore(State.STREAMING);
    }
    if (isVersionRefused(error) && position.versionRefused()) {
      return State.STREAMING;
    }
    // Expected of servers that do not support streaming lists.
    LOG.log(
        Level.DEBUG, () -> "Cannot stream, the collection is listed: reflector=" + name(), error);
    return State.LISTING;
  }

  private static boolean isVersionRefused(Throwable error) {
    return ServerErrors.isExpired(error) || ServerErrors.isTooLargeResourceVersion(error);
  }

  // ---- LISTING

  private State list() throws InterruptedException {
    long start = clock.nanoTime();
    ListOptions request = position.listOptions();
    Pager<T> pager = Pager.<T>of(listerWatcher::list).withPageSize(position.pageSize(request));
    Pager.Listed<Snapshot<T>> listed;
    try {
      listed = pager.list(request, this::newSnapshot);
    } catch (ApiStatusException e) {
      if (!isVersionRefused(e)) {
        throw e;
      }
      position.versionRefused();
      listed = pager.list(position.listOptions(), this::newSnapshot);
    }
    position.listed(request, listed.paginated());
    ListMeta metadata = listed.metadata();
    String version = metadata.resourceVersion() == null ? "" : metadata.resourceVersion();
    return populated(listed.sink(), version, start, false);
  }

  private Snapshot<T> newSnapshot() {
    return new Snapshot<>(KeyFunction.metaNamespace(), transform, lastKnown, this::report);
  }

  private State populated(Snapshot<T> snapshot, String version, long start, boolean streamed) {
    store.replace(snapshot.objects(), snapshot.unreadable(), version);
    position.replaced(version);
    Duration duration = Duration.ofNanos(clock.nanoTime() - start);
    vitals.listed();
    metrics.listed(duration, snapshot.size(), streamed);
    if (duration.compareTo(SLOW_LIST) > 0) {
      LOG.log(
          Level.INFO,
          "Reading the collection took long: reflector={0} duration={1} objects={2}",
          name(),
          duration,
          snapshot.size());
    }
    if (!resyncPeriod.isZero()) {
      resync = timers.after(resyncPeriod, this::resync);
    }
    return State.WATCHING;
  }

  // ---- WATCHING

  private State watch() throws InterruptedException {
    OpenWatch<T> watch = current; // The one that is past its initial events, after STREAMING.
    boolean inOrder = watch != null || !position.watchBeginsWithObjects();
    if (watch == null) {
      try {
        watch = open(position.watchOptions(watchTimeout()));
      } catch (KubernetesException e) {
        if (ServerErrors.isWatchErrorRetriable(e)) {
          vitals.failed(e);
          return backOffBefore(State.WATCHING);
        }
        throw e;
      }
    }
    try {
      watch.endIfSilent(watch.timeout().plus(WATCH_GRACE), WATCH_GRACE);
      readUntil(watch, new Changes<>(store, transform, position, inOrder, this::report));
    } catch (KubernetesException e) {
      return watchFailed(watch, e);
    } finally {
      closeWatch();
      metrics.watched(watch.age(), watch.events());
    }
    return watchEnded(watch);
  }

  private State watchFailed(OpenWatch<T> watch, KubernetesException error) {
    if (ServerErrors.isTooManyRequests(error)) {
      vitals.failed(error);
      return backOffBefore(State.WATCHING);
    }
    boolean connectionLost = error instanceof TransportException;
    if (connectionLost
        || (ServerErrors.isInternalError(error) && internalErrors.shouldRetryAfterError())) {
      vitals.failed(error);
      return watchAgain(watch);
    }
    throw error;
  }

  private State watchEnded(OpenWatch<T> watch) {
    RuntimeException cause = watch.endedBy();
    if (cause != null) {
      throw cause;
    }
    if (watch.events() == 0 && watch.isShort() && !stopped) {
      // Either the server is in trouble, or it has lost the version but does not say so.
      throw new TransportException(
          TransportException.Kind.CONNECTION_LOST,
          "the watch ended within a second and without an event: " + name(),
          null);
    }
    return watchAgain(watch);
  }

  private State watchAgain(OpenWatch<T> watch) {
    return watch.isShort() ? backOffBefore(State.WATCHING) : State.WATCHING;
  }

  // ---- for all states

  /** Asks the server to end the watch after a while: not all clients' watches at the same time. */
  private Duration watchTimeout() {
    long min = options.minWatchTimeout().toSeconds();
    return Duration.ofSeconds(min + (long) (options.random().nextDouble() * min));
  }

  private OpenWatch<T> open(ListOptions request) throws InterruptedException {
    long start = clock.nanoTime();
    Duration timeout = requireNonNull(request.timeout());
    OpenWatch<T> watch =
        new OpenWatch<>(listerWatcher.watch(request), timeout, start, clock, timers);
    current = watch;
    return watch;
  }

  /** Takes events until a case says that it is enough; returns false if the watch ended before. */
  private boolean readUntil(OpenWatch<T> watch, WatchEvent.Cases<T, Boolean> enough)
      throws InterruptedException {
    Optional<WatchEvent<T>> event = watch.next();
    while (event.isPresent()) {
      vitals.event();
      if (event.get().match(enough)) {
        return true;
      }
      event = watch.next();
    }
    return false;
  }

  private void closeWatch() {
    OpenWatch<T> watch = current;
    if (watch != null) {
      current = null;
      watch.close();
    }
  }

  /** Run by the timers. */
  private Optional<Duration> resync() {
    try {
      if (shouldResync.getAsBoolean()) {
        store.resync();
      }
    } catch (RuntimeException e) {
      OpenWatch<T> watch = current;
      if (watch != null) {
        watch.end(e);
      }
    }
    return Optional.of(resyncPeriod);
  }

  /** Tells whom it may concern of an error. */
  void report(RuntimeException error) {
    if (stopped) {
      return;
    }
    vitals.failed(error);
    metrics.failed(error);
    try {
      watchErrorHandler.onError(this, error);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, () -> "The watch error handler failed: reflector=" + name(), e);
    }
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
    private Duration resyncPeriod = Duration.ZERO;
    private BooleanSupplier shouldResync = () -> true;
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

    /**
     * Sets how to find what readers have under a key: {@code indexer::getByKey}. Then an object
     * that is listed again, unchanged, is not held twice. Default: nothing is found.
     */
    public Builder<T> lastKnown(Function<String, Optional<T>> lastKnown) {
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
      this.resyncPeriod = requireNonNull(resyncPeriod, "resyncPeriod");
      this.shouldResync = requireNonNull(shouldResync, "shouldResync");
      return this;
    }

    /** Sets where to report what happens. Default: nowhere. */
    public Builder<T> metrics(InformerMetrics metrics) {
      this.metrics = requireNonNull(metrics, "metrics");
      return this;
    }

    /** Returns a reflector that has not been started. */
    public Reflector<T> build() {
      return new Reflector<>(this);
    }
  }
}
