package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.metrics.ReconcileMetrics;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardListener;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a started controller: the sources, the queue and the workers. A thread of its own
 * starts the sources, waits for their caches, and starts the workers.
 */
final class ControllerRun {

  /** After how long a controller that still waits for its caches says so in the log. */
  private static final Duration SYNC_WARNING = Duration.ofSeconds(10);

  private final Controller controller;
  private final ControllerOptions options;

  private final Environment environment;
  private final ReconcileLog log;
  private final ReconcileMetrics metrics;
  private final ControllerRecording<Request> recording;
  private final PriorityQueue<Request> queue;
  private final List<KindSource<?>> sources = new CopyOnWriteArrayList<>();
  private final ClientScope scope;
  private final @Nullable RequestShards shards;

  /** The kind of which only the objects of this replica are cached; null if there is none. */
  private final @Nullable ResourceType<?> shardKind;

  private final ReconcileWorkers workers;
  private final Thread starter;

  private final ShardListener slots =
      new ShardListener() {
        @Override
        public void taken(SortedSet<Integer> slots) {
          ControllerRun.this.taken(requireNonNull(shards).group(), slots);
        }
      };

  ControllerRun(Controller controller, ControllerOptions options, Environment environment) {
    this.controller = controller;
    this.options = options;
    this.environment = environment;
    String name = options.name();
    Clock clock = environment.clock();
    log = new ReconcileLog(name, clock);
    metrics = new ReconcileMetrics(environment.metrics(), name, options.workers());
    QueueConfig config =
        QueueConfig.builder().name(name).clock(clock).metricsProvider(metrics).build();
    RateLimiter<? super Request> limiter = options.rateLimiter();
    queue = limiter == null ? PriorityQueue.create(config) : PriorityQueue.create(limiter, config);
    recording = environment.recording(name);
    ShardGroup group =
        environment.shards().isSharded(options) ? environment.shards().group() : null;
    shardKind = environment.shards().hasShardedCache(options) ? options.kind() : null;
    shards =
        group == null
            ? null
            : new RequestShards(
                group, clock, this::uidOf, shardKind == null ? null : this::existsOnServer);
    options.watches().forEach(watch -> sources.add(source(watch)));
    scope =
        new ClientScope(
            environment.informers(),
            shardKind,
            options.cacheSyncTimeout(),
            new AppliedConfigurations(metrics::applySent, metrics::applySkipped),
            recording,
            environment.fights());
    EventRecorder events = environment.events().recorder(name);
    workers =
        new ReconcileWorkers(
            options.withReconciler(environment.reconcilers().apply(options.reconciler())),
            queue,
            scope,
            events,
            metrics,
            recording,
            log,
            clock,
            environment.threadFactory(),
            shards);
    starter = environment.threadFactory().newThread(this::bringUp);
    starter.setName("controller-" + name + "-start");
  }

  /** Starts and returns at once. */
  void start() {
    if (shards != null) {
      shards.group().addListener(slots);
    }
    starter.start();
  }

  private Optional<String> uidOf(Request request) {
    return sources.stream()
        .filter(KindSource::isPrimary)
        .findFirst()
        .flatMap(source -> source.uidOf(request));
  }

  private boolean existsOnServer(Request request) throws InterruptedException {
    return environment
        .informers()
        .lookUp(requireNonNull(shardKind), request.objectName())
        .isPresent();
  }

  /**
   * Reconciles all objects of the slots that this replica takes, as after a start. The cache may
   * not have all of them yet; those that it lacks are passed on when it has read them.
   */
  private void taken(ShardGroup group, Set<Integer> taken) {
    for (KindSource<?> source : sources) {
      if (source.isPrimary()) {
        source.passAgain(uid -> taken.contains(group.slotOf(uid)));
      }
    }
    requireNonNull(shards).gone(taken).forEach(this::enqueue);
  }

