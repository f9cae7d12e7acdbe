package dev.clientgo.simulation;

import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ManagerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.simulation.internal.traffic.Client;
import dev.clientgo.simulation.workload.ExternalService;
import dev.clientgo.workqueue.ItemHandler;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.Workers;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * A process of the simulation, from its start to its crash. A controller must take its client, its
 * clock, its threads and its randomness from here; then the simulation can replay it.
 *
 * <p>Safe for use by many threads.
 */
public final class SimulatedProcess {

  /** Observes the reconciles of processes, and lets faults hit them. */
  interface Observer {

    /**
     * Observes one reconcile.
     *
     * @param handler distinguishes the handlers of one process
     * @param again lets the handler handle the key again, at once
     */
    <T> T reconcile(Client client, String handler, String key, Callable<T> work, Again<T> again)
        throws Exception;

    /** Adds what a process does when it is asked to stop. */
    void onStop(Client client, AutoCloseable action);

    /** Returns an external service of the run. */
    ExternalService service(Client client, String name);
  }

  /** The way in which a handler handles a key a second time. */
  @FunctionalInterface
  interface Again<T> {
    T after(T first, Callable<T> second) throws Exception;
  }

  private final Observer observer;
  private final Client connection;
  private final RestConfig config;
  private final RESTClient client;
  private final Random random;

  /** Numbers the handlers, so that the same key of two controllers is not mixed up. */
  private final AtomicInteger handlers = new AtomicInteger();

  SimulatedProcess(Observer observer, Client connection, long seed) {
    this.observer = observer;
    this.connection = connection;
    this.random = new Random(seed);
    this.config =
        RestConfig.builder("http://simulation.test")
            .userAgent(connection.toString())
            .connection(connection)
            .build();
    this.client = RESTClient.builder(config).clock(clock()).random(random).build();
  }

  /** Returns the name of the process, a new one after each crash; fit for leader election. */
  public String identity() {
    return connection.toString();
  }

  /** Returns the configuration of clients. Set {@link #clock} for those that you build. */
  public RestConfig config() {
    return config;
  }

  /** Returns a client. */
  public RESTClient client() {
    return client;
  }

  /** Returns the simulated clock. */
  public Clock clock() {
    return connection.owner().clock();
  }

  /** Returns the factory of threads. The simulation runs only one of them at a time. */
  public ThreadFactory threads() {
    return connection.owner();
  }

  /** Returns the source of randomness. */
  public RandomGenerator random() {
    return random;
  }

  /**
   * Returns a service outside the cluster, such as a DNS server. It belongs to the run: all
   * processes see the same one, and it survives them.
   *
   * @param name names it in the history and in reports
   */
  public ExternalService service(String name) {
    return observer.service(connection, name);
  }

  /**
   * Adds what the process does when it is asked to stop, as a program does in a shutdown hook:
   * {@code process.onStop(manager)} for a manager by {@link #manager}; {@link #run} does so by
   * itself. The actions run one after the other, in a thread of the process, for up to 30 s of
   * simulated time. An exception is written to the history; an {@link Error} fails the run, too.
   *
   * @param action is closed at most once
   */
  public void onStop(AutoCloseable action) {
    observer.onStop(connection, action);
  }

  // ---- controllers of the runtime

  /**
   * Returns a builder of managers with the client, clock, threads and randomness of the process. It
   * writes all reconciles to the history, and a fault can slow one down or repeat it.
   */
  public ManagerBuilder manager() {
    return Manager.builder(client)
        .clock(clock())
        .threadFactory(threads())
        .random(random)
        .leaderIdentity(identity())
        .reconcilers(Observed::new);
  }

  /** Starts a manager with some controllers. */
  public void run(Controller... controllers) {
    Manager manager = manager().build();
    for (Controller controller : controllers) {
      manager.add(controller);
    }
    onStop(manager);
    manager.start();
  }

  private final class Observed implements Reconciler {

    private final Reconciler reconciler;
    private final String handler = nextHandler();

    Observed(Reconciler reconciler) {
      this.reconciler = reconciler;
    }

    @Override
    public Result reconcile(Request request, Context context) throws Exception {
      return observer.reconcile(
          connection,
          handler,
          request.toString(),
          () -> reconciler.reconcile(request, context),
          (first, second) -> Result.requeueAfter(Duration.ofMillis(1)));
    }
  }

  private String nextHandler() {
    int number = handlers.incrementAndGet();
    return number == 1 ? "" : "#" + number + " ";
  }

  // ---- controllers written by hand

  /** Returns the options of informers with the clock, threads and randomness of the process. */
  public ReflectorOptions reflectorOptions() {
    return ReflectorOptions.builder()
        .clock(clock())
        .threadFactory(threads())
        .random(random)
        .build();
  }

  /** Returns a builder of informers of the process. */
  public SharedInformerFactory.Builder informers() {
    return SharedInformerFactory.builder(Clientset.of(client)).options(reflectorOptions());
  }

  /**
   * Returns a queue of the process, with the rate limiter that controllers have by default.
   *
   * @param <T> the type of items
   */
  public <T> RateLimitingQueue<T> queue() {
    return RateLimitingQueue.create(
        RateLimiter.<T>defaultController(clock()), QueueConfig.builder().clock(clock()).build());
  }

  /**
   * Returns a builder of workers of the process, one by default. The items that they handle appear
   * in the history, and a fault can slow one down or repeat it.
   *
   * @param <T> the type of items; {@code toString} gives the key, as in {@code default/foo}
   */
  public <T> Workers.Builder<T> workers(
      RateLimitingQueue<T> queue, ItemHandler<? super T, ?> handler) {
    String name = nextHandler();
    ItemHandler<T, Exception> observed =
        item ->
            observer.reconcile(
                connection,
                name,
                String.valueOf(item),
                () -> {
                  handler.handle(item);
                  return "done";
                },
                (first, again) -> again.call());
    return Workers.builder(queue, observed).threadFactory(threads()).clock(clock());
  }
}
