package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.Deadline;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.controller.internal.reconcile.Attempt;
import dev.clientgo.controller.internal.reconcile.CallbackGuard;
import dev.clientgo.controller.internal.reconcile.FlightRecording;
import dev.clientgo.controller.internal.reconcile.LastStep;
import dev.clientgo.controller.internal.reconcile.OwnWritesGate;
import dev.clientgo.controller.internal.reconcile.ReconcileLog;
import dev.clientgo.controller.internal.reconcile.ReconcilePace;
import dev.clientgo.controller.internal.reconcile.ReconcileTerm;
import dev.clientgo.controller.internal.reconcile.ReconcileWorkers;
import dev.clientgo.controller.internal.shards.RequestShards;
import dev.clientgo.controller.internal.source.KindSource;
import dev.clientgo.controller.internal.source.PollSource;
import dev.clientgo.controller.internal.source.RequestIntake;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardListener;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RequestGuard;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a started controller: the sources, the queue and the workers. A separate thread
 * starts the sources, waits for their caches, and starts the workers.
 */
final class ControllerRun {

  /** Receives the states that a run reaches. */
  interface Listener {

    /** Moves to a state; returns false if the controller was closed meanwhile. */
    boolean moveTo(ControllerState state, @Nullable RuntimeException failure);

    boolean isClosed();

    /** The workers have started: the queue receives what the program has enqueued before. */
    void accept();

    /** The controller is in another state, of which its manager should know. */
    void changed();
  }

  /** A controller that waits longer than this for its caches logs it. */
  private static final Duration SYNC_WARNING = Duration.ofSeconds(10);

  private final ControllerOptions options;
  private final Listener listener;

  private final Environment environment;
  private final ReconcileLog log;
  private final ReconcileMetrics metrics;
  private final CallbackGuard callbacks;
  private final ControllerRecording<Request> recording;
  private final PriorityQueue<Request> queue;
  private final RequestIntake<Request> intake;

  /** Calls the observers of the program. */
  private final List<ObservedReconcile> observers;

  private final List<KindSource<?, Request>> sources = new CopyOnWriteArrayList<>();
  private final List<PollSource<Request>> polls = new CopyOnWriteArrayList<>();
  private final ClientScope scope;

  /** Reads for mappings. */
  private final Client mappingClient;

  private final @Nullable RequestShards<Request> shards;

  /** The kind whose cache holds only the objects of this replica; null if there is none. */
  private final @Nullable ResourceType<?> shardKind;

  private final ReconcileWorkers<Request> workers;
  private final Thread starter;

  private final ShardListener slots =
      new ShardListener() {
        @Override
        public void taken(SortedSet<Integer> slots) {
          ControllerRun.this.taken(requireNonNull(shards).group(), slots);
        }
      };

  ControllerRun(ControllerOptions options, Environment environment, Listener listener) {
    this.options = options;
    this.listener = listener;
    this.environment = environment;
    String name = options.name();
    Clock clock = environment.clock();
    // First what a user's code makes: it may throw, and nothing is open yet.
    Reconciler reconciler = environment.reconcilers().apply(options.reconciler());
    EventRecorder events = environment.events().recorder(name);
    starter = environment.threadFactory().newThread(this::bringUp);
    starter.setName("controller-" + name + "-start");
    log = new ReconcileLog(name, clock);
    metrics = new ReconcileMetrics(environment.metrics(), name, options.workers().most());
    callbacks = new CallbackGuard(name, log::warn, metrics::crashed);
    QueueConfig config =
        QueueConfig.builder().name(name).clock(clock).metricsProvider(metrics).build();
    RateLimiter<? super Request> limiter = options.rateLimiter();
    queue =
        limiter == null
            ? PriorityQueue.create(config)
            : PriorityQueue.create(counting(callbacks.limiter(limiter)), config);
    recording = environment.recording(name);
    ShardGroup group = environment.isSharded(options) ? environment.shards().group() : null;
    shardKind = group != null && options.shardedCache() ? options.kind() : null;
    shards =
        group == null ? null : new RequestShards<>(group, clock, this::uidOf, this::existsOnServer);
    observers = new ArrayList<>();
    for (ReconcileObserver observer : environment.observers()) {
      String each = "Observer " + (observers.size() + 1) + ": ";
      observers.add(new ObservedReconcile(each, name, observer, callbacks));
    }
    intake = new RequestIntake<>(queue, recording, environment.fights(), observers, shards);
    scope =
        new ClientScope(
            environment.informers(),
            type -> options.scope(type, environment.informers().scopes()),
            shardKind,
            options.cacheSyncTimeout(),
            new AppliedConfigurations(metrics::applySent, metrics::applySkipped),
            recording,
            environment.fights());
    mappingClient =
        new Client(
            scope, environment.client().guardedBy(ControllerRun::refuseWrite), null, null, null);
    options.watches().forEach(watch -> sources.add(source(watch)));
    try {
      workers =
          new ReconcileWorkers<>(
              name,
              options.workers(),
              lastStep(
                  new ReconcilerCall(
                      name,
                      reconciler,
                      options.reconcileTimeout(),
                      scope,
                      events,
                      options.kind(),
                      options.owned(),
                      environment.random()::nextLong)),
              queue,
              environment.fights(),
              metrics,
              recording,
              log,
              clock,
              environment.threadFactory());
    } catch (Throwable e) { // Of the user's thread factory.
      queue.close();
      metrics.removeAll();
      throw e;
    }
  }

