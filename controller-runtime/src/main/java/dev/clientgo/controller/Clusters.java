package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Runs the same controllers in many clusters, which come and go while the program is running.
 *
 * <pre>{@code
 * Clusters clusters =
 *     Clusters.builder()
 *         .controller(cluster -> Controller.builder(reconciler).forKind(Foo.TYPE).build())
 *         .build();
 * clusters.add("berlin", RESTClient.create(berlin));
 * clusters.add("tokyo", RESTClient.create(tokyo));
 * clusters.remove("berlin");
 * }</pre>
 *
 * <p>A reconciler for one cluster works here unchanged: {@link Context#client} reads and writes the
 * cluster of the request, and {@link Request#cluster} names it.
 *
 * <p><b>Guarantees.</b> Each cluster has its own {@link Manager}, with its own informers, queues
 * and workers. So a cluster that is slow, lost or broken does not delay the others. If its
 * controllers fail, because its caches are not filled in time, they start again, after a second at
 * first, twice as long each time, and a minute at most. When a cluster is removed, its reconciles,
 * informers, threads and connections end.
 *
 * <p>Safe for use by many threads. Corresponds to multicluster-runtime's {@code multicluster.Aware}
 * and {@code clusters.Clusters}: {@link #add} engages a cluster, {@link #remove} disengages it. The
 * provider is the part of a program that knows the clusters, such as a controller of Secrets with
 * kubeconfigs.
 */
public final class Clusters implements AutoCloseable {

  private final List<Function<String, Controller>> controllers;
  private final BiConsumer<String, ManagerBuilder> configuration;
  private final Clock clock;
  private final ThreadFactory threads = DaemonThreads.named("cluster-");
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, ClusterRun> clusters = new LinkedHashMap<>();

  @GuardedBy("lock")
  private boolean closed;

  private Clusters(Builder builder) {
    controllers = List.copyOf(builder.controllers);
    configuration = builder.configuration;
    clock = builder.clock;
  }

  /** Returns a builder without controllers. */
  public static Builder builder() {
    return new Builder();
  }

  // ---- clusters

  /**
   * Starts the controllers in one more cluster, and returns at once, whether the cluster can be
   * reached or not.
   *
   * @param name names the cluster in requests, and in the log
   * @param client belongs to the cluster from now on: {@link #remove} closes it. If this throws, it
   *     still belongs to the caller
   * @throws IllegalArgumentException if the name is empty, or there is a cluster of that name; to
   *     give a cluster another client, remove it first
   * @throws IllegalStateException if this is closed
   */
  public void add(String name, RESTClient client) {
    requireNonNull(client, "client");
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a cluster must not be blank");
    }
    ClusterRun added = new ClusterRun(name, client, () -> manager(name, client), clock, threads);
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the clusters are closed, so none can be added: " + name);
      }
      if (clusters.putIfAbsent(name, added) != null) {
        throw new IllegalArgumentException(
            "there is a cluster named " + name + " already: remove it first");
      }
    } finally {
      lock.unlock();
    }
    try {
      added.start();
    } catch (Throwable e) {
      forget(name, added);
      throw e;
    }
  }

  /** Returns a manager of a cluster, which is not started. */
  private Manager manager(String name, RESTClient client) {
    ManagerBuilder options = Manager.builder(client).clock(clock);
    configuration.accept(name, options);
    var informers = options.informers;
    options.informers(
        factory -> {
          factory.namePrefix(name + ": ");
          informers.accept(factory);
        });
    var reconcilers = options.reconcilers;
    options.reconcilers(
        reconciler -> {
          Reconciler wrapped = reconcilers.apply(reconciler);
          return (request, context) -> wrapped.reconcile(request.inCluster(name), context);
        });
    Manager manager = options.build();
    try {
      controllers.forEach(controller -> manager.add(controller.apply(name)));
      return manager;
    } catch (Throwable e) {
      manager.close();
      throw e;
    }
  }

  /**
   * Ends the controllers in a cluster, and closes its client. Waits for its reconciles as {@link
   * Manager#close} does.
   *
   * @return false if there is no cluster of that name
   */
  public boolean remove(String name) {
    ClusterRun removed;
    lock.lock();
    try {
      removed = clusters.get(name);
    } finally {
      lock.unlock();
    }
    if (removed == null) {
      return false;
    }
    removed.close();
    forget(name, removed); // Not before: two runs of one cluster would reconcile one object twice.
    return true;
  }

  private void forget(String name, ClusterRun run) {
    lock.lock();
    try {
      clusters.remove(name, run);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the names of the clusters, in the order in which they were added. */
  public Set<String> names() {
    return snapshot().keySet();
  }

  private Map<String, ClusterRun> snapshot() {
    lock.lock();
    try {
      return new LinkedHashMap<>(clusters);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the manager of a cluster, with its client, its controllers and the health of its
   * informers. If the controllers fail, another manager takes its place, so do not keep it.
   */
  public Optional<Manager> manager(String name) {
    ClusterRun run = snapshot().get(name);
    return run == null ? Optional.empty() : Optional.ofNullable(run.manager());
  }

  /**
   * Checks that the controllers of no cluster fail again and again: three times in a row without
   * being ready. A {@link HealthCheck} for the manager that has the pages of the program.
   *
   * @throws IllegalStateException if they do; its message names the cluster and the failure
   */
  public void check() {
    Optional<String> problem =
        snapshot().values().stream().flatMap(run -> run.problem().stream()).findFirst();
    if (problem.isPresent()) {
      throw new IllegalStateException(problem.get());
    }
  }

  /**
   * Adds a request to the queue of a controller in the cluster of the request, such as one for a
   * change in another cluster.
   *
   * @param controller the name of the controller
   * @return false if there is no such cluster, or no such controller in it
   */
  public boolean enqueue(String controller, Request request) {
    Optional<Controller> found =
        manager(request.cluster()).stream()
            .flatMap(manager -> manager.controllers().stream())
            .filter(each -> each.name().equals(controller))
            .findFirst();
    found.ifPresent(each -> each.enqueue(request.inCluster("")));
    return found.isPresent();
  }

  /** Removes all clusters, all at once, and takes no others. May be called more than once. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    List<Thread> closing = new ArrayList<>();
    for (String name : names()) {
      try {
        Thread thread = threads.newThread(() -> remove(name));
        thread.start();
        closing.add(thread);
      } catch (Throwable e) { // No memory for a thread, which nothing has interrupted.
        remove(name);
      }
    }
    try {
      clock.join(closing, Duration.ofNanos(Long.MAX_VALUE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The threads keep running.
    }
  }

  /** Builds {@link Clusters}. Not safe for use by many threads. */
  public static final class Builder {

    private final List<Function<String, Controller>> controllers = new ArrayList<>();
    private BiConsumer<String, ManagerBuilder> configuration = (cluster, manager) -> {};
    private Clock clock = Clock.system();

    private Builder() {}

    /**
     * Adds a controller that runs in each cluster.
     *
     * @param controller receives the name of a cluster and returns another controller at each call;
     *     one reconciler may serve all of them
     */
    public Builder controller(Function<String, Controller> controller) {
      controllers.add(requireNonNull(controller, "controller"));
      return this;
    }

    /**
     * Sets options of the manager of each cluster, such as its namespace. Default: none. Let it set
     * no HTTP server, of which the program has one.
     *
     * @param configuration receives the name of the cluster and the builder of its manager
     */
    public Builder managers(BiConsumer<String, ManagerBuilder> configuration) {
      this.configuration = requireNonNull(configuration, "configuration");
      return this;
    }

    /** Sets the clock. Default: the system's. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Returns an instance without clusters.
     *
     * @throws IllegalStateException if there is no controller
     */
    public Clusters build() {
      if (controllers.isEmpty()) {
        throw new IllegalStateException("nothing would run in the clusters: call controller(…)");
      }
      return new Clusters(this);
    }
  }
}