  private void bringUp() {
    try {
      if (environment.isLed(options) && !options.warmUp()) {
        awaitLeadership();
        controller.moveTo(ControllerState.SYNCING, null);
      }
      awaitSlots();
      for (KindSource<?> source : sources) {
        source.start(environment.informers(), options.name());
      }
      awaitSynced();
      RESTClient client = environment.isLed(options) ? awaitLeadership() : environment.client();
      if (controller.moveTo(ControllerState.RUNNING, null)) {
        workers.start(client);
        log.info("The controller is running");
      }
    } catch (InterruptedException e) {
      return; // The controller is being closed.
    } catch (RuntimeException e) {
      controller.moveTo(ControllerState.FAILED, e);
    }
    environment.manager().controllerChanged(controller);
  }

  /** Waits until this process leads; returns the client that writes only then. */
  private RESTClient awaitLeadership() throws InterruptedException {
    if (!environment.leadership().hasBegun()) {
      controller.moveTo(ControllerState.STANDBY, null);
      environment.manager().controllerChanged(controller);
    }
    return environment.leadership().await();
  }

  /** Waits until it is known which objects belong to this replica, if only these are cached. */
  private void awaitSlots() throws InterruptedException {
    ManagerShards group = environment.shards();
    Duration timeout = options.cacheSyncTimeout();
    boolean warns = timeout.compareTo(SYNC_WARNING) > 0;
    if (shardKind == null || group.awaitSlots(warns ? SYNC_WARNING : timeout)) {
      return;
    }
    if (warns) {
      log.warning("The controller waits for " + group.problem());
    }
    if (!warns || !group.awaitSlots(timeout.minus(SYNC_WARNING))) {
      throw new CacheSyncException(
          "controller "
              + options.name()
              + ": it was not known within "
              + timeout
              + " which objects to cache: "
              + group.problem());
    }
  }

  private void awaitSynced() throws InterruptedException {
    Clock clock = environment.clock();
    Duration timeout = options.cacheSyncTimeout();
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
                + options.name()
                + ": the cache was not filled within "
                + timeout
                + ": "
                + source.problem());
      }
    }
  }

  private <T extends KubernetesObject> KindSource<T> source(ControllerOptions.Watch<T> watch) {
    return watch.source(
        options.predicate(),
        queue,
        recording,
        environment.fights(),
        log,
        shards,
        shardKind != null);
  }

  /** Watches one more kind. */
  <T extends KubernetesObject> void watch(ControllerOptions.Watch<T> watch)
      throws InterruptedException {
    KindSource<T> source = source(watch);
    sources.add(source);
    source.start(environment.informers(), options.name());
    if (controller.state() == ControllerState.CLOSED) {
      source.close(); // The others may have been closed before this one was among them.
    }
  }

  /** Ends to watch a kind. */
  void unwatch(ResourceType<?> type) {
    List<KindSource<?>> ended = sources.stream().filter(source -> source.isOf(type)).toList();
    sources.removeAll(ended);
    ended.forEach(KindSource::close);
    scope.release(type);
  }

  void enqueue(Request request) {
    if (shards != null && !shards.admits(request)) {
      return;
    }
    recording.enqueued(request);
    queue.add(request);
  }

  /** Returns whether the calling thread is a worker. */
  boolean containsCurrentThread() {
    return workers.containCurrentThread();
  }

  /** Returns the kinds whose caches are not filled yet, and why. */
  String pending() {
    return sources.stream()
        .filter(source -> !source.isSynced())
        .map(KindSource::problem)
        .collect(Collectors.joining(", "));
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
    }
    // First the workers: a reconcile that still runs reads the caches.
    boolean joined = joinStarter();
    boolean ended = workers.close(grace) && joined;
    sources.forEach(KindSource::close);
    scope.close();
    queue.close();
    metrics.removeAll();
    recording.close();
    return ended;
  }

  private boolean joinStarter() {
    if (starter == Thread.currentThread()) {
      return true;
    }
    try {
      return environment.clock().join(List.of(starter), Duration.ofNanos(Long.MAX_VALUE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
