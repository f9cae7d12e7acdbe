package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.runtime.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.clock.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
   * A state machine, run by one thread. Each state is a class that does what there is to do and
   * says what is next: ReflectorWatchList (STREAMING), ReflectorList (LISTING) and ReflectorWatch
   * (WATCHING).
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
   *                                                                 the version has expired, or
   *                                                                 is not there any more
   *
   *   * LISTING is where a round begins if streaming is not to be used, and where STREAMING goes if
   *     the server does not support it or does not get to an end.
   *   (pause) is BACKING_OFF: before the same state is tried again, or before a new round. There is
   *     no way around it, so no answer of a server, however odd, makes this spin. ReflectorBackoff
   *     says how long it is: short after a stream that ended early but had events, growing else.
   *
   * What is remembered from one round to the next is in ReflectorPosition, which also makes the
   * requests. It may be ahead of what readers of the cache see, because a queue is in between.
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

  private final ReflectorStore<T> store;
  private final ReflectorOptions options;
  private final WatchErrorHandler watchErrorHandler;
  private final @Nullable ResyncPolicy resyncPolicy;
  private final InformerMetrics metrics;
  private final Clock clock;
  private final ReflectorBackoff backoff;
  private final State beginning;

  private final ReflectorVitals vitals;
  private final ReflectorPosition position;
  private final WatchSlot<T> slot;
  private final ReflectorWatchList<T> streaming;
  private final ReflectorList<T> listing;
  private final ReflectorWatch<T> watching;

  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean stopped;

  private Timers timers;
  private Timers.@Nullable Timer resync;

  private Reflector(Builder<T> builder) {
    // All that it ever reads has its strings in common, from one list and watch to the next.
    ListerWatcher<T> source = builder.listerWatcher.sharing(DecodeContext.ofStore());
    store = builder.store;
    options = builder.options;
    watchErrorHandler = builder.watchErrorHandler;
    resyncPolicy = builder.resyncPolicy;
    metrics = builder.metrics;
    clock = options.clock();
    backoff = new ReflectorBackoff(options);
    beginning =
        options.useWatchList() && !source.isWatchListSemanticsUnsupported()
            ? State.STREAMING
            : State.LISTING;
    timers = newTimers();
    vitals = new ReflectorVitals(clock);
    position = new ReflectorPosition(options.watchListPageSize());
    slot = new WatchSlot<>(source, options, vitals, this);

    TransformFunction<T> transform = builder.checkedTransform();
    SnapshotStore<T> snapshots =
        new SnapshotStore<>(
            name(),
            store,
            () -> new Snapshot<>(KeyFunction.metaNamespace(), transform, builder.lastKnown, this),
            position,
            vitals,
            metrics,
            clock);
    streaming = new ReflectorWatchList<>(slot, snapshots, position, vitals, backoff, options);
    listing = new ReflectorList<>(source, snapshots, position, clock);
    watching =
        new ReflectorWatch<>(
            source,
            slot,
            inOrder -> new Changes<>(store, transform, position, inOrder, this),
            position,
            vitals,
            metrics,
            backoff,
            options);
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
    resync = null;
    NextStep next = NextStep.now(beginning);
    try {
      while (!stopped) {
        next = enter(next);
      }
    } finally {
      slot.close();
      vitals.state = State.STOPPED;
      running.set(false);
      timers.stop();
    }
  }

  /** Does what is to be done, and returns what is next. */
  private NextStep enter(NextStep step) throws InterruptedException {
    if (!step.pause().isZero()) {
      vitals.state = State.BACKING_OFF;
      clock.sleep(step.pause());
      return NextStep.now(step.state());
    }
    vitals.state = step.state();
    try {
      return switch (step.state()) {
        case STREAMING -> streaming.run();
        case LISTING -> listing.run();
        case WATCHING -> {
          startResync();
          yield watching.run();
        }
        case NEW, BACKING_OFF, STOPPED -> throw new AssertionError(step);
      };
    } catch (RuntimeException e) {
      report(e);
      return endRound();
    }
  }

  private NextStep endRound() {
    if (resync != null) {
      resync.cancel();
      resync = null;
    }
    slot.close();
    streaming.newRound();
    return NextStep.after(backoff.afterFailure(), beginning);
  }

  /** Makes {@link #run} return, if in addition its thread is interrupted. */
  void stop() {
    stopped = true;
    vitals.state = State.STOPPED;
    slot.end(null);
  }

  Clock clock() {
    return clock;
  }

  Timers timers() {
    return timers;
  }

  private Timers newTimers() {
    return new Timers(clock, options.threadFactory(), options.name() + " timers");
  }

  // ---- resync

  private void startResync() {
    if (resyncPolicy == null || resync != null) {
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
      slot.end(e);
    }
    return Optional.of(period);
  }

  // ---- errors

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
