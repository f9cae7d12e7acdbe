package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.http.HttpEndpoints;
import dev.clientgo.controller.internal.metrics.ElectionMetrics;
import dev.clientgo.controller.internal.metrics.RestMetrics;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.rest.RESTClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs controllers over informers that they share: one list and watch for each kind, however many
 * controllers there are.
 *
 * <pre>{@code
 * try (RESTClient client = RESTClient.create(KubeConfigLoader.standard().load());
 *     Manager manager = Manager.create(client)) {
 *   manager.add(Controller.builder(new FooReconciler()).forKind(Foo.TYPE).build());
 *   manager.run(); // Until SIGTERM.
 * }
 * }</pre>
 *
 * <p>Controllers can be added and removed at any time. A process can have several managers, which
 * share nothing.
 *
 * <p><b>Failure.</b> A controller whose caches are not filled in time fails, because the server has
 * no such kind or forbids to watch it, and with it the manager: {@link #awaitEnd} and {@link
 * #awaitReady} throw. A program should end then, so that its environment starts it again. Later
 * errors of the server fail nothing; informers try again for ever and show it in {@link
 * #informerHealth}.
 *
 * <p><b>The end.</b> {@link #close} lets reconciles finish for two thirds of the {@linkplain
 * ManagerBuilder#gracefulShutdownTimeout graceful shutdown timeout}, and then interrupts them. Then
 * it ends the informers, gives back the lease, and sends the events that are on their way, for up
 * to 5 s. It does not close the client.
 *
 * <p>Safe for use by many threads. Corresponds to controller-runtime's {@code manager.Manager}.
 */
public final class Manager implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Manager.class.getName());

  /** The default of {@link ManagerBuilder#gracefulShutdownTimeout}: 30 seconds. */
  public static final Duration DEFAULT_GRACEFUL_SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);

  private enum State {
    NEW,
    RUNNING,
    FAILED,
    CLOSING,
    CLOSED
  }

  private final Environment environment;
  private final Duration shutdownTimeout;
  private final @Nullable InetSocketAddress httpAddress;
  private final ManagerPages pages;
  private final ClientScope scope;
  private final Client client;

  /** Null if the manager serves no webhooks. */
  private final @Nullable WebhookServer webhooks;

  private final RestMetrics requests;

  /** Null if the manager elects no leader. */
  private final @Nullable LeaderElector elector;

  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when this or a controller has reached another state. */
  private final Condition changed;

  @GuardedBy("lock")
  private State state = State.NEW;

  @GuardedBy("lock")
  private final Map<String, Controller> controllers = new LinkedHashMap<>();

  @GuardedBy("lock")
  private @Nullable RuntimeException failure;

  @GuardedBy("lock")
  private @Nullable HttpEndpoints http;

  Manager(ManagerBuilder builder) {
    requests = new RestMetrics(builder.metrics);
    RESTClient server = builder.client.measuredBy(requests);
    Informers informers =
        new Informers(
            builder.source != null ? builder.source : Clientset.of(server),
            factory -> {
              factory.options(reflectorOptions(builder));
              builder.informers.accept(factory);
            },
            builder.metrics,
            builder.clock);
    EventRecorders events = EventRecorders.of(builder, server);
    FightReports reports = new FightReports(builder.metrics, events, builder.fights);
    environment =
        new Environment(
            server,
            new Leadership(builder.clock),
            informers,
            builder.clock,
            builder.threadFactory == null
                ? DaemonThreads.named("controller-")
                : builder.threadFactory,
            builder.reconcilers,
            builder.metrics,
            events,
            builder.recorder,
            new FightDetector(
                builder.clock, builder.reportsFights ? reports : (fight, object) -> {}),
            new ManagerShards(builder, server, informers::follow, this::shardsFailed),
            this);
    changed = builder.clock.newCondition(lock);
    elector = builder.lock == null ? null : elector(builder, builder.lock, server);
    shutdownTimeout = builder.gracefulShutdownTimeout;
    httpAddress = builder.httpAddress;
    scope =
        new ClientScope(
            informers,
            null,
            Controller.DEFAULT_CACHE_SYNC_TIMEOUT,
            new AppliedConfigurations(() -> {}, () -> {}),
            environment.recording("manager"),
            environment.fights());
    client = new Client(scope, server, null, null, null);
    webhooks = builder.webhooks == null ? null : builder.webhooks.apply(client);
    pages = new ManagerPages(this, elector, webhooks, builder);
  }

  private static ReflectorOptions reflectorOptions(ManagerBuilder builder) {
    ReflectorOptions.Builder options =
        ReflectorOptions.builder().clock(builder.clock).random(builder.random);
    if (builder.threadFactory != null) {
      options.threadFactory(builder.threadFactory);
    }
    return options.build();
  }

  private LeaderElector elector(ManagerBuilder builder, LeaseLock lease, RESTClient server) {
    LeaderElector.Builder options =
        LeaderElector.builder(
                server,
                lease,
                builder.leaderIdentity == null
                    ? LeaderElector.uniqueIdentity()
                    : builder.leaderIdentity)
            .releaseOnCancel(true) // After all that the lease guards has ended, see close().
            .clock(builder.clock)
            .random(builder.random)
            .metrics(new ElectionMetrics(builder.metrics))
            .events(environment.events().ofLease(lease));
    if (builder.threadFactory != null) {
      options.threadFactory(builder.threadFactory);
    }
    builder.election.accept(options);
    return options
        .onStartedLeading(term -> environment.leadership().begin(term.client()))
        .onStoppedLeading(() -> leadershipEnded(lease))
        .build();
  }

  /** Returns a manager with the defaults, which is not started. */
  public static Manager create(RESTClient client) {
    return builder(client).build();
  }

  /** Returns a builder of managers whose informers list and watch through the client. */
  public static ManagerBuilder builder(RESTClient client) {
    return new ManagerBuilder(client);
  }

  // ---- controllers

  /**
   * Adds a controller. If the manager is started, it starts the controller, and returns at once.
   *
   * @throws IllegalArgumentException if there is a controller of that name
   * @throws IllegalStateException if the manager is closed or has failed, the controller was added
   *     before, or replicas should share its objects and it has no {@link
   *     ControllerBuilder#forKind}
   */
  public void add(Controller controller) {
    requireNonNull(controller, "controller");
    environment.shards().requireShardable(controller.options());
    lock.lock();
    try {
      if (state != State.NEW && state != State.RUNNING) {
        throw new IllegalStateException("the manager is closed or has failed", failure);
      }
      if (controllers.containsKey(controller.name())) {
        throw new IllegalArgumentException(
            "there is a controller named "
                + controller.name()
                + " already, and logs and metrics could not tell them apart: call named(…)");
      }
      if (state == State.RUNNING) {
        controller.start(environment);
      } else if (controller.state() != ControllerState.NEW) {
        throw new IllegalStateException(
            "a controller lives only once: build another one for " + controller.name());
      }
      controllers.put(controller.name(), controller);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a controller and forgets it. Waits for its reconciles as {@link #close} does. Informers
   * that no other controller uses end with it.
   *
   * @return whether all its reconciles have ended; if not, the log names them, and their threads
   *     are left behind
   * @throws IllegalArgumentException if the controller was not added here
   */
  public boolean remove(Controller controller) {
    lock.lock();
    try {
      if (controllers.get(controller.name()) != controller) {
        throw new IllegalArgumentException("not a controller of this manager: " + controller);
      }
    } finally {
      lock.unlock();
    }
    boolean ended = controller.close(graceOfReconciles());
    lock.lock();
    try {
      controllers.remove(controller.name(), controller);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return ended;
  }

  /** Returns the controllers, in the order in which they were added. */
  public List<Controller> controllers() {
    lock.lock();
    try {
      return List.copyOf(controllers.values());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the health of each informer, by its name. */
  public Map<String, InformerHealth> informerHealth() {
    return environment.informers().health();
  }

  /**
   * Returns the client that reads from the caches, with the writes of all controllers in them, and
   * writes to the server.
   *
   * <p>Corresponds to controller-runtime's {@code GetClient}.
   */
  public Client client() {
    return client;
  }

  /**
   * Returns where the pages are; empty if the manager is not started, or was built without {@link
   * ManagerBuilder#http}.
   */
  public Optional<InetSocketAddress> httpAddress() {
    lock.lock();
    try {
      return Optional.ofNullable(http).map(HttpEndpoints::address);
    } finally {
      lock.unlock();
    }
  }

  // ---- lifecycle

  /**
   * Starts the webhooks and the controllers, and returns at once.
   *
   * @throws IllegalStateException if the manager was started or closed before, or cannot listen at
   *     an address
   * @throws dev.clientgo.apimachinery.errors.ConfigException if the webhooks have no valid
   *     certificate
   */
  public void start() {
    lock.lock();
    try {
      if (state != State.NEW) {
        throw new IllegalStateException(
            state == State.CLOSED || state == State.CLOSING
                ? "the manager is closed and cannot start again: build another one"
                : "the manager was started before");
      }
      if (httpAddress != null) {
        http = HttpEndpoints.start(httpAddress, pages.all());
      }
      if (webhooks != null) {
        webhooks.start(environment.metrics()); // Before the caches, whose lists need conversions.
      }
      state = State.RUNNING;
      if (elector == null) {
        environment.leadership().begin(environment.client());
      } else {
        elector.start();
      }
      environment.shards().start();
      controllers.values().forEach(controller -> controller.start(environment));
    } finally {
      lock.unlock();
    }
  }

  /** Called when the elector ends: the lease is lost, unless the manager is being closed. */
  private void leadershipEnded(LeaseLock lease) {
    fail(
        new LeaderElectionLostException(lease),
        controller -> environment.isLed(controller.options()));
  }

  private void shardsFailed(RuntimeException error) {
    fail(error, controller -> environment.shards().isSharded(controller.options()));
  }

  /** Fails, and ends some controllers at once. */
  private void fail(RuntimeException error, Predicate<Controller> which) {
    List<Controller> ended;
    lock.lock();
    try {
      if (state != State.RUNNING) {
        return;
      }
      state = State.FAILED;
      failure = error;
      ended = controllers.values().stream().filter(which).toList();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    ended.forEach(Controller::shutDown);
    ended.forEach(controller -> controller.close(Duration.ZERO));
  }

  /** Returns whether this process leads; true if the manager elects no leader. */
  public boolean isLeader() {
    return elector == null || elector.isLeader();
  }

  /** Returns the group of replicas that share the objects; empty if there is none. */
  public Optional<ShardGroup> shards() {
    return Optional.ofNullable(environment.shards().group());
  }

  /** Throws the failure of the manager, if it has failed. */
  void throwFailure() {
    lock.lock();
    try {
      throwFailureLocked();
    } finally {
      lock.unlock();
    }
  }

  /** A controller has reached another state. */
  void controllerChanged(Controller controller) {
    Optional<RuntimeException> error = controller.failure();
    lock.lock();
    try {
      if (error.isPresent() && state == State.RUNNING) {
        state = State.FAILED;
        failure = error.get();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all controllers are running.
   *
   * @return false if the time is up before, or the manager is closed
   * @throws CacheSyncException if a controller has failed
   * @throws LeaderElectionLostException if this process no longer leads
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    Clock clock = environment.clock();
    long start = clock.nanoTime();
    lock.lock();
    try {
      while (!isReadyLocked()) {
        throwFailureLocked();
        Duration left = timeout.minusNanos(clock.nanoTime() - start);
        if (state == State.CLOSING || state == State.CLOSED || left.isNegative() || left.isZero()) {
          return false;
        }
        clock.await(lock, changed, left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isReadyLocked() {
    return state == State.RUNNING
        && controllers.values().stream()
            .allMatch(controller -> controller.state() == ControllerState.RUNNING);
  }

  @GuardedBy("lock")
  private void throwFailureLocked() {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Waits until the manager is closed.
   *
   * @throws CacheSyncException if a controller has failed
   * @throws LeaderElectionLostException if this process no longer leads
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitEnd() throws InterruptedException {
    lock.lock();
    try {
      while (state != State.CLOSED) {
        throwFailureLocked();
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Starts the controllers, and waits until the process is told to end (SIGTERM, Ctrl-C), the
   * manager is closed, or a controller has failed. Then it closes the manager. Most programs end
   * with this call.
   *
   * <p>Corresponds to controller-runtime's {@code mgr.Start(ctrl.SetupSignalHandler())}.
   *
   * @throws CacheSyncException if a controller has failed
   * @throws LeaderElectionLostException if this process no longer leads
   * @throws InterruptedException if the thread is interrupted
   */
  public void run() throws InterruptedException {
    Thread hook = new Thread(this::close, "manager-shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      start();
      awaitEnd();
    } finally {
      close();
      removeHook(hook);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
    }
  }

  private Duration graceOfReconciles() {
    return shutdownTimeout.multipliedBy(2).dividedBy(3);
  }

  /**
   * Ends all controllers, informers and webhooks. If another thread does so already, waits for it,
   * unless this is a thread of a reconciler. May be called more than once.
   */
  @Override
  public void close() {
    List<Controller> all;
    HttpEndpoints endpoints;
    lock.lock();
    try {
      if (state == State.CLOSING || state == State.CLOSED) {
        awaitClosedLocked();
        return;
      }
      state = State.CLOSING;
      all = new ArrayList<>(controllers.values());
      endpoints = http;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    Clock clock = environment.clock();
    long start = clock.nanoTime();
    try {
      environment.shards().leave(); // Slots in which nothing goes on need not wait for others.
      boolean ended = closeControllers(all);
      scope.close();
      environment.informers().close();
      closeWebhooks(shutdownTimeout.minusNanos(clock.nanoTime() - start));
      if (endpoints != null) {
        endpoints.close();
      }
      releaseLease(ended);
      environment.shards().close(ended);
      requests.close();
      environment.events().close(shutdownTimeout);
    } finally {
      lock.lock();
      try {
        state = State.CLOSED;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns whether all reconciles have ended. */
  private boolean closeControllers(List<Controller> all) {
    all.forEach(Controller::shutDown);
    List<Controller> ordered = new ArrayList<>(all);
    ordered.sort(Comparator.comparing(controller -> !environment.isLed(controller.options())));
    Clock clock = environment.clock();
    long start = clock.nanoTime();
    boolean ended = true;
    for (Controller controller : ordered) {
      Duration left = graceOfReconciles().minusNanos(clock.nanoTime() - start);
      ended &= controller.close(left.isNegative() ? Duration.ZERO : left);
    }
    return ended;
  }

  private void closeWebhooks(Duration left) {
    if (webhooks != null) {
      Duration most = WebhookServer.DRAIN_TIMEOUT;
      webhooks.close(left.compareTo(most) < 0 ? left : most);
    }
  }

  /** Gives the lease back, but not while something that it guards is still running. */
  private void releaseLease(boolean ended) {
    if (elector == null) {
      return;
    }
    if (ended) {
      elector.close();
    } else {
      LOG.log(
          Level.WARNING,
          "Reconciles are still running, so the lease is held until this process ends: lease={0}",
          elector.lock());
    }
  }

  @GuardedBy("lock")
  private void awaitClosedLocked() {
    if (controllers.values().stream().anyMatch(Controller::isWorker)) {
      return; // The other thread waits for this one.
    }
    try {
      while (state != State.CLOSED) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
