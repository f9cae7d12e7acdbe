package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Deadline;
import dev.clientgo.clock.ShutdownSignal;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.cache.Scopes;
import dev.clientgo.controller.internal.events.EventRecorders;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.fights.FightReports;
import dev.clientgo.controller.internal.http.HttpEndpoints;
import dev.clientgo.controller.internal.metrics.ElectionMetrics;
import dev.clientgo.controller.internal.metrics.RestMetrics;
import dev.clientgo.controller.internal.reconcile.Leadership;
import dev.clientgo.controller.internal.reconcile.ReconcileTerm;
import dev.clientgo.controller.internal.shards.ManagerShards;
import dev.clientgo.controller.webhook.WebhookServer;
import dev.clientgo.events.EventBroadcaster;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.leaderelection.LeaderElector;
import dev.clientgo.leaderelection.LeadershipTerm;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.rest.RESTClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
 * errors of the server fail nothing; informers retry without limit and show it in {@link
 * #informerHealth}.
 *
 * <p><b>The end.</b> {@link #close} lets reconciles finish for two thirds of the {@linkplain
 * ManagerBuilder#gracefulShutdownTimeout graceful shutdown timeout}, and then interrupts them. Then
 * it ends the informers, gives back the lease, and sends pending events, for up to 5 s. It does not
 * close the client.
 *
 * <p>Safe for use by many threads. Corresponds to controller-runtime's {@code manager.Manager}.
 */
public final class Manager implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Manager.class.getName());

  /** The default of {@link ManagerBuilder#gracefulShutdownTimeout}: 30 seconds. */
  public static final Duration DEFAULT_GRACEFUL_SHUTDOWN_TIMEOUT = Duration.ofSeconds(30);

  /** The shortest time that an incident may take to be written. */
  private static final Duration INCIDENT_TIMEOUT = Duration.ofSeconds(5);

  /** How long the thread in {@link #run} may take to return after the manager is closed. */
  private static final Duration RETURN_TIMEOUT = Duration.ofSeconds(5);

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
  private final @Nullable InetSocketAddress metricsAddress;
  private final ManagerPages pages;
  private final ClientScope scope;
  private final Client client;
  private final Client unfencedClient;

  /** Null if the manager serves no webhooks. */
  private final @Nullable WebhookServer webhooks;

  private final RestMetrics requests;

  /** Null if the manager records no incidents. */
  private final @Nullable IncidentRecorder incidents;

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
  private final Map<String, BackgroundWork> works = new LinkedHashMap<>();

  @GuardedBy("lock")
  private @Nullable RuntimeException failure;

  private volatile @Nullable HttpEndpoints http;
  private volatile @Nullable HttpEndpoints metricsHttp;

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
            builder.clock,
            new Scopes(builder.namespaces, builder.scopes, builder.startsByRead));
    EventRecorders events =
        builder.events == null
            ? EventRecorders.of(broadcaster(builder, server))
            : EventRecorders.of(builder.events);
    FightReports reports = new FightReports(builder.metrics, events, builder.fights);
    incidents = builder.incidents;
    environment =
        new Environment(
            server,
            new Leadership(builder.clock),
            informers,
            builder.clock,
            builder.random,
            builder.threadFactory == null
                ? DaemonThreads.named("controller-")
                : builder.threadFactory,
            incidents == null
                ? builder.reconcilers
                : reconciler -> builder.reconcilers.apply(incidents.recorded(reconciler)),
            List.copyOf(builder.observers),
            builder.metrics,
            events,
            builder.recorder,
            new FightDetector(
                builder.clock, builder.reportsFights ? reports : (fight, object) -> {}),
            new ManagerShards(
                builder.shards == null ? null : shardGroup(builder, builder.shards, server),
                builder.clock,
                builder.metrics,
                informers::follow,
                this::shardsFailed));
    changed = builder.clock.newCondition(lock);
    elector = builder.lock == null ? null : elector(builder, builder.lock, server);
    shutdownTimeout = builder.gracefulShutdownTimeout;
    httpAddress = builder.httpAddress;
    metricsAddress = builder.metricsAddress;
    scope =
        new ClientScope(
            informers,
            informers.scopes()::of,
            null,
            Controller.DEFAULT_CACHE_SYNC_TIMEOUT,
            new AppliedConfigurations(() -> {}, () -> {}),
            environment.recording("manager"),
            environment.fights());
    unfencedClient = new Client(scope, server, null, null, null);
    client =
        builder.lock == null && builder.shards == null
            ? unfencedClient
            : new Client(scope, server.guardedBy(environment.leadership()), null, null, null);
    webhooks = builder.webhooks == null ? null : builder.webhooks.apply(unfencedClient);
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

  private static EventBroadcaster broadcaster(ManagerBuilder builder, RESTClient server) {
    EventBroadcaster.Builder options =
        EventBroadcaster.builder(server).clock(builder.clock).random(builder.random);
    if (builder.threadFactory != null) {
      options.threadFactory(builder.threadFactory);
    }
    return options.build();
  }

  private static ShardGroup shardGroup(
      ManagerBuilder builder, LeaseLock shards, RESTClient server) {
    ShardGroup.Builder options =
        ShardGroup.builder(server, shards).clock(builder.clock).random(builder.random);
    if (builder.threadFactory != null) {
      options.threadFactory(builder.threadFactory);
    }
    if (builder.leaderIdentity != null) {
      options.identity(builder.leaderIdentity);
    }
    builder.sharding.accept(options);
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
            .events(environment.events().ofLease(lease))
            .threadFactory(builder.clock.threads("leader-election-"));
    builder.election.accept(options);
    return options
        .onStartedLeading(term -> lead(term, lease))
        .onStoppedLeading(() -> leadershipEnded(lease))
        .build();
  }

  /**
   * Leads until the term ends. Then waits for all reconciles, because the elector releases the
   * lease when this returns.
   */
  private void lead(LeadershipTerm term, LeaseLock lease) {
    ReconcileTerm reconciles = ReconcileTerm.of(term, environment.clock());
    environment.leadership().begin(reconciles, term.guard());
    try {
      term.awaitEnd();
    } catch (InterruptedException e) {
      // The elector has ended the term.
    }
    reconciles.interrupt();
    try {
      leadershipEnded(lease);
    } finally {
      reconciles.awaitIdle();
    }
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
    environment.requireShardable(controller.options());
    lock.lock();
    try {
      requireOpenLocked();
      if (controllers.containsKey(controller.name())) {
        throw new IllegalArgumentException(
            "there is a controller named "
                + controller.name()
                + " already, and logs and metrics could not tell them apart: call named(…)");
      }
      if (state == State.RUNNING) {
        controller.start(environment, this::controllerChanged);
      } else if (controller.state() != ControllerState.NEW) {
        throw new IllegalStateException(
            "a controller cannot start again: build a new one for " + controller.name());
      }
      controllers.put(controller.name(), controller);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends a controller and forgets it. Waits for its reconciles as {@link #close} does. Informers
   * that only this controller uses end with it.
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

  /**
   * Adds work that is not a reconcile, and that is done only while this process leads. If the
   * manager elects no leader, it is done in each process. It begins when the manager is started and
   * leads, beside the controllers; it ends with the controllers.
   *
   * <p>Corresponds to controller-runtime's {@code Manager.Add}.
   *
   * @param name names the work in logs, metrics and {@code /readyz}
   * @throws IllegalArgumentException if the name is taken or blank
   * @throws IllegalStateException if the manager is closed or has failed
   */
  public void add(String name, ManagerRunnable work) {
    add(name, work, /* needsLeadership= */ true);
  }

  /** Adds work as {@link #add(String, ManagerRunnable)}, but for each process, leader or not. */
  public void addEverywhere(String name, ManagerRunnable work) {
    add(name, work, /* needsLeadership= */ false);
  }

  private void add(String name, ManagerRunnable work, boolean needsLeadership) {
    requireNonNull(work, "work");
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a runnable must not be blank");
    }
    lock.lock();
    try {
      requireOpenLocked();
      if (works.containsKey(name)) {
        throw new IllegalArgumentException("there is a runnable named " + name + " already");
      }
      Client ofWork = needsLeadership ? client : unfencedClient;
      BackgroundWork added = new BackgroundWork(name, work, needsLeadership, ofWork, environment);
      if (state == State.RUNNING) {
        added.start();
      }
      works.put(name, added);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void requireOpenLocked() {
    if (state != State.NEW && state != State.RUNNING) {
      throw new IllegalStateException("the manager is closed or has failed", failure);
    }
  }

  /** Returns the work beside the controllers, by its name. */
  Map<String, BackgroundWork> works() {
    lock.lock();
    try {
      return new LinkedHashMap<>(works);
    } finally {
      lock.unlock();
    }
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

  /**
   * Returns the namespaces to which the manager is limited, as they are now; empty if it follows
   * all, or none.
   */
  public SortedSet<String> namespaces() {
    return environment.informers().scopes().namespaces();
  }

  /**
   * Adds a namespace to those of {@link ManagerBuilder#inNamespaces}, also while the manager is
   * running. Returns before the caches are filled. All objects of the namespace are reconciled, as
   * after a start.
   *
   * @return false if it is among them
   * @throws IllegalStateException if the manager follows all namespaces, is closed or has failed
   * @throws InterruptedException if the thread is interrupted; call it again to start what it has
   *     not
   */
  public boolean addNamespace(String namespace) throws InterruptedException {
    lock.lock();
    try {
      requireOpenLocked();
    } finally {
      lock.unlock();
    }
    return environment.informers().addNamespace(namespace);
  }

  /**
   * Removes a namespace from those of {@link ManagerBuilder#inNamespaces}, also while the manager
   * is running. Its watches end, and its objects leave the caches. They still exist, so this is no
   * deletion, and reconciles nothing.
   *
   * <p>Requests of the namespace that are in a queue, or fail afterwards, are dropped. A reconcile
   * that is running is not interrupted, but its reads of the namespace, and those of its views,
   * throw an {@link IllegalArgumentException}. Call this from a reconciler or any other thread, but
   * not from a mapping.
   *
   * @return false if it is not among them
   * @throws IllegalStateException if the manager follows all namespaces
   * @throws InterruptedException if the thread is interrupted; call it again to end what it has not
   */
  public boolean removeNamespace(String namespace) throws InterruptedException {
    return environment.informers().removeNamespace(namespace);
  }

  /** Returns the health of each informer, by its name. */
  public Map<String, InformerHealth> informerHealth() {
    return environment.informers().health();
  }

  /**
   * Returns the client that reads from the caches, with the writes of all controllers in them, and
   * writes to the server.
   *
   * <p>With {@link ManagerBuilder#leaderElection} it writes only while this process leads: a write
   * throws an {@link IllegalStateException} before, and a {@link
   * dev.clientgo.leaderelection.LeadershipLostException} afterwards. With {@link
   * ManagerBuilder#shards} alone it does not write, because it does not know for which object. See
   * {@link Context#client} and {@link #unfencedClient}.
   *
   * <p>Corresponds to controller-runtime's {@code GetClient}.
   */
  public Client client() {
    return client;
  }

  /**
   * Returns a client as {@link #client}, which writes whether this process leads or not: for
   * webhooks, for the setup before the start, and for work of each replica. Its writes can
   * contradict the leader.
   */
  public Client unfencedClient() {
    return unfencedClient;
  }

  /**
   * Returns where the pages for probes are; empty if the manager is not started, or was built
   * without {@link ManagerBuilder#http}.
   */
  public Optional<InetSocketAddress> httpAddress() {
    return Optional.ofNullable(http).map(HttpEndpoints::address);
  }

  /**
   * Returns where the metrics are; empty if the manager is not started, or was built without {@link
   * ManagerBuilder#metricsBindAddress}.
   */
  public Optional<InetSocketAddress> metricsAddress() {
    return Optional.ofNullable(metricsHttp).map(HttpEndpoints::address);
  }

  // ---- health

  /**
   * Runs the checks of {@code /healthz}, for a program that serves its health itself. A process
   * that fails one should be started again.
   *
   * @return why each check that fails does so, by its name; empty if all is well. A reason may name
   *     hosts, objects and users
   */
  public Map<String, String> healthProblems() {
    return pages.healthProblems();
  }

  /**
   * Runs the checks of {@code /readyz}, as {@link #healthProblems} those of {@code /healthz}. A
   * manager that has not been started is not ready if it has controllers or runnables.
   */
  public Map<String, String> readyProblems() {
    return pages.readyProblems();
  }

  // ---- lifecycle

  /**
   * Starts the webhooks and the controllers, and returns at once. If it throws, the manager is
   * closed.
   *
   * @throws IllegalStateException if the manager was started or closed before, or cannot listen at
   *     an address
   * @throws dev.clientgo.apimachinery.errors.ConfigException if the webhooks or the metrics have no
   *     valid certificate
   */
  public void start() {
    boolean failed = false;
    lock.lock();
    try {
      if (state != State.NEW) {
        throw new IllegalStateException(
            state == State.CLOSED || state == State.CLOSING
                ? "the manager is closed and cannot start again: build a new one"
                : "the manager was started before");
      }
      failed = true;
      state = State.FAILED; // Until all has started.
      if (httpAddress != null) {
        http =
            HttpEndpoints.start(
                httpAddress, pages.probes(), environment.clock(), null, HttpEndpoints.Access.OPEN);
      }
      if (metricsAddress != null) {
        metricsHttp = pages.serveAll(metricsAddress, environment.client());
      }
      if (webhooks != null) {
        webhooks.start(environment.metrics()); // Before the caches, whose lists need conversions.
      }
      if (elector == null) {
        environment
            .leadership()
            .begin(ReconcileTerm.endless(environment.client(), environment.clock()));
      } else {
        elector.start();
      }
      controllers
          .values()
          .forEach(controller -> controller.start(environment, this::controllerChanged));
      works.values().forEach(BackgroundWork::start);
      environment.shards().start();
      state = State.RUNNING;
      failed = false;
    } finally {
      lock.unlock();
      if (failed) {
        close(); // Or the parts that have started would hold their ports and the lease.
      }
    }
  }

  /** Called when the elector ends: the lease is lost, unless the manager is being closed. */
  private void leadershipEnded(LeaseLock lease) {
    RuntimeException error =
        environment
            .leadership()
            .loss()
            .orElseGet(
                () ->
                    new IllegalStateException(
                        "the election has ended, so this process should end: lease=" + lease));
    fail(error, controller -> environment.isLed(controller.options()));
  }

  private void shardsFailed(RuntimeException error) {
    fail(error, controller -> environment.isSharded(controller.options()));
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
    dump("failure");
  }

  /** Writes an incident, once all that it should have is recorded. */
  private void dump(String reason) {
    if (incidents != null) {
      incidents.dump(reason, Collections.max(List.of(shutdownTimeout, INCIDENT_TIMEOUT)));
    }
  }

  /** Returns whether this process leads; true if the manager elects no leader. */
  public boolean isLeader() {
    return elector == null || elector.isLeader();
  }

  /** Returns the group of replicas that share the objects; empty if there is none. */
  public Optional<ShardGroup> shards() {
    return Optional.ofNullable(environment.shards().group());
  }

  /** Returns why this replica can own no slots of its group; empty if it can, or has no group. */
  Optional<String> shardObstacle() {
    return environment.shards().obstacle();
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
    if (error.isPresent()) {
      environment.shards().leave(); // Other replicas can do the work.
      dump("failure");
    }
  }

  /**
   * Waits until all controllers are running.
   *
   * @return false if the time is up before, or the manager is closed
   * @throws CacheSyncException if a controller has failed
   * @throws dev.clientgo.leaderelection.LeadershipLostException if this process no longer leads
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    Deadline deadline = environment.clock().deadline(timeout);
    lock.lock();
    try {
      while (!isReadyLocked()) {
        throwFailureLocked();
        boolean ends = state == State.CLOSING || state == State.CLOSED;
        if (ends || !deadline.await(lock, changed)) {
          return false;
        }
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
   * @throws dev.clientgo.leaderelection.LeadershipLostException if this process no longer leads
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
   * Starts the controllers, and waits until the process receives a signal to end (SIGTERM, Ctrl-C),
   * the manager is closed, or a controller has failed. Then it closes the manager. Most programs
   * end with this call. After SIGTERM, the JVM waits until this has returned, and up to 2 s for the
   * thread to end.
   *
   * <p>Corresponds to controller-runtime's {@code mgr.Start(ctrl.SetupSignalHandler())}.
   *
   * @throws CacheSyncException if a controller has failed
   * @throws dev.clientgo.leaderelection.LeadershipLostException if this process no longer leads
   * @throws InterruptedException if the thread is interrupted
   */
  public void run() throws InterruptedException {
    ShutdownSignal signal = ShutdownSignal.install(RETURN_TIMEOUT, this::close);
    try {
      start();
      awaitEnd();
    } finally {
      close();
      signal.close();
    }
  }

  private Duration graceOfReconciles() {
    return shutdownTimeout.dividedBy(3).multipliedBy(2);
  }

  /**
   * Ends all controllers, informers and webhooks. A part that fails to end is logged, and the
   * others end. If another thread does so already, waits for it, unless this is a thread of a
   * reconciler. May be called more than once.
   */
  @Override
  public void close() {
    List<Controller> all;
    List<BackgroundWork> allWorks;
    lock.lock();
    try {
      if (state == State.CLOSING || state == State.CLOSED) {
        awaitClosedLocked();
        return;
      }
      state = State.CLOSING;
      all = new ArrayList<>(controllers.values());
      allWorks = new ArrayList<>(works.values());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    boolean isReconcile =
        all.stream().anyMatch(Controller::isWorker)
            || allWorks.stream().anyMatch(BackgroundWork::isCurrentThread);
    Clock clock = environment.clock();
    Deadline deadline = clock.deadline(shutdownTimeout);
    try {
      end(environment.shards()::leave); // Idle slots need not wait for others.
      boolean ended = closeControllers(all, allWorks);
      end(scope::close);
      end(environment.informers()::close);
      end(() -> closeWebhooks(deadline.left()));
      Stream.concat(Stream.ofNullable(http), Stream.ofNullable(metricsHttp))
          .forEach(each -> end(each::close));
      if (!isReconcile) {
        end(() -> releaseLease(ended));
      }
      end(() -> environment.shards().close(ended));
      end(() -> environment.events().close(shutdownTimeout));
      end(requests::close);
      dump("end");
      if (isReconcile) { // The elector interrupts this reconcile and waits for it.
        end(() -> clock.threads("manager-close-").newThread(() -> releaseLease(ended)).start());
      }
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

  /** Ends a part, whatever that throws: the others must end, too. */
  private static void end(Runnable part) {
    try {
      part.run();
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.ERROR, "A part of the manager has failed to end", e);
    }
  }

  /** Returns whether all reconciles, and all work beside them, have ended. */
  private boolean closeControllers(List<Controller> all, List<BackgroundWork> allWorks) {
    allWorks.forEach(each -> end(each::shutDown));
    all.forEach(each -> end(each::shutDown));
    List<Controller> ordered = new ArrayList<>(all);
    ordered.sort(Comparator.comparing(controller -> !environment.isLed(controller.options())));
    Deadline grace = environment.clock().deadline(graceOfReconciles());
    AtomicInteger running = new AtomicInteger(all.size() + allWorks.size());
    for (Controller controller : ordered) {
      end(() -> running.addAndGet(controller.close(grace.left()) ? -1 : 0));
    }
    for (BackgroundWork work : allWorks) {
      end(() -> running.addAndGet(work.close(grace.left()) ? -1 : 0));
    }
    return running.get() == 0;
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
    if (ended || !environment.leadership().hasBegun()) { // Or it would compete on, to lead nothing.
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
    if (controllers.values().stream().anyMatch(Controller::isWorker)
        || works.values().stream().anyMatch(BackgroundWork::isCurrentThread)) {
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