  /** Starts and returns at once. */
  void start() {
    if (shards != null) {
      shards.group().addListener(slots);
      environment.shards().add(this);
    }
    try {
      starter.start();
    } catch (Throwable e) { // No memory for a thread.
      close(Duration.ZERO);
      throw e;
    }
  }

  /** Returns a limiter that counts the failures of each request, which the other may not do. */
  private static RateLimiter<Request> counting(RateLimiter<Request> limiter) {
    return RateLimiter.maxOf(
        List.of(limiter, RateLimiter.itemExponentialFailure(Duration.ZERO, Duration.ZERO)));
  }

  private Optional<String> uidOf(Request request) {
    return sources.stream()
        .filter(KindSource::isPrimary)
        .findFirst()
        .flatMap(source -> source.uidOf(request.objectName()));
  }

  private boolean existsOnServer(Request request) throws InterruptedException {
    for (KindSource<?, Request> source : sources) {
      if (source.isPrimary()) {
        return source.existsOnServer(request.objectName());
      }
    }
    return false;
  }

  private static void refuseWrite(String method, String path) {
    if (RequestGuard.isWrite(method)) {
      throw new IllegalStateException(
          method + ' ' + path + " was not sent: a mapping only reads; let the reconciler write");
    }
  }

  private static boolean isFailedRead(Throwable error) {
    return error instanceof KubernetesException || error instanceof CacheSyncException;
  }

  /**
   * Reconciles all objects of the slots that this replica takes, as after a start. The cache may
   * not have all of them yet; those that it lacks are passed on when it has read them.
   */
  private void taken(ShardGroup group, Set<Integer> taken) {
    for (KindSource<?, Request> source : sources) {
      if (source.isPrimary()) {
        source.passAgain(uid -> taken.contains(group.slotOf(uid)));
      }
    }
    requireNonNull(shards).gone(taken).forEach(this::enqueue);
  }

  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a user's function: a failure.
  private void bringUp() {
    try {
      if (environment.isLed(options) && !options.warmUp()) {
        awaitLeadership();
        listener.moveTo(ControllerState.SYNCING, null);
      }
      for (KindSource<?, Request> source : sources) {
        source.start(environment.informers(), options.name());
      }
      awaitSynced();
      if (shards != null) {
        environment.shards().filled(this);
        awaitSlots();
        awaitSynced(); // Again: a cache of the objects of this replica reads these now.
      }
      ReconcileTerm term =
          environment.isLed(options)
              ? awaitLeadership()
              : ReconcileTerm.endless(environment.client(), environment.clock());
      workers.start(term, optionalSteps(), observingSteps(), innerSteps());
      listener.accept();
      startPolls(term);
      if (listener.moveTo(ControllerState.RUNNING, null)) {
        log.info("The controller is running");
      }
    } catch (Throwable e) {
      queue.shutDown(); // Some workers may have started.
      if (environment.clock().isStopped()
          || !listener.moveTo(ControllerState.FAILED, failure(options.name(), e))) {
        return; // The controller is being closed, by which this thread is interrupted.
      }
      log.warn("The controller has failed: controller=" + options.name(), e);
    }
    listener.changed();
  }

