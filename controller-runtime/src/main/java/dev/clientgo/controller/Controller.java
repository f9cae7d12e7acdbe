package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls a {@link Reconciler} for each object of a kind, whenever the object, an object that it
 * owns, or another object that concerns it has changed.
 *
 * <pre>{@code
 * Controller foos =
 *     Controller.builder(new FooReconciler())
 *         .forKind(Foo.TYPE)
 *         .owns(Deployment.TYPE)
 *         .watches(Secret.TYPE, secret -> foosThatUse(secret))
 *         .workers(4)
 *         .build();
 * manager.add(foos);
 * }</pre>
 *
 * <p><b>Guarantees.</b> An object is never with two workers at once. Many events before a reconcile
 * are one request; an event during a reconcile leads to another one. A request is never lost: a
 * reconcile that fails is tried again, after 5 ms at first, twice as long each time, and 1000 s at
 * most. Workers begin when the caches are filled. The objects of the first list and those of
 * resyncs have priority -100, so that changes go before them.
 *
 * <p>A {@link Manager} starts and ends it. A controller lives once: for another life, build another
 * one. Safe for use by many threads.
 *
 * <p>Corresponds to controller-runtime's {@code controller.Controller} and {@code
 * builder.ControllerManagedBy}.
 */
public final class Controller {

  /** The default of {@link Builder#cacheSyncTimeout}: two minutes. */
  public static final Duration DEFAULT_CACHE_SYNC_TIMEOUT = Duration.ofMinutes(2);

  /** After how long a controller that still waits for its caches says so in the log. */
  private static final Duration SYNC_WARNING = Duration.ofSeconds(10);

  /*
   * One thread starts the controller: it starts the sources, waits for the caches, and starts the
   * workers. The lock guards the states, and is never held while something is waited for.
   */

  private final Builder options;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private ControllerState state = ControllerState.NEW;

  @GuardedBy("lock")
  private @Nullable RuntimeException failure;

  @GuardedBy("lock")
  private @Nullable Run run;

  private Controller(Builder options, String name) {
    this.options = options;
    this.name = name;
  }

  /** Returns a builder of controllers that call the reconciler. */
  public static Builder builder(Reconciler reconciler) {
    return new Builder(reconciler);
  }

  /** Returns the name, which labels metrics and log lines. */
  public String name() {
    return name;
  }