  /** Returns the reason why a controller has failed; an Error is its cause. */
  static RuntimeException failure(String controller, Throwable error) {
    return error instanceof RuntimeException exception
        ? exception
        : new IllegalStateException(
            "the controller " + controller + " cannot start: " + CrashLog.text(error), error);
  }

  /** Returns the steps that not every controller has. */
  private List<Attempt.Step<Request>> optionalSteps() {
    List<Attempt.Step<Request>> steps = new ArrayList<>();
    if (environment.informers().scopes().isLimited()) {
      steps.add(this::skipIfOutside);
    }
    if (options.waitForOwnWrites()) {
      OwnWritesGate<Request> gate = new OwnWritesGate<>(queue, log, environment.clock());
      scope.onProgress(gate::release);
      steps.add(gate);
    }
    if (shards != null) {
      steps.add(shards.step(workers.end()));
    }
    if (!options.minInterval().isZero()) {
      steps.add(new ReconcilePace<>(queue, environment.clock()).atLeast(options.minInterval()));
    }
    return steps;
  }

  /** Returns the steps that only look at a reconcile. */
  private List<Attempt.Step<Request>> observingSteps() {
    List<Attempt.Step<Request>> steps = new ArrayList<>(observers);
    if (FlightRecording.isAvailable()) {
      steps.add(FlightRecording.step(options.name()));
    }
    return steps;
  }

  /** Returns the steps around the timeout that not every controller has. */
  private List<Attempt.Step<Request>> innerSteps() {
    return options.maxInterval().isZero()
        ? List.of()
        : List.of(ReconcilePace.atMost(options.maxInterval(), this::mayExist));
  }

  /** Returns whether the object of a request exists, as far as the cache can tell. */
  private boolean mayExist(Request request) {
    return options.kind() == null || uidOf(request).isPresent();
  }

  private LastStep<Request> lastStep(ReconcilerCall call) {
    ControllerOptions.Retries retries = options.retries();
    return retries == null ? call : new RetryLimit(call, retries.most(), retries.handler());
  }

  private void startPolls(ReconcileTerm term) {
    RESTClient server = // A poller of a shard does not know for which object it writes.
        shards == null ? term.client : environment.client().guardedBy(environment.leadership());
    Client client = new Client(scope, server, null, options.name(), null);
    for (ControllerOptions.Poll poll : options.polls()) {
      PollSource<Request> source =
          new PollSource<>(
              options.name() + "-poll-" + polls.size(),
              poll.period(),
              () -> poll.poller().poll(client),
              intake,
              callbacks,
              environment.clock(),
              environment.threadFactory());
      polls.add(source);
      source.start();
      if (listener.isClosed()) {
        source.close(); // The others may have been closed before this one was among them.
      }
    }
  }

  /** Drops a request of a namespace that the manager no longer has. */
  private void skipIfOutside(Attempt<Request> attempt) throws InterruptedException {
    String namespace = attempt.request.namespace();
    if (environment.informers().scopes().wasRemoved(namespace)
        && sources.stream()
            .noneMatch(source -> source.isPrimary() && source.hasNamespace(namespace))) {
      attempt.forgetFailures();
    } else {
      attempt.proceed();
    }
  }

  /** Waits until this process leads. */
  private ReconcileTerm awaitLeadership() throws InterruptedException {
    if (!environment.leadership().hasBegun()) {
      listener.moveTo(ControllerState.STANDBY, null);
      listener.changed();
    }
    return environment.leadership().await();
  }

  /** Waits until this replica can own slots, however long it takes: it is not ready meanwhile. */
  private void awaitSlots() throws InterruptedException {
    while (!environment.shards().awaitSlots(SYNC_WARNING)) {
      String obstacle = environment.shards().obstacle().orElse("its slots");
      log.warning("The controller waits for the shard group: " + obstacle);
    }
  }

  private void awaitSynced() throws InterruptedException {
    Duration timeout = options.cacheSyncTimeout();
    Deadline deadline = environment.clock().deadline(timeout);
    boolean warned = false;
    for (KindSource<?, Request> source : sources) {
      if (!warned && deadline.left().compareTo(SYNC_WARNING) > 0) {
        if (source.awaitSynced(SYNC_WARNING)) {
          continue;
        }
        warned = true;
        log.warning("The controller waits for the cache of " + source.problem());
      }
      if (!source.awaitSynced(deadline.left())) {
        throw new CacheSyncException(
            "controller "
                + options.name()
                + ": caches were not filled within "
                + timeout
                + ": "
                + pending());
      }
    }
  }

  private <T extends KubernetesObject> KindSource<T, Request> source(
      ControllerOptions.Watch<T> watch) {
    Predicate<T> predicate =
        Predicate.<T>everything().and(watch.predicate()).and(options.predicate());
    return new KindSource<>(
        watch.type(),
        options.scope(watch.type(), environment.informers().scopes()),
        predicate,
        object -> watch.map().map(object, mappingClient),
        deleted -> watch.map().mapDeleted(deleted, mappingClient),
        ControllerRun::isFailedRead,
        watch.isPrimary() ? Request::of : null,
        /* isOfShard= */ watch.isPrimary() && shardKind != null,
        intake,
        callbacks,
        environment.clock());
  }

  /** Watches one more kind. */
  <T extends KubernetesObject> void watch(ControllerOptions.Watch<T> watch)
      throws InterruptedException {
    KindSource<T, Request> source = source(watch);
    sources.add(source);
    source.start(environment.informers(), options.name());
    if (listener.isClosed()) {
      source.close(); // The others may have been closed before this one was among them.
    }
  }

  /** Ends to watch a kind. */
  void unwatch(ResourceType<?> type) {
    List<KindSource<?, Request>> ended =
        sources.stream().filter(source -> source.isOf(type)).toList();
    sources.removeAll(ended);
    ended.forEach(KindSource::close);
    scope.release(type);
  }

  void enqueue(Request request) {
    intake.add(request);
  }

  /** Returns whether the calling thread is a worker, or polls. */
  boolean containsCurrentThread() {
    return workers.containCurrentThread() || polls.stream().anyMatch(PollSource::isOfCurrentThread);
  }

  /** Returns the kinds whose caches are not filled yet, and why. */
  String pending() {
    return Stream.concat(
            sources.stream().filter(source -> !source.isSynced()).map(KindSource::problem),
            shards == null ? Stream.empty() : environment.shards().obstacle().stream())
        .collect(Collectors.joining("; "));
  }

  /**
   * Returns what a loop throws again and again.
   *
   * @param alsoFunctions whether to return also what a user's function throws, and which parts of a
   *     cache are not filled
   */
  Optional<String> problem(boolean alsoFunctions) {
    Optional<String> loops = workers.problem();
    return alsoFunctions
        ? loops
            .or(callbacks::problem)
            .or(workers::additionProblem)
            .or(() -> polls.stream().flatMap(poll -> poll.problem().stream()).findFirst())
            .or(this::missingParts)
        : loops;
  }

  private Optional<String> missingParts() {
    return sources.stream().flatMap(source -> source.missingParts().stream()).findFirst();
  }

  /** Lets no worker begin another reconcile. */
  void shutDown() {
    queue.shutDown();
  }

  /**
   * Ends all, after {@link #shutDown}.
   *
   * @param grace how long reconciles may take before they are interrupted
   * @return whether all reconciles have ended
   */
  boolean close(Duration grace) {
    starter.interrupt();
    if (shards != null) {
      shards.group().removeListener(slots);
      environment.shards().remove(this);
    }
    // First the workers: a reconcile that still runs reads the caches.
    Duration least = ReconcileWorkers.INTERRUPT_TIMEOUT;
    boolean joined = joinStarter(grace.compareTo(least) > 0 ? grace : least);
    List<Thread> pollers = new ArrayList<>(polls.stream().map(PollSource::close).toList());
    pollers.remove(Thread.currentThread());
    boolean ended = workers.close(grace) && joined;
    ended &= join(pollers, "A poller", least);
    sources.forEach(KindSource::close);
    scope.close();
    queue.close();
    metrics.removeAll();
    recording.close();
    return ended;
  }

  /** Waits for the starter, which is interrupted; a user's function may ignore that. */
  private boolean joinStarter(Duration time) {
    return starter == Thread.currentThread()
        || join(List.of(starter), "The start of a controller", time);
  }

  private boolean join(List<Thread> threads, String what, Duration time) {
    try {
      boolean ended = environment.clock().join(threads, time);
      if (!ended) {
        threads.stream()
            .filter(Thread::isAlive)
            .forEach(thread -> log.leftBehind(what, "", thread.getStackTrace()));
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