  /** Returns the state. */
  public ControllerState state() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Returns why the controller has failed; empty if it has not. */
  public Optional<RuntimeException> failure() {
    lock.lock();
    try {
      return Optional.ofNullable(failure);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a request to the queue, for causes that no watch shows: a timer, a webhook, another
   * system. Does nothing if the controller is not started or already closed; it reconciles each
   * object when it starts in any case.
   *
   * <p>Corresponds to controller-runtime's {@code source.Channel}.
   */
  public void enqueue(Request request) {
    requireNonNull(request, "request");
    Run current;
    lock.lock();
    try {
      current = run;
    } finally {
      lock.unlock();
    }
    if (current != null) {
      current.queue.add(request);
    }
  }

  @Override
  public String toString() {
    return "Controller[name=" + name + ", state=" + state() + "]";
  }

  // ---- lifecycle, for the manager

  /**
   * Starts the controller and returns at once.
   *
   * @throws IllegalStateException if it was started before
   */
  void start(Environment environment) {
    lock.lock();
    try {
      if (state != ControllerState.NEW) {
        throw new IllegalStateException(
            "the controller "
                + name
                + " was started before, and lives only once: build another one");
      }
      state = ControllerState.SYNCING;
      run = new Run(environment);
      run.starter.start();
    } finally {
      lock.unlock();
    }
  }

  /** Begins to end the controller: no worker begins another reconcile. */
  void shutDown() {
    Run current;
    lock.lock();
    try {
      state = ControllerState.CLOSED;
      current = run;
    } finally {
      lock.unlock();
    }
    if (current != null) {
      current.queue.shutDown();
    }
  }

  /**
   * Ends the controller, after {@link #shutDown}.
   *
   * @param grace how long reconciles may take before they are interrupted
   * @return whether all reconciles have ended
   */
  boolean close(Duration grace) {
    shutDown();
    Run current;
    lock.lock();
    try {
      current = run;
    } finally {
      lock.unlock();
    }
    boolean ended = current == null || current.close(grace);
    lock.lock();
    try {
      run = null;
    } finally {
      lock.unlock();
    }
    return ended;
  }

  /** Returns whether this works only while the process leads. */
  boolean needsLeadership() {
    return options.needsLeadership;
  }

  /** Returns whether the calling thread is one of this controller's workers. */
  boolean isWorker() {
    Run current;
    lock.lock();
    try {
      current = run;
    } finally {
      lock.unlock();
    }
    return current != null && current.workers.containCurrentThread();
  }

  /** Returns the kinds whose caches are not filled yet, and why. */
  String pending() {
    Run current;
    lock.lock();
    try {
      current = run;
    } finally {
      lock.unlock();
    }
    return current == null ? "" : current.pending();
  }

  /** Moves to a state, unless the controller was closed meanwhile. */
  private boolean moveTo(ControllerState next, @Nullable RuntimeException error) {
    lock.lock();
    try {
      if (state == ControllerState.CLOSED) {
        return false;
      }
      state = next;
      failure = error;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The parts of a started controller. */
  private final class Run {

    private final Environment environment;
    private final ReconcileLog log;
    private final ReconcileMetrics metrics;
    private final PriorityQueue<Request> queue;
    private final List<KindSource<?>> sources = new ArrayList<>();
    private final ClientScope scope;
    private final ReconcileWorkers workers;
    private final Thread starter;

    Run(Environment environment) {
      this.environment = environment;
      Clock clock = environment.clock();
      log = new ReconcileLog(name, clock);
      metrics = new ReconcileMetrics(environment.metrics(), name, options.workers);
      QueueConfig config =
          QueueConfig.builder().name(name).clock(clock).metricsProvider(metrics).build();
      queue = PriorityQueue.create(options.rateLimiter(), config);
      options.watches.forEach(watch -> sources.add(watch.source(options.predicate, queue, log)));
      scope = new ClientScope(environment.informers(), options.cacheSyncTimeout);
      workers = new ReconcileWorkers(options, name, queue, scope, metrics, log, clock);
      starter = DaemonThreads.named("controller-" + name + "-").newThread(this::start);
    }

    private void start() {
      try {
        if (options.needsLeadership && !options.warmUp) {
          awaitLeadership();
          moveTo(ControllerState.SYNCING, null);
        }
        for (KindSource<?> source : sources) {
          source.start(environment.informers(), name);
        }
        awaitSynced();
        RESTClient client = options.needsLeadership ? awaitLeadership() : environment.client();
        if (moveTo(ControllerState.RUNNING, null)) {
          workers.start(client);
          log.info("The controller is running");
        }
      } catch (InterruptedException e) {
        return; // The controller is being closed.
      } catch (RuntimeException e) {
        moveTo(ControllerState.FAILED, e);
      }
      environment.manager().controllerChanged(Controller.this);
    }

    /** Waits until this process leads; returns the client that writes only then. */
    private RESTClient awaitLeadership() throws InterruptedException {
      if (!environment.leadership().hasBegun()) {
        moveTo(ControllerState.STANDBY, null);
        environment.manager().controllerChanged(Controller.this);
      }
      return environment.leadership().await();
    }

    private void awaitSynced() throws InterruptedException {
      Clock clock = environment.clock();
      Duration timeout = options.cacheSyncTimeout;
      long start = clock.nanoTime();
      boolean warned = false;
      for (KindSource<?> source : sources) {
        Duration left = timeout.minusNanos(clock.nanoTime() - start);
        if (!warned && left.compareTo(SYNC_WARNING) > 0) {
          if (source.awaitSynced(SYNC_WARNING)) {
            continue;
          }
          warned = true;
          log.warning("The controller waits for the cache of " + source.problem());
          left = timeout.minusNanos(clock.nanoTime() - start);
        }
        if (!source.awaitSynced(left)) {
          throw new CacheSyncException(
              "controller "
                  + name
                  + ": the cache was not filled within "
                  + timeout
                  + ": "
                  + source.problem());
        }
      }
    }

    String pending() {
      return sources.stream()
          .filter(source -> !source.isSynced())
          .map(KindSource::problem)
          .collect(Collectors.joining(", "));
    }

    boolean close(Duration grace) {
      starter.interrupt();
      // First the workers: a reconcile that still runs reads the caches.
      boolean joined = joinStarter();
      boolean ended = workers.close(grace) && joined;
      sources.forEach(KindSource::close);
      scope.close();
      queue.close();
      metrics.removeAll();
      return ended;
    }

    private boolean joinStarter() {
      if (starter == Thread.currentThread()) {
        return true;
      }
      try {
        starter.join();
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  // ---- building

  /** A kind to watch. */
  private record Watch<T extends KubernetesObject>(
      ResourceType<T> type, MapFunction<T> map, Predicate<? super T> predicate) {

    KindSource<T> source(
        Predicate<KubernetesObject> all, PriorityQueue<Request> queue, ReconcileLog log) {
      Predicate<T> both = Predicate.<T>everything().and(predicate).and(all);
      return new KindSource<>(type, map, both, queue, log);
    }
  }

  /** Builds a {@link Controller}. Not safe for use by many threads. */
  public static final class Builder {

    final Reconciler reconciler;
    private @Nullable String name;
    private @Nullable ResourceType<?> kind;
    private boolean owns;
    private final List<Watch<?>> watches = new ArrayList<>();
    private Predicate<KubernetesObject> predicate = Predicate.everything();
    int workers = 1;
    private @Nullable RateLimiter<? super Request> rateLimiter;
    @Nullable Duration reconcileTimeout;
    private Duration cacheSyncTimeout = DEFAULT_CACHE_SYNC_TIMEOUT;
    boolean waitForOwnWrites;
    private boolean needsLeadership = true;
    private boolean warmUp;

    private Builder(Reconciler reconciler) {
      this.reconciler = requireNonNull(reconciler, "reconciler");
    }

    private Builder(Builder other) {
      reconciler = other.reconciler;
      name = other.name;
      kind = other.kind;
      owns = other.owns;
      watches.addAll(other.watches);
      predicate = other.predicate;
      workers = other.workers;
      rateLimiter = other.rateLimiter;
      reconcileTimeout = other.reconcileTimeout;
      cacheSyncTimeout = other.cacheSyncTimeout;
      waitForOwnWrites = other.waitForOwnWrites;
      needsLeadership = other.needsLeadership;
      warmUp = other.warmUp;
    }

    /** Sets the kind of the objects to reconcile: each change of one is a request for it. */
    public Builder forKind(ResourceType<? extends KubernetesObject> type) {
      return forKind(type, Predicate.everything());
    }

    /**
     * Sets the kind of the objects to reconcile.
     *
     * @param predicate decides which changes are requests
     * @throws IllegalStateException if the kind is set already
     */
    public <T extends KubernetesObject> Builder forKind(
        ResourceType<T> type, Predicate<? super T> predicate) {
      if (kind != null) {
        throw new IllegalStateException(
            "a controller is for one kind, and this one is for " + kind + ": use watches(…)");
      }
      kind = requireNonNull(type, "type");
      return watches(type, MapFunction.self(), predicate);
    }

    /**
     * Adds a kind of objects that the reconciler creates: each change of one whose controller is of
     * {@link #forKind}'s kind is a request for that one.
     *
     * @throws IllegalStateException if {@link #forKind} was not called before
     */
    public Builder owns(ResourceType<? extends KubernetesObject> type) {
      return owns(type, Predicate.everything());
    }

    /**
     * Adds a kind of objects that the reconciler creates.
     *
     * @param predicate decides which changes are requests
     * @throws IllegalStateException if {@link #forKind} was not called before
     */
    public <T extends KubernetesObject> Builder owns(
        ResourceType<T> type, Predicate<? super T> predicate) {
      if (kind == null) {
        throw new IllegalStateException("call forKind before owns: owners are found by their kind");
      }
      return watches(type, MapFunction.controller(kind), predicate);
    }

    /**
     * Adds a kind of other objects that concern the reconciled ones.
     *
     * @param map finds the requests for an object that has changed
     */
    public <T extends KubernetesObject> Builder watches(ResourceType<T> type, MapFunction<T> map) {
      return watches(type, map, Predicate.everything());
    }

    /**
     * Adds a kind of other objects that concern the reconciled ones.
     *
     * @param map finds the requests for an object that has changed
     * @param predicate decides which changes are requests
     */
    public <T extends KubernetesObject> Builder watches(
        ResourceType<T> type, MapFunction<T> map, Predicate<? super T> predicate) {
      watches.add(
          new Watch<>(
              requireNonNull(type, "type"),
              requireNonNull(map, "map"),
              requireNonNull(predicate, "predicate")));
      return this;
    }

    /**
     * Sets a predicate for the events of all kinds, beside those of each. Default: all pass.
     *
     * <p>Corresponds to controller-runtime's {@code WithEventFilter}.
     */
    public Builder predicate(Predicate<KubernetesObject> predicate) {
      this.predicate = requireNonNull(predicate, "predicate");
      return this;
    }

    /**
     * Sets the name: a label of metrics and log lines, unique in a manager. Default: the kind of
     * {@link #forKind} in lower case.
     */
    public Builder named(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("the name of a controller must not be blank");
      }
      this.name = name;
      return this;
    }

    /**
     * Sets how many objects are reconciled at the same time. Default: 1.
     *
     * <p>Corresponds to controller-runtime's {@code MaxConcurrentReconciles}.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder workers(int workers) {
      if (workers < 1) {
        throw new IllegalArgumentException("there must be at least one worker: " + workers);
      }
      this.workers = workers;
      return this;
    }

    /**
     * Sets how long requests that failed wait. Default: 5 ms, twice as long each time, and 1000 s
     * at most, for each request on its own.
     */
    public Builder rateLimiter(RateLimiter<? super Request> rateLimiter) {
      this.rateLimiter = requireNonNull(rateLimiter, "rateLimiter");
      return this;
    }

    RateLimiter<? super Request> rateLimiter() {
      return rateLimiter != null
          ? rateLimiter
          : RateLimiter.<Request>itemExponentialFailure(
              Duration.ofMillis(5), Duration.ofSeconds(1000));
    }

    /**
     * Sets how long a reconcile may take. After that time its thread is interrupted, and the
     * request is tried again if the reconciler throws. Default: no limit; a reconcile that takes
     * longer than a minute is a warning in the log, with the place where it is.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder reconcileTimeout(Duration reconcileTimeout) {
      this.reconcileTimeout = positive(reconcileTimeout, "reconcileTimeout");
      return this;
    }

    /**
     * Sets how long the controller waits for its caches to be filled, before it fails. Default: two
     * minutes.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder cacheSyncTimeout(Duration cacheSyncTimeout) {
      this.cacheSyncTimeout = positive(cacheSyncTimeout, "cacheSyncTimeout");
      return this;
    }

    /**
     * Sets whether a request waits until the caches show what its last reconcile has written
     * through {@link Context#client}. Reads show it in any case; this is for reconcilers that also
     * read caches of their own, or that should not run twice for one change. Default: false.
     */
    public Builder waitForOwnWrites(boolean waitForOwnWrites) {
      this.waitForOwnWrites = waitForOwnWrites;
      return this;
    }

    /**
     * Sets whether the controller works only while this process leads. It matters only if the
     * manager {@linkplain Manager.Builder#leaderElection elects a leader}. Default: true.
     *
     * <p>Corresponds to controller-runtime's {@code NeedLeaderElection}.
     */
    public Builder needsLeadership(boolean needsLeadership) {
      this.needsLeadership = needsLeadership;
      return this;
    }

    /**
     * Sets whether the caches are filled before this process leads, so that it can take over at
     * once. It costs the memory of the caches and the watches meanwhile. Default: false.
     *
     * <p>Corresponds to controller-runtime's {@code EnableWarmup}.
     */
    public Builder warmUp(boolean warmUp) {
      this.warmUp = warmUp;
      return this;
    }

    private static Duration positive(Duration duration, String name) {
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException(name + " must be positive: " + duration);
      }
      return duration;
    }

    /**
     * Returns a controller, for {@link Manager#add}.
     *
     * @throws IllegalStateException if it has no name, or nothing to watch
     */
    public Controller build() {
      if (watches.isEmpty()) {
        throw new IllegalStateException(
            "the controller watches nothing, so nothing would ever call the reconciler: call"
                + " forKind(…) or watches(…)");
      }
      return new Controller(new Builder(this), name != null ? name : nameOfKind());
    }

    private String nameOfKind() {
      if (kind == null) {
        throw new IllegalStateException("a controller without forKind needs a name: call named(…)");
      }
      String kindName = kind.kind().kind();
      return (kindName.isEmpty() ? kind.resource().resource() : kindName).toLowerCase(Locale.ROOT);
    }
  }
}
